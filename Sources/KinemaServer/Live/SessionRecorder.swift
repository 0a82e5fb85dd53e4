import Foundation
import KinemaStreams
import KinemaVideo

/// Records a session's frames as a video; frames that arrive faster than they are encoded are
/// dropped.
final class SessionRecorder: Sendable {
  /// The number of frames that wait for the encoder.
  private static let capacity = 4
  private static let timescale = 1000

  let url: URL
  private let pictures: AsyncStream<TemporalFeature<Frame>>.Continuation
  private let task: Task<Bool, Never>

  /// Begins a video, which is there once ``finish()`` has returned.
  ///
  /// - Parameter onFailure: Receives the error as soon as the video cannot be written, once; no
  ///   file remains.
  init(url: URL, onFailure: @escaping @Sendable (any Error) -> Void) {
    self.url = url
    let (stream, continuation) = AsyncStream.makeStream(
      of: TemporalFeature<Frame>.self, bufferingPolicy: .bufferingNewest(Self.capacity))
    pictures = continuation
    task = Task {
      do {
        return try await SessionRecorder.write(stream, to: url)
      } catch {
        onFailure(error)
        return false
      }
    }
  }

  /// Writes the pictures until they end; returns whether there were any.
  private static func write(
    _ pictures: AsyncStream<TemporalFeature<Frame>>, to url: URL
  ) async throws -> Bool {
    var writer: VideoWriter?
    for await picture in pictures {
      let frame = picture.feature
      if writer == nil {
        writer = try await VideoWriter(
          url: url, size: CGSize(width: frame.width, height: frame.height))
      }
      try await writer?.append(picture)
    }
    try await writer?.finish()
    return writer != nil
  }

  /// Adds a frame at a time, in seconds of the recording.
  func add(_ frame: Frame, at time: TimeInterval) {
    let start = Int((time * Double(Self.timescale)).rounded())
    let id = TemporalSegmentIdentifier(
      source: "session", range: start..<start + 1, timescale: Self.timescale)
    pictures.yield(TemporalFeature(id: id, feature: frame))
  }

  /// Ends the video; returns whether there is one: not without frames, nor after a failure.
  func finish() async -> Bool {
    pictures.finish()
    return await task.value
  }
}
