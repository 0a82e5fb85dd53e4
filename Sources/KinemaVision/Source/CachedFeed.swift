import Foundation
import KinemaStreams
import KinemaVideo

/// The frames of a video with cached poses; images are decoded on request.
final class CachedFeed: FrameSource.Feed, @unchecked Sendable {
  private let video: PosedVideo
  private let path: String
  // Touched by the one task that reads.
  private var index = 0
  private var firstPose = 0
  private var pictures: AsyncFrames.Iterator?

  init(_ video: PosedVideo, of url: URL, options: FrameSource.Options) async throws {
    self.video = video
    path = url.absoluteURL.path
    if options.wantsPictures {
      pictures = try await VideoReader.read(contentsOf: url).makeAsyncIterator()
    }
  }

  var estimatedFrameCount: Int? { video.count }
  var processedCount: Int { index }
  var cameraSpeed: Double? { video.cameraSpeed }
  var warnings: [String] { video.warnings }

  func next() async throws -> PosedFrame? {
    guard index < video.count else { return nil }
    var frame = video.frame(index, firstPose: &firstPose, of: path)
    index += 1
    if pictures != nil { frame.picture = try await picture(of: frame.id) }
    return frame
  }

  /// The image of a frame; earlier ones are dropped.
  private func picture(of id: TemporalSegmentIdentifier) async throws -> Frame? {
    while let picture = try await pictures?.next() {
      if picture.id.range.lowerBound >= id.range.lowerBound { return picture.feature }
    }
    return nil
  }

  func stop() {}

  func cancel() {}
}
