public import Foundation
public import KinemaStreams

/// Opens video files: any container and codec of video that the installed FFmpeg reads.
///
/// - Input: the URL of a file.
/// - Output: its frames, see ``AsyncFrames``.
///
/// Rotation that the file asks for is applied. Playlists and formats that make FFmpeg open other
/// files are refused; pictures may have up to 16,384 pixels a side and 67 million in all.
public struct VideoReader: Transformer, Sendable {
  /// The URL of a file.
  public typealias Input = URL
  /// The frames of the file.
  public typealias Output = AsyncFrames

  /// How many threads FFmpeg decodes with; one costs the least processor time.
  public var decoderThreadCount: Int
  /// Takes what was wrong with a file that could be read all the same, when its end is reached.
  public var warningHandler: (@Sendable (String) -> Void)?

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - decoderThreadCount: How many threads FFmpeg decodes with, at least 1.
  ///   - warningHandler: Takes a sentence for each kind of damage in a file, at its end.
  public init(
    decoderThreadCount: Int = 1, warningHandler: (@Sendable (String) -> Void)? = nil
  ) {
    precondition(decoderThreadCount > 0, "A VideoReader decodes with at least one thread.")
    self.decoderThreadCount = decoderThreadCount
    self.warningHandler = warningHandler
  }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - warningHandler: Takes a sentence for each kind of damage, at the end of the file.
  /// - Throws: ``VideoError`` where the file is missing, not a video, or too damaged to be read.
  public static func read(
    contentsOf url: URL, warningHandler: (@Sendable (String) -> Void)? = nil
  ) async throws -> AsyncFrames {
    try await VideoReader(warningHandler: warningHandler).applied(to: url, eventHandler: nil)
  }

  /// Opens several files, in order.
  ///
  /// - Throws: ``VideoError`` for the first file that cannot be read.
  public static func read<S: Sequence>(_ files: S) async throws -> [AsyncFrames]
  where S.Element == URL {
    var sequences: [AsyncFrames] = []
    for url in files { sequences.append(try await read(contentsOf: url)) }
    return sequences
  }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - eventHandler: Takes a report for each frame that is read.
  /// - Throws: ``VideoError`` where the file is missing, not a video, or too damaged to be read.
  public func applied(to url: URL, eventHandler: EventHandler?) async throws -> AsyncFrames {
    try await frames(of: .whole, at: url, eventHandler: eventHandler)
  }

  /// Opens a part of a file, with the frames of its warming up.
  ///
  /// Frames have the times that they have when the file is read from its start. Where no picture can
  /// be decoded there are none.
  ///
  /// - Throws: ``VideoError`` where the file is missing, not a video, or too damaged to be read.
  package static func read(
    _ segment: VideoSegment, ofFileAt url: URL
  ) async throws -> AsyncFrames {
    try await VideoReader().frames(of: segment, at: url, eventHandler: nil)
  }

  private func frames(
    of segment: VideoSegment, at url: URL, eventHandler: EventHandler?
  ) async throws -> AsyncFrames {
    let interruption = Interruption()
    let threadCount = decoderThreadCount
    let decoder = try await withTaskCancellationHandler {
      try await BlockingThread.run {
        try VideoDecoder(
          opening: url, as: .video, segment: segment, threadCount: threadCount,
          interruption: interruption)
      }
    } onCancel: {
      interruption.cancel()
    }
    try Task.checkCancellation()
    return AsyncFrames(
      decoder: decoder, warningHandler: warningHandler, eventHandler: eventHandler)
  }
}
