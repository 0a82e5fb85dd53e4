public import Foundation

/// The description of a video or pose file.
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
  /// The width of the upright frame in pixels; `nil` for a pose file.
  public var width: Int?
  /// The height of the upright frame in pixels; `nil` for a pose file.
  public var height: Int?
  /// The speed of the camera in frame widths a second; `nil` for a pose file.
  public var cameraSpeed: Double?
  /// What was wrong with the file, which could be read all the same, as sentences.
  public var warnings: [String]
}
