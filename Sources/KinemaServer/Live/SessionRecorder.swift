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
  private let task: Task<Bool, any Error>

  /// Begins a video, which is there once ``finish()`` has returned.
  init(url: URL) {
    self.url = url
    let (stream, continuation) = AsyncStream.makeStream(
      of: TemporalFeature<Frame>.self, bufferingPolicy: .bufferingNewest(Self.capacity))
    pictures = continuation
    task = Task {
      var writer: VideoWriter?
      for await picture in stream {
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
  }

  /// Adds a frame at a time, in seconds of the recording.
  func add(_ frame: Frame, at time: TimeInterval) {
    let start = Int((time * Double(Self.timescale)).rounded())
    let id = TemporalSegmentIdentifier(
      source: "session", range: start..<start + 1, timescale: Self.timescale)
    pictures.yield(TemporalFeature(id: id, feature: frame))
  }

  /// Ends the video.
  ///
  /// - Returns: Whether there is a video; not without frames.
  /// - Throws: `VideoError` if it could not be written; no file remains.
  func finish() async throws -> Bool {
    pictures.finish()
    return try await task.value
  }
}
