package import Foundation

/// The description of a video or pose file.
package struct VideoDescription: Hashable, Codable, Sendable {
  /// The file as the user named it.
  package var file: String
  /// The SHA-256 of the file's content.
  package var videoID: String
  /// The length in seconds.
  package var duration: TimeInterval
  package var frameCount: Int
  /// The mean number of frames in a second; 0 where there are fewer than two.
  package var frameRate: Double
  /// The width of the upright frame in pixels; `nil` for a pose file.
  package var width: Int?
  /// The height of the upright frame in pixels; `nil` for a pose file.
  package var height: Int?
  /// The speed of the camera in frame widths a second; `nil` for a pose file.
  package var cameraSpeed: Double?
  /// What was wrong with the file, which could be read all the same, as sentences.
  package var warnings: [String]
}
