public import Foundation

/// What is known of a video, or a file of poses, from looking at all of it.
public struct VideoDescription: Hashable, Codable, Sendable {
  /// The file as the user named it.
  public var file: String
  /// The SHA-256 of the file's content.
  public var videoID: String
  /// The length in seconds.
  public var duration: TimeInterval
  /// The number of frames.
  public var frameCount: Int
  /// The mean number of frames in a second; 0 where there are fewer than two.
  public var frameRate: Double
  /// The width and height of the upright picture in pixels; `nil` for a file of poses.
  public var width: Int?
  /// The height of the upright picture in pixels; `nil` for a file of poses.
  public var height: Int?
  /// How fast the picture moves as a whole, in widths of the picture a second; `nil` for a file of
  /// poses.
  public var cameraSpeed: Double?
  /// What was wrong with the file, which could be read all the same, as sentences.
  public var warnings: [String]
}
