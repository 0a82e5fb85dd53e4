import Foundation
import Kinema

/// Single frames of a video, and still pictures, as JPEG.
enum VideoPictures {
  struct Picture {
    let jpeg: Data
    let size: (width: Int, height: Int)
  }

  /// By how much a frame may be earlier than its time, in seconds.
  private static let tolerance = 1e-3

  /// A still picture.
  ///
  /// - Parameter side: The longest side.
  static func picture(_ url: URL, side: Int, quality: Int) async throws -> Picture {
    try await BlockingThread.run {
      let shown = try Frame(contentsOf: url).scaled(toFit: side)
      return Picture(
        jpeg: try shown.jpegData(quality: quality), size: (shown.width, shown.height))
    }
  }

  /// Of each time the first frame at or after it; `nil` where the video ends before.
  ///
  /// The video is decoded up to the last of them.
  ///
  /// - Parameters:
  ///   - times: In seconds, in any order.
  ///   - side: The longest side; `nil` for the frames as they are.
  static func pictures(
    of video: URL, at times: [Double], side: Int? = nil, quality: Int
  ) async throws -> [Picture?] {
    var pictures = [Picture?](repeating: nil, count: times.count)
    var wanted = times.indices.sorted { times[$0] < times[$1] }[...]
    guard !wanted.isEmpty else { return pictures }
    for try await frame in try await VideoReader.read(contentsOf: video) {
      let time = frame.id.rangeInSeconds.lowerBound
      let due = wanted.prefix { times[$0] <= time + tolerance }
      guard !due.isEmpty else { continue }
      let shown = try side.map { try frame.feature.scaled(toFit: $0) } ?? frame.feature
      let picture = Picture(
        jpeg: try shown.jpegData(quality: quality), size: (shown.width, shown.height))
      for index in due { pictures[index] = picture }
      wanted = wanted.dropFirst(due.count)
      if wanted.isEmpty { break }
    }
    return pictures
  }
}
