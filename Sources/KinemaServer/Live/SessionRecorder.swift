import Foundation
import KinemaStreams
import KinemaVideo

/// Keeps a session's pictures as a video; pictures that come faster than they are encoded are left
/// out.
final class SessionRecorder: Sendable {
  /// How many pictures wait for the encoder.
  private static let capacity = 4
  private static let timescale = 1000

  /// Where the video will be.
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

  /// Adds a picture at a time, in seconds of the record.
  func add(_ frame: Frame, at time: TimeInterval) {
    let start = Int((time * Double(Self.timescale)).rounded())
    let id = TemporalSegmentIdentifier(
      source: "session", range: start..<start + 1, timescale: Self.timescale)
    pictures.yield(TemporalFeature(id: id, feature: frame))
  }

  /// Ends the video.
  ///
  /// - Returns: Whether there is one: none without pictures.
  /// - Throws: `VideoError` where it could not be written; then nothing is left of it.
  func finish() async throws -> Bool {
    pictures.finish()
    return try await task.value
  }
}
