import Foundation
import KinemaStreams
import KinemaTestSupport
import KinemaVideo

/// The pictures of a clip in ../shared, as a browser would send them.
struct ClipPictures: Sendable {
  struct Picture: Sendable {
    var time: TimeInterval
    var jpeg: Data
  }

  var pictures: [Picture] = []

  /// The first pictures of a clip, at their own times.
  init(_ name: String, count: Int = .max) async throws {
    for try await frame in try await VideoReader.read(
      contentsOf: SharedData.url("clips/\(name)"))
    {
      guard pictures.count < count else { break }
      pictures.append(
        Picture(
          time: frame.id.rangeInSeconds.lowerBound, jpeg: try frame.feature.jpegData(quality: 90)))
    }
  }

  /// Black pictures, at a steady rate.
  init(blackFor duration: TimeInterval, frameRate: Double = 30, width: Int = 160, height: Int = 90)
    throws
  {
    let jpeg = try Frame(width: width, height: height).jpegData(quality: 80)
    pictures = (0..<Int(duration * frameRate)).map {
      Picture(time: Double($0) / frameRate, jpeg: jpeg)
    }
  }

  static let jacks = Task { try await ClipPictures("joewu_jacks.mp4") }
  static let pair = Task { try await ClipPictures("pyskl_ntu_pair.avi", count: 40) }
}
