public import Foundation
public import KinemaStreams

/// Writes frames as an H.264 video in an MP4 file, and keeps the sound of another file.
///
/// Frames are encoded on a thread of their own (libx264, quality `crf` 20, preset `veryfast`);
/// ``append(_:)`` waits while it is behind. The file appears when ``finish()`` returns: until then
/// it is a hidden file beside its place, which is removed when writing fails, is cancelled, or the
/// writer is released.
public final class VideoWriter: Sendable {
  /// How many frames wait for the encoder.
  static let queueCapacity = 3

  /// Where the file will be.
  public let url: URL
  private let queue: WorkQueue<TemporalFeature<Frame>>
  private let temporary: TemporaryFile
  private let interruption: Interruption

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - url: Where the file will be; a file that is there is replaced when the new one is complete.
  ///   - size: The width and height in pixels, at least 2; an odd side is made one pixel shorter.
  ///     Frames of another size are scaled.
  ///   - frameRate: The usual number of frames in a second, where it is known. Frames keep their
  ///     own times.
  ///   - source: The file whose sound is kept, if it has any, up to the end of the last frame. Its
  ///     times and those of the frames begin together.
  /// - Throws: ``VideoError`` where the file cannot be written or the source not be read.
  public init(
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
    let interruption = Interruption()
    self.queue = queue
    self.interruption = interruption
    let temporary = try TemporaryFile(for: url)
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

  deinit {
    cancel()
  }

  /// Adds a frame, to be shown from the start of its identifier's range.
  ///
  /// A frame that is not later than the one before it is moved behind it. Waits while the encoder
  /// is behind.
  ///
  /// - Throws: ``VideoError`` where writing has failed, `CancellationError` where the task is
  ///   cancelled, which cancels the writer.
  public func append(_ frame: TemporalFeature<Frame>) async throws {
    try await cancellingWithTask {
      if await queue.push(frame) { return }
      if queue.isCancelled { throw closed }
      try await queue.waitForEnd()
      throw closed
    }
  }

  /// Writes what is left and puts the file in its place.
  ///
  /// - Throws: ``VideoError`` where writing fails; then nothing is left of the file.
  public func finish() async throws {
    try await cancellingWithTask {
      if queue.isCancelled { throw closed }
      queue.close()
      try await queue.waitForEnd()
    }
  }

  /// Gives up and removes what was written.
  ///
  /// After ``finish()`` it does nothing.
  public func cancel() {
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
        "\(url.path) takes no more frames, its VideoWriter is finished or was "
          + "cancelled: begin another.")
  }
}
