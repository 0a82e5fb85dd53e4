public import Foundation
public import KinemaStreams

/// Opens video files in any container and codec of the installed FFmpeg.
///
/// - Input: a file's URL.
/// - Output: its frames, see ``AsyncFrames``.
///
/// Rotation is applied. Formats that open other files are refused; frames may have up to 16,384
/// pixels a side and 67 million in total.
public struct VideoReader: Transformer, Sendable {
  /// The URL of a file.
  public typealias Input = URL
  /// The frames of the file.
  public typealias Output = AsyncFrames

  /// Receives problems of a readable file when its end is reached.
  public var warningHandler: (@Sendable (String) -> Void)?

  /// Creates a reader; the handler receives a sentence for each kind of damage, at a file's end.
  public init(warningHandler: (@Sendable (String) -> Void)? = nil) {
    self.warningHandler = warningHandler
  }

  /// Opens a file; the handler receives a sentence for each kind of damage, at its end.
  ///
  /// - Throws: ``VideoError`` if the file is missing, not a video, or too damaged.
  public static func read(
    contentsOf url: URL, warningHandler: (@Sendable (String) -> Void)? = nil
  ) async throws -> AsyncFrames {
    try await VideoReader(warningHandler: warningHandler).applied(to: url, eventHandler: nil)
  }

  /// Opens several files in order.
  ///
  /// - Throws: ``VideoError`` for the first unreadable file.
  public static func read<S: Sequence>(_ files: S) async throws -> [AsyncFrames]
  where S.Element == URL {
    var sequences: [AsyncFrames] = []
    for url in files { sequences.append(try await read(contentsOf: url)) }
    return sequences
  }

  /// Opens a file; the event handler receives a report for each frame.
  ///
  /// - Throws: ``VideoError`` if the file is missing, not a video, or too damaged.
  public func applied(to url: URL, eventHandler: EventHandler?) async throws -> AsyncFrames {
    try await frames(of: .whole, at: url, eventHandler: eventHandler)
  }

  /// Opens a segment of a file with its warm-up frames, at the times of the whole file; may have no
  /// frames; throws ``VideoError`` if the file is missing, not a video, or too damaged.
  package static func read(
    _ segment: VideoSegment, ofFileAt url: URL
  ) async throws -> AsyncFrames {
    try await VideoReader().frames(of: segment, at: url, eventHandler: nil)
  }

  private func frames(
    of segment: VideoSegment, at url: URL, eventHandler: EventHandler?
  ) async throws -> AsyncFrames {
    let interruption = Interruption()
    let decoder = try await withTaskCancellationHandler {
      try await BlockingThread.run {
        try VideoDecoder(opening: url, as: .video, segment: segment, interruption: interruption)
      }
    } onCancel: {
      interruption.cancel()
    }
    try Task.checkCancellation()
    return AsyncFrames(decoder: decoder, warningHandler: warningHandler, eventHandler: eventHandler)
  }
}
