import Foundation
import Kinema
import KinemaReport

/// The pictures of an evaluation's page: of each listed mistake the frame in the middle of its window,
/// with the skeleton.
///
/// Videos are decoded again, up to the last of them.
enum EvaluationPictures {
  private static let side = 320

  static func pictures(
    of evaluation: ActionClassifierEvaluation, in data: EvaluationData
  ) async throws -> [SkeletonPicture?] {
    let mistakes = evaluation.mistakes(limit: EvaluationPage.mistakeLimit)
    let frames = mistakes.map { frame(of: $0, in: data) }
    var pictures = frames.map { frame in
      frame.map { SkeletonPicture(jpeg: nil, aspectRatio: 1, limbs: limbs(of: $0)) }
    }
    let files = Dictionary(grouping: mistakes.indices) { mistakes[$0].file }
    for (number, file) in files.keys.sorted().enumerated() {
      StandardStreams.showProgress(
        "pictures  \(number + 1) of \(files.count)", step: "pictures",
        share: Double(number) / Double(files.count))
      guard let url = data.urls[file], FrameSource.kind(of: url) == .video else { continue }
      // The first frame at or after each time.
      var wanted = (files[file] ?? []).compactMap { index in frames[index].map { (index, $0.time) }
      }
      .sorted { $0.1 < $1.1 }[...]
      for try await picture in try await VideoReader.read(contentsOf: url) {
        guard let last = wanted.last else { break }
        let time = picture.id.rangeInSeconds.lowerBound
        let due = wanted.prefix { $0.1 <= time + 1e-3 }
        guard !due.isEmpty else { continue }
        let small = try picture.feature.scaled(toFit: side)
        for (index, _) in due {
          pictures[index]?.jpeg = try small.jpegData()
          pictures[index]?.aspectRatio = Double(small.width) / Double(small.height)
        }
        wanted = wanted.dropFirst(due.count)
        if time >= last.1 { break }
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

  private static func limbs(
    of frame: PoseSequence.Frame
  ) -> [(start: SIMD2<Float>, end: SIMD2<Float>)] {
    guard let pose = frame.poses.first else { return [] }
    let wireframe: Wireframe = pose.chirality == nil ? .body : .hand
    return wireframe.segments(of: pose).map { ($0.start.position, $0.end.position) }
  }
}
