import Foundation
import KinemaAction
import KinemaFiles
import KinemaPose

/// The poses of a video's or picture's prominent person, or hand, chosen frame by frame as in `kinema classify`.
struct ProminentPerson {
  /// In each frame at most one pose.
  private(set) var poses: PoseSequence
  /// The frames in which another person is about as large.
  private(set) var isAmongSeveral: [Bool] = []
  /// The length of the video in seconds.
  var duration: TimeInterval = 0
  private var scene = SceneAnalysis(PersonAnalysis.Plan(), scope: .prominent)

  /// The share of the prominent person's area at which another one is about as large.
  private static let likeSize: Float = 0.5
  /// How far, in seconds, an annotation may reach beyond the end of a video without a word: times
  /// are often rounded.
  private static let tolerance = 0.5

  /// - Parameter joints: Those of a body, or of a hand: the larger one of two is then the prominent one.
  init(joints: [JointKey] = JointKey.body) { poses = PoseSequence(joints: joints) }

  mutating func add(_ everybody: [Pose], at time: TimeInterval) throws {
    let chosen = try scene.add(everybody, at: time).prominent
    poses.frames.append(PoseSequence.Frame(time: time, poses: chosen.map { [$0] } ?? []))
    let area = (chosen?.boundingBoxArea() ?? 0) * Self.likeSize
    isAmongSeveral.append(
      everybody.contains { pose in
        pose.personID != chosen?.personID && area > 0 && pose.boundingBoxArea() >= area
      })
  }

  func example(
    for annotation: ActionAnnotation, videoID: String
  ) -> (example: ActionExample?, findings: [DataFinding]) {
    var findings: [DataFinding] = []
    func note(
      _ severity: DataFinding.Severity, _ kind: DataFinding.Kind, _ text: MessageText
    ) {
      let text = text.adding(["place": annotation.subject])
      findings.append(DataFinding(severity, kind, file: annotation.file, text))
    }
    let start = annotation.start.map(time) ?? 0
    var end = annotation.end.map(time) ?? duration
    if start >= duration, duration > 0 {
      note(
        .error, .pastEnd,
        MessageText(
          "startsAfterVideo",
          ["start": DataText.decimal(start), "length": DataText.decimal(duration)]))
      return (nil, findings)
    }
    if end > duration + Self.tolerance {
      note(
        .warning, .pastEnd,
        MessageText(
          "endsAfterVideo", ["end": DataText.decimal(end), "length": DataText.decimal(duration)]))
    }
    end = min(end, duration)
    let frames = poses.frames.indices.filter {
      (start..<max(start, end)).contains(poses.frames[$0].time)
    }
    guard let first = frames.first, let last = frames.last else {
      note(.warning, .shortClip, MessageText("noFrame"))
      return (nil, findings)
    }
    let several = frames.count { isAmongSeveral[$0] }
    if several * 5 > frames.count {
      note(
        .warning, .severalPeople,
        MessageText("severalPeople", ["share": DataText.percent(several, of: frames.count)]))
    }
    return (
      ActionExample(
        label: annotation.label, file: annotation.file, videoID: videoID,
        person: annotation.person, timeRange: start..<end,
        poses: PoseSequence(frames: Array(poses.frames[first...last]), joints: poses.joints)),
      findings
    )
  }

  /// A moment in seconds; frames beyond the last follow at the rate of the video.
  private func time(of moment: ActionAnnotation.Moment) -> TimeInterval {
    switch moment {
    case .seconds(let seconds): return seconds
    case .frame(let number):
      let frames = poses.frames
      if frames.indices.contains(number) { return frames[number].time }
      let interval = frames.isEmpty ? 0 : duration / Double(frames.count)
      return duration + Double(number - frames.count) * interval
    }
  }
}

/// Figures in messages about data.
enum DataText {
  /// A number with one decimal.
  static func decimal(_ value: Double) -> String {
    guard let tenths = Int(rounding: value * 10) else { return "\(value)" }
    return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }

  /// A share in whole per cent.
  static func percent(_ part: Int, of whole: Int) -> String {
    "\(whole == 0 ? 0 : (part * 100 + whole / 2) / whole) %"
  }
}
