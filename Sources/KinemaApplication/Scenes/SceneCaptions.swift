import Foundation
import Kinema
import KinemaReport

struct SceneCaptions {
  /// What stands at the foot: what the prominent person, or hand, does.
  let foot: Caption?
  /// What stands at each pose; empty where only one person is analysed.
  let labels: [String]

  init(foot: Caption?) { (self.foot, labels) = (foot, []) }

  init(_ timeline: SceneTimeline, of frame: PosedFrame, prominent: Pose?, in results: SceneResults)
  {
    self.init(
      of: frame.poses, prominent: prominent, isOfEverybody: results.isOfEverybody,
      isOfHands: results.isOfHands
    ) { timeline.moment(of: $0, at: frame.time) }
  }

  init(_ scene: SceneAnalysis, of poses: [Pose], prominent: Pose?, isOfHands: Bool) {
    self.init(
      of: poses, prominent: prominent, isOfEverybody: scene.scope == .everybody,
      isOfHands: isOfHands
    ) { scene[$0]?.moment }
  }

  private init(
    of poses: [Pose], prominent: Pose?, isOfEverybody: Bool, isOfHands: Bool,
    moment: (Int?) -> SceneTimeline.Moment?
  ) {
    if isOfHands, prominent == nil {
      foot = Caption(text: "No Hand", confidence: nil)
    } else {
      foot = Caption(moment(isOfEverybody ? prominent?.personID ?? 1 : nil))
    }
    labels =
      isOfEverybody
      ? poses.enumerated().map { index, pose in
        let id = pose.personID ?? index + 1
        return "\(id) \(Caption(moment(id)).text)"
      } : []
  }
}

extension Caption {
  /// What the sample app shows for a prediction.
  init(_ prediction: ActionPrediction) {
    self.init(
      text: ActionPrediction.displayName(of: prediction.label),
      confidence: prediction.status == .noPerson ? nil : Float(prediction.confidence))
  }

  /// The action; where repetitions are counted, their number, and below it the tempo and how much
  /// they resemble the classifier's examples.
  init(_ moment: SceneTimeline.Moment?) {
    guard let moment, moment.prediction != nil || moment.count != nil else {
      self.init(text: ActionPrediction.startingUpLabel, confidence: nil)
      return
    }
    let details = [
      moment.tempo.map { "\($0.fixed(0)) a minute" },
      moment.likeness.map { "likeness \($0.percent)" },
    ].compactMap(\.self)
    guard let prediction = moment.prediction else {
      self.init(
        text: "\(moment.count ?? 0)",
        detail: details.isEmpty ? nil : details.joined(separator: " · "))
      return
    }
    guard let count = moment.count else {
      self.init(prediction)
      return
    }
    self.init(
      text: "\(ActionPrediction.displayName(of: prediction.label)) \(count)",
      detail: details.isEmpty ? Caption.observing : details.joined(separator: " · "))
  }
}

extension Annotator {
  /// Writes the annotated copy of a file from its final results, so that each frame shows what the
  /// report says; frames are decoded again and not stored.
  func annotate(
    _ file: URL, kind: FrameSource.Kind, frames: [(frame: PosedFrame, prominent: Pose?)],
    captions: (_ frame: PosedFrame, _ prominent: Pose?) -> SceneCaptions
  ) async throws {
    func append(_ picture: Frame, _ entry: (frame: PosedFrame, prominent: Pose?)) async throws {
      var frame = entry.frame
      frame.picture = picture
      let captions = captions(frame, entry.prominent)
      try await self.append(
        frame, prominent: entry.prominent, caption: captions.foot, labels: captions.labels)
    }
    if kind == .stillImage, let entry = frames.first {
      try await append(Frame(contentsOf: file), entry)
    } else if kind == .video {
      var progress = ProgressBar("drawing", total: frames.count)
      defer { progress.finish() }
      var next = 0
      for try await picture in try await VideoReader.read(contentsOf: file) {
        let start = picture.id.range.lowerBound
        while next < frames.count, frames[next].frame.id.range.lowerBound < start { next += 1 }
        guard next < frames.count else { break }
        guard frames[next].frame.id.range.lowerBound == start else { continue }
        try await append(picture.feature, frames[next])
        progress.update(next)
      }
    }
    try await finish()
  }
}
