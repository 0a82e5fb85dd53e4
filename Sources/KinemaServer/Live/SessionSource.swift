package import KinemaVideo

/// Something that the server looks at itself: a camera, a stream, a file or the synthetic person.
///
/// ```swift
/// SessionSource(description) { LiveVideoReader(source).events() }
/// ```
package struct SessionSource: Sendable {
  /// What clients know of it.
  package var description: ServerInformation.Source
  /// Opens it; the stream ends with the source, or when nobody takes from it any more.
  package var events: @Sendable () -> AsyncStream<LiveVideoEvent>

  package init(
    _ description: ServerInformation.Source,
    events: @escaping @Sendable () -> AsyncStream<LiveVideoEvent>
  ) {
    self.description = description
    self.events = events
  }
}
