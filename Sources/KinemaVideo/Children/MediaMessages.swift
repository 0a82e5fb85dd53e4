import Foundation
import KinemaErrors
import KinemaStreams

/// What a process asks of a child that decodes files for it: a line of JSON on the child's standard
/// input.
struct MediaRequest: Codable {
  enum Work: Codable {
    /// With `isOnDemand` each frame is asked for by a line with the earliest time that it may have, in ticks;
    /// ``MediaRequest/noMore`` ends the file, without an answer.
    case frames(VideoSegment, isOnDemand: Bool)
    case stillPicture
    case segments(VideoSegmenter)
    case kind
    /// Whether a check of files that are no media, by its name, finds the file good; `as` is the file's
    /// name in messages.
    case check(String, as: String)
  }

  static let noMore = "no more"

  let path: String
  let work: Work
}

/// What a child answers on its standard output: the length of some JSON as four bytes, the JSON, and
/// behind ``frame(width:height:start:end:)`` the pixels.
enum MediaAnswer: Codable {
  /// The file is open; frames follow.
  case opened(TrackDescription)
  case frame(width: Int, height: Int, start: Int, end: Int)
  /// There are no more frames.
  case end(DamageReport.Counts)
  case segments([VideoSegment])
  case kind(MediaKind?)
  /// A check has found nothing wrong.
  case good
  case failed(VideoErrorCode, String, MessageText?)

  /// The bytes of the JSON, at most.
  static let largestByteCount = 1 << 24
}

/// What is known of a video before it is decoded.
struct TrackDescription: Codable, Sendable {
  /// Of upright frames, in square pixels.
  let width: Int
  let height: Int
  /// The average frame rate; 0 if unknown.
  let nominalFrameRate: Double
  /// In seconds.
  let duration: Double?
  /// As declared, or from duration and rate.
  let frameCount: Int?
}

/// Decodes the video track of a file, in this process or in a child; for one thread at a time.
protocol FrameDecoder: AnyObject, Sendable {
  var url: URL { get }
  var interruption: InterruptCallback { get }
  var description: TrackDescription { get }
  var damage: DamageReport { get }

  /// The next frame in presentation order that is not before a time in ticks; `nil` at the end or when
  /// interrupted.
  ///
  /// The pictures of the frames before it, which are decoded but not converted, cost less. A decoder of a
  /// child that was not opened to be asked gives every frame.
  func next(from time: Int) throws(VideoError) -> TemporalFeature<Frame>?
}

extension FrameDecoder {
  /// The next frame in presentation order; `nil` at the end or when interrupted.
  func next() throws(VideoError) -> TemporalFeature<Frame>? { try next(from: .min) }
}
