package import KinemaVideo

/// A source of the server's own: a camera, a stream, a file or the synthetic person.
package struct SessionSource: Sendable {
  package var description: ServerInformation.Source
  /// Opens it; the stream ends with the source, or when it is not read any more.
  package var events: @Sendable () -> AsyncStream<LiveVideoEvent>

  package init(
    _ description: ServerInformation.Source,
    events: @escaping @Sendable () -> AsyncStream<LiveVideoEvent>
  ) {
    self.description = description
    self.events = events
  }
}
