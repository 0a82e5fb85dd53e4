import Foundation
import Kinema
import KinemaReport

/// The pictures of an evaluation's page: of each listed mistake the frame in the middle of its window,
/// with the skeleton.
///
/// Videos are decoded again, up to the last of them.
enum EvaluationPictures {
  private static let side = 320
  private static let quality = 80

  static func pictures(
    of evaluation: ActionClassifierEvaluation, in data: EvaluationData
  ) async throws -> [SkeletonPicture?] {
    let mistakes = evaluation.mistakes(limit: EvaluationPage.mistakeLimit)
    let frames = mistakes.map { frame(of: $0, in: data) }
    var pictures = frames.map { frame in
      frame.map { SkeletonPicture(aspectRatio: 1, pose: $0.poses.first) }
    }
    let files = Dictionary(grouping: mistakes.indices) { mistakes[$0].file }
    for (number, file) in files.keys.sorted().enumerated() {
      StandardStreams.showProgress(
        "pictures  \(number + 1) of \(files.count)", step: "pictures",
        share: Double(number) / Double(files.count))
      guard let url = data.urls[file] else { continue }
      let kind = FrameSource.kind(of: url)
      guard [.video, .stillImage].contains(kind) else { continue }
      let wanted = (files[file] ?? []).compactMap { index in
        frames[index].map { (index, $0.time) }
      }
      let found =
        kind == .video
        ? try await VideoPictures.pictures(
          of: url, at: wanted.map(\.1), side: side, quality: quality)
        : [try await VideoPictures.picture(url, side: side, quality: quality)]
      for (index, picture) in zip(wanted.map(\.0), found) {
        guard let picture else { continue }
        pictures[index]?.jpeg = picture.jpeg
        pictures[index]?.aspectRatio = Double(picture.size.width) / Double(picture.size.height)
      }
    }
    StandardStreams.finishProgress()
    return pictures
  }

  /// The frame of the pose file or video in the middle of a mistake's window.
  private static func frame(
    of mistake: ActionClassifierEvaluation.Mistake, in data: EvaluationData
  ) -> PoseSequence.Frame? {
    let middle = (mistake.timeRange.lowerBound + mistake.timeRange.upperBound) / 2
    return data.examples.lazy
      .filter { $0.file == mistake.file && $0.label == mistake.label }
      .flatMap(\.poses.frames).min { abs($0.time - middle) < abs($1.time - middle) }
  }
}
