package import Foundation
import KinemaFiles
package import KinemaStreams

/// Writes frames as H.264 in MP4 (libx264, `crf` 20, preset `veryfast`; else libopenh264), with the audio of another
/// file.
///
/// Frames are encoded on a thread; ``append(_:)`` waits while it is busy. The file appears when
/// ``finish()`` returns and is removed if writing fails or is cancelled, or the writer is released.
package final class VideoWriter: Sendable {
  /// Number of frames that wait for the encoder.
  static let queueCapacity = 3

  package let url: URL
  private let queue: WorkQueue<TemporalFeature<Frame>>
  private let temporary: WholeFile
  private let interruption: InterruptCallback

  /// Starts a file.
  ///
  /// - Parameters:
  ///   - url: The file to write; an existing one is replaced when this one is complete.
  ///   - size: Width and height in pixels, at least 2, rounded down to even numbers. Other frames
  ///     are scaled.
  ///   - frameRate: The usual frame rate, if known. Frames have their own times.
  ///   - source: The file whose audio is copied up to the end of the last frame.
  /// - Throws: ``VideoError`` if the file cannot be written or the source not be read.
  package init(
    url: URL, size: CGSize, frameRate: Double? = nil, audioFrom source: URL? = nil
  ) async throws {
    guard (2...16_384).contains(size.width), (2...16_384).contains(size.height) else {
      throw VideoError(
        .cannotWrite,
        "\(url.path) cannot be written with \(size.width) × \(size.height) pixels: a "
          + "video has 2 to 16384 a side.")
    }
    self.url = url
    let queue = WorkQueue<TemporalFeature<Frame>>(capacity: Self.queueCapacity)
    let interruption = InterruptCallback()
    self.queue = queue
    self.interruption = interruption
    let temporary = try VideoError.writing { () throws(WholeFile.Failure) in
      try WholeFile(for: url)
    }
    self.temporary = temporary
    let movie = try await BlockingThread.run {
      try MovieFile(
        at: url, temporary: temporary, width: Int(size.width) / 2 * 2,
        height: Int(size.height) / 2 * 2, frameRate: frameRate, audioFrom: source,
        interruption: interruption)
    }
    try BlockingThread.start {
      let result = Result {
        while let element = queue.pop() {
          try movie.append(
            element.feature, range: element.id.range, timescale: element.id.timescale)
        }
        if queue.isCancelled { throw CancellationError() }
        try movie.finish()
      }
      if case .failure = result { temporary.remove() }
      queue.end(result)
    }
  }

  deinit { cancel() }

  /// Adds a frame at the start of its range, or after the last frame if that is later; throws
  /// ``VideoError`` if writing has failed; `CancellationError`, which cancels the writer.
  package func append(_ frame: TemporalFeature<Frame>) async throws {
    try await cancellingWithTask {
      if await queue.push(frame) { return }
      if queue.isCancelled { throw closed }
      try await queue.waitForEnd()
      throw closed
    }
  }

  /// Writes the rest and moves the file to its place; throws ``VideoError`` if writing fails; no
  /// file remains.
  package func finish() async throws {
    try await cancellingWithTask {
      if queue.isCancelled { throw closed }
      queue.close()
      try await queue.waitForEnd()
    }
  }

  /// Stops and removes the file; no effect after ``finish()``.
  package func cancel() {
    interruption.cancel()
    queue.cancel()
    temporary.remove()
  }

  private func cancellingWithTask(_ body: () async throws -> Void) async throws {
    try await withTaskCancellationHandler {
      try await body()
    } onCancel: {
      cancel()
    }
    try Task.checkCancellation()
  }

  private var closed: any Error {
    Task.isCancelled
      ? CancellationError()
      : VideoError(
        .writerClosed,
        "\(url.path) accepts no more frames, its VideoWriter is finished or was "
          + "cancelled: create another.")
  }
}
