import Foundation
import KinemaAction
package import KinemaPose
package import KinemaSynth
import KinemaWatch
import Synchronization

/// Poses of people with what is known of their falls.
package struct FallClip: Sendable {
  package let name: String
  /// The room, by which the operating point is cross-validated; `nil` for synthetic people.
  package let room: String?
  /// When a person is on the floor after a fall, in seconds; `nil` without one.
  package let impact: Double?
  /// Whether at least two seconds of what follows are seen.
  package let showsAftermath: Bool
  private let moments: [SceneMoment]

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
    name: String, room: String?, impact: Double?, showsAftermath: Bool,
    poses: [PoseSequence.Frame], aspectRatio: Float
  ) {
    (self.name, self.room, self.impact) = (name, room, impact)
    self.showsAftermath = showsAftermath
    var postures: [Int: PostureTimeline] = [:]
    moments = poses.map { frame in
      let visible = Set(frame.poses.map { $0.personID ?? 1 })
      for id in postures.keys where !visible.contains(id) {
        postures[id]?.add(nil, at: frame.time, aspectRatio: aspectRatio)
      }
      let persons = frame.poses.map { pose in
        let id = pose.personID ?? 1
        if postures[id] == nil { postures[id] = .builtIn() }
        postures[id]?.add(pose, at: frame.time, aspectRatio: aspectRatio)
        return SceneMoment.Person(id: id, posture: postures[id]?.latest, pose: pose)
      }
      return SceneMoment(time: frame.time, persons: persons, aspectRatio: aspectRatio)
    }
  }

  /// A real clip, with the poses found in it.
  ///
  /// - Parameter aspectRatio: The width of the frames divided by their height.
  package init(_ clip: LabelledClips.Clip, poses: [PoseSequence.Frame], aspectRatio: Float) {
    self.init(
      name: clip.url.deletingPathExtension().lastPathComponent, room: clip.room,
      impact: clip.fall?.time, showsAftermath: clip.fall?.showsAftermath ?? false, poses: poses,
      aspectRatio: aspectRatio)
  }

  /// A synthetic person.
  package init(_ trial: FallTrial, seed: UInt64) {
    self.init(
      name: "\(trial.kind.name) \(seed)", room: nil, impact: trial.impact, showsAftermath: true,
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

  /// All signs that are evaluated, in their order: that does not depend on what is reported.
  func signs() -> [FallSigns] {
    let seen = Mutex<[FallSigns]>([])
    _ = alarms { signs in
      seen.withLock { $0.append(signs) }
      return false
    }
    return seen.withLock { $0 }
  }

  /// Whether a moment is one of a fall; `nil` where that is open.
  private func isFall(_ signs: FallSigns) -> Bool? {
    guard let impact else { return false }
    if signs.now < impact - Self.learnedBefore { return false }
    let isNear = abs(signs.time - impact) < Self.farthest
    return isNear && Self.learned.contains(signs.now - impact) ? true : nil
  }

  /// What a model learns from the clip.
  func examples() -> [BoostedTrees.Example] {
    let known = signs().compactMap { signs in
      isFall(signs).map { (values: signs.values, isFall: $0) }
    }
    let share = Self.fallWeight / Float(max(known.count(where: \.isFall), 1))
    return known.map {
      BoostedTrees.Example(
        values: $0.values, target: $0.isFall ? 1 : 0, weight: $0.isFall ? share : 1)
    }
  }

  /// The median of each sign over the moments of the fall; `nil` without any.
  func fallSigns() -> [Float]? {
    let moments = signs().filter { isFall($0) == true }
    guard !moments.isEmpty else { return nil }
    return FallSigns.Sign.allCases.map { sign in
      moments.map { $0[sign] }.sorted()[moments.count / 2]
    }
  }
}
