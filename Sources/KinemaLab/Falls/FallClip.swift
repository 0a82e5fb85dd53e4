package import KinemaPose
import KinemaSynth
import KinemaWatch
import Synchronization

/// Poses of people with what is known of their falls.
package struct FallClip: Sendable {
  package let name: String
  /// The room, or the source, whose clips are never both learned from and measured with; `nil` for
  /// synthetic people, who are always learned from.
  package let group: String?
  /// When a person is on the floor after a fall, in seconds; `nil` without one.
  package let impact: Double?
  /// Whether at least two seconds of what follows are seen.
  package let showsAftermath: Bool
  private let moments: [SceneMoment]

  /// What is known of a moment of a clip.
  struct Example {
    let signs: FallSigns
    let isFall: Bool
    var weight: Float
  }

  /// How soon before and after the impact a report counts as found, in seconds.
  static let earliest = 0.5
  static let latest = 6.0
  /// The times after the impact, in seconds, at which a model learns that it was a fall; before the impact
  /// it learns that it is none yet, and of other moments nothing.
  private static let learned = 0.7...3.5
  private static let learnedBefore = 0.3
  /// How far the steepest moment may be from the impact, in seconds.
  private static let farthest = 1.2
  /// The weight of a fall, beside moments without one.
  private static let fallWeight: Float = 20

  package init(
    name: String, group: String?, impact: Double?, showsAftermath: Bool,
    poses: [PoseSequence.Frame], aspectRatio: Float
  ) {
    (self.name, self.group, self.impact) = (name, group, impact)
    self.showsAftermath = showsAftermath
    moments = poses.map { frame in
      SceneMoment(
        time: frame.time,
        persons: frame.poses.map { SceneMoment.Person(id: $0.personID ?? 1, pose: $0) },
        aspectRatio: aspectRatio)
    }
  }

  /// A synthetic person.
  init(_ trial: FallTrial, seed: UInt64) {
    self.init(
      name: "\(trial.kind.name) \(seed)", group: nil, impact: trial.impact, showsAftermath: true,
      poses: trial.poses.frames, aspectRatio: trial.aspectRatio)
  }

  var seconds: Double { moments.last?.time ?? 0 }

  /// When falls are reported, in seconds.
  func alarms(_ isFall: @escaping SceneEvents.FallClassifier) -> [Double] {
    var events = SceneEvents(isFall: isFall)
    return moments.flatMap { moment in
      events.add(moment).filter { $0.kind == .fall }.map { _ in moment.time }
    }
  }

  /// What a model learns from the clip.
  func examples() -> [Example] {
    let seen = Mutex<[FallSigns]>([])
    _ = alarms { signs in
      seen.withLock { $0.append(signs) }
      return false
    }
    var examples = seen.withLock { $0 }.compactMap { signs -> Example? in
      let none = Example(signs: signs, isFall: false, weight: 1)
      guard let impact else { return none }
      if signs.now < impact - Self.learnedBefore { return none }
      guard Self.learned.contains(signs.now - impact), abs(signs.time - impact) < Self.farthest
      else { return nil }
      return Example(signs: signs, isFall: true, weight: 1)
    }
    let count = examples.count(where: \.isFall)
    for index in examples.indices where examples[index].isFall {
      examples[index].weight = Self.fallWeight / Float(count)
    }
    return examples
  }
}
