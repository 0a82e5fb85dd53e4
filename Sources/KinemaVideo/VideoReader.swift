public import Foundation
public import KinemaStreams

/// Opens video files in any container and codec of the installed FFmpeg, and animated WebP.
///
/// - Input: a file's URL.
/// - Output: its frames, see ``AsyncFrames``.
///
/// Rotation is applied. Formats that open other files are refused; frames may have up to 16,384
/// pixels a side and 37 million in total (16 million where the container does not say their size).
public struct VideoReader: Transformer, Sendable {
  /// The URL of a file.
  public typealias Input = URL
  /// The frames of the file.
  public typealias Output = AsyncFrames

  /// Creates a reader.
  public init() {}

  /// Opens a file.
  ///
  /// - Throws: ``VideoError`` if the file is missing, not a video, or too damaged.
  public static func read(contentsOf url: URL) async throws -> AsyncFrames {
    try await VideoReader().applied(to: url, eventHandler: nil)
  }

  /// Opens a file; the event handler receives a report for each frame.
  ///
  /// - Throws: ``VideoError`` if the file is missing, not a video, or too damaged.
  public func applied(to url: URL, eventHandler: EventHandler?) async throws -> AsyncFrames {
    try await Self.frames(
      of: .whole, at: url, isOnDemand: false, in: MediaChildren.shared, eventHandler: eventHandler)
  }

  /// Opens a segment of a file with its warm-up frames, at the times of the whole file; may have no
  /// frames; throws ``VideoError`` if the file is missing, not a video, or too damaged.
  ///
  /// - Parameters:
  ///   - isOnDemand: Whether frames are left out, by the times that
  ///     ``AsyncFrames/Iterator/next(from:)`` is asked for; none is then decoded ahead, and what is known
  ///     without frames costs no more than opening the file.
  ///   - children: The processes that decode; `nil` for this one.
  package static func read(
    _ segment: VideoSegment = .whole, ofFileAt url: URL, isOnDemand: Bool = false,
    in children: MediaChildren? = .shared
  ) async throws -> AsyncFrames {
    try await frames(
      of: segment, at: url, isOnDemand: isOnDemand, in: children, eventHandler: nil)
  }

  private static func frames(
    of segment: VideoSegment, at url: URL, isOnDemand: Bool, in children: MediaChildren?,
    eventHandler: EventHandler?
  ) async throws -> AsyncFrames {
    let decoder = try await BlockingThread.runInterruptibly { interruption in
      try MediaChildren.open(
        url, segment, isOnDemand: isOnDemand, in: children, interruption: interruption)
    }
    return AsyncFrames(decoder: decoder, isOnDemand: isOnDemand, eventHandler: eventHandler)
  }
}
