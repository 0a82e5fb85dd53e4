import Foundation
import KinemaOverlay
import KinemaPose
import KinemaVideo
import KinemaVision
import KinemaWatch

/// Pictures of named sources with wireframes, made when a client asks for one.
actor SourcePictures {
  private struct Picture {
    var frameDate: Date
    var madeAt: Date
    var jpeg: Data
  }

  /// The longest side of a picture, in pixels.
  private static let side = 640
  private static let quality = 75
  /// How long a picture serves all clients, in seconds.
  private static let lifetime = 0.5

  private let overlay = Overlay()
  private var made: [String: Picture] = [:]

  /// The newest picture of a source as JPEG; `nil` before its first frame.
  func jpeg(of source: WatchedSource) throws -> Data? {
    guard let frame = source.details.frame, let date = source.details.frameDate else { return nil }
    if let known = made[source.name],
      known.frameDate == date || -known.madeAt.timeIntervalSinceNow < Self.lifetime
    {
      return known.jpeg
    }
    guard var picture = try frame.picture?.scaled(toFit: Self.side) else { return nil }
    let areas = frame.poses.map { $0.boundingBoxArea() }
    let largest = areas.indices.max { areas[$0] < areas[$1] }
    overlay.draw(frame.poses, prominent: largest, on: &picture)
    let jpeg = try picture.jpegData(quality: Self.quality)
    made[source.name] = Picture(frameDate: date, madeAt: Date(), jpeg: jpeg)
    return jpeg
  }

  /// Removes the pictures of sources that are not watched any more.
  func keep(_ names: Set<String>) { made = made.filter { names.contains($0.key) } }
}
