import Foundation
import KinemaAction
import KinemaPose

/// Recognises that a person falls, and for how long they have been lying, from their poses over time.
struct FallDetector: Sendable {
  /// Times are in seconds.
  struct Rules: Hashable, Sendable {
    /// How often the course is evaluated, and how many evaluations in a row are a fall.
    var interval = 0.2
    var evaluationCount = 2
    /// How long after a fall no other is reported: it is the same one.
    var quietTime = 6.0
    /// A person lies whose trunk is this level, in degrees, and whose body is no higher than this share
    /// of their stature.
    var lyingTilt = 55.0
    var lyingExtent: Float = 0.5
    /// How long a person may be out of view, or up, before they are no longer lying.
    var lyingGap = 1.0
    /// After how long without a frame nothing before it counts.
    var outage = 5.0
  }

  let rules: Rules
  private let isFall: SceneEvents.FallClassifier
  private var course = FallCourse()
  private var lastEvaluation = -TimeInterval.infinity
  /// The evaluations in a row that are a fall.
  private var count = 0
  private var lastFall = -TimeInterval.infinity
  /// Since when the person is lying, and when they were last.
  private var lying: (since: TimeInterval, until: TimeInterval)?

  init(rules: Rules = Rules(), isFall: @escaping SceneEvents.FallClassifier) {
    (self.rules, self.isFall) = (rules, isFall)
  }

  /// How long the person has been lying, in seconds; `nil` while they are not.
  func lyingTime(at time: TimeInterval) -> TimeInterval? { lying.map { time - $0.since } }

  /// Processes the next frame; `pose` is `nil` where the person is not visible.
  ///
  /// - Parameter posture: The person's posture, where it is known: who holds a plank does not lie.
  /// - Returns: The signs of a fall, once it is certain.
  mutating func add(
    _ pose: Pose?, posture: HumanBodyPosture? = nil, at time: TimeInterval, aspectRatio: Float
  ) -> FallSigns? {
    let body = pose.flatMap { BodyReading($0, aspectRatio: aspectRatio) }
    if let body { course.add(body, posture, at: time) }
    updateLying(body, posture?.kind, at: time)
    return fall(at: time)
  }

  /// Takes over the course of a person who was lost and is found as this one.
  ///
  /// - Returns: Whether the other's course leads to this pose.
  mutating func takeCourse(
    of other: inout FallDetector, to pose: Pose, at time: TimeInterval, aspectRatio: Float
  ) -> Bool {
    guard let body = BodyReading(pose, aspectRatio: aspectRatio),
      other.course.mayContinue(in: body, at: time)
    else { return false }
    (course, lastFall) = (other.course, other.lastFall)
    other.course = FallCourse()
    return true
  }

  private mutating func fall(at time: TimeInterval) -> FallSigns? {
    // Times of frames are not exact.
    guard time - lastEvaluation >= rules.interval - 1e-3 else { return nil }
    lastEvaluation = time
    guard let signs = course.signs(at: time), isFall(signs) else {
      count = 0
      return nil
    }
    count += 1
    guard count >= rules.evaluationCount, time - lastFall > rules.quietTime else { return nil }
    lastFall = time
    return signs
  }

  private mutating func updateLying(
    _ body: BodyReading?, _ posture: HumanBodyPosture.Kind?, at time: TimeInterval
  ) {
    let gap = lying.map { time - $0.until } ?? 0
    if isLying(body, posture) {
      lying = (gap > rules.outage ? time : lying?.since ?? time, time)
    } else if gap > rules.lyingGap {
      lying = nil
    }
  }

  private func isLying(_ body: BodyReading?, _ posture: HumanBodyPosture.Kind?) -> Bool {
    guard let body, let stature = course.stature, posture?.isLying != false else { return false }
    return body.tiltDegrees >= rules.lyingTilt && body.extent.y <= rules.lyingExtent * stature
  }
}
