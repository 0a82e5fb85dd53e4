package import Foundation
import KinemaFiles
package import KinemaPose

/// The poses of a person over the last moments: what signs of a posture are computed from.
package struct PostureCourse: Sendable {
  typealias Place = SIMD2<Float>

  private struct Frame {
    let time: TimeInterval
    /// x in heights of the frame, y, and confidence of ``BodyJoint``, 0 where it is not in the frame; empty
    /// without a person.
    let joints: [SIMD3<Float>]
  }

  /// A leg behind the other one is found rightly with a confidence of 0.1, and steps are seen by both.
  private static let leastConfidence: Float = 0.03
  private static let frame: ClosedRange<Float> = -0.02...1.02
  /// From which confidence on a joint is hidden by nothing.
  private static let clear: Float = 0.5

  /// How far back signs reach, in seconds: more than a stride of walking, which takes 1.1 s.
  package static let span = 1.5
  /// How long poses are kept, in seconds.
  package static let memory = max(span, StepRate.span)
  /// Poses are averaged over so many seconds, against noise and for any frame rate.
  static let step = 1.0 / 12
  private static let binCount = 18
  /// The last half second shows the posture itself.
  private static let recentBinCount = 6

  private var frames: [Frame] = []

  package init() {}

  /// Takes the next frame; `pose` is `nil` where the person is not visible.
  package mutating func add(_ pose: Pose?, at time: TimeInterval, aspectRatio: Float) {
    frames.removeAll { $0.time <= time - Self.memory }
    let joints = pose.map { pose in
      BodyJoint.allCases.map { joint -> SIMD3<Float> in
        guard let point = pose.keypoints[joint.key], Self.frame.contains(point.position.x),
          Self.frame.contains(point.position.y), point.confidence >= Self.leastConfidence
        else { return SIMD3() }
        return SIMD3(point.position.x * aspectRatio, point.position.y, point.confidence)
      }
    }
    frames.append(Frame(time: time, joints: joints ?? []))
  }

  /// The signs at the newest frame; `nil` while the person is not visible.
  package func signs() -> PostureSigns? {
    guard let now = frames.last?.time else { return nil }
    let shown = frames.filter { $0.time > now - Self.span }
    guard let first = shown.first?.time else { return nil }
    let bins = bins(until: now)
    let recent = bins.suffix(Self.recentBinCount).filter { !$0.isEmpty }
    guard !recent.isEmpty else { return nil }
    let body = BodyJoint.allCases.map { joint in Self.median(recent.map { $0[joint] }) }
    let statures = bins.compactMap(PostureShape.stature).sorted()
    // Perspective makes some too long, limbs that point at the camera make others too short.
    guard let stature = statures.dropFirst(statures.count * 4 / 5).first, stature > 0 else {
      return nil
    }
    var signs = PostureSigns()
    PostureShape(body.map { $0.map { Place($0.x, $0.y) } }, stature: stature).add(to: &signs)
    func seen(_ joints: BodyJoint...) -> Float {
      let confidence = joints.map { body[$0]?.z ?? 0 }.max() ?? 0
      return confidence >= Self.clear ? 1 : confidence > 0 ? 0.5 : 0
    }
    signs[.seenHead] = seen(.nose, .leftEar, .rightEar)
    signs[.seenShoulders] = seen(.leftShoulder, .rightShoulder)
    signs[.seenElbows] = seen(.leftElbow, .rightElbow)
    signs[.seenWrists] = seen(.leftWrist, .rightWrist)
    signs[.seenHips] = seen(.leftHip, .rightHip)
    signs[.seenKnees] = seen(.leftKnee, .rightKnee)
    signs[.seenAnkles] = seen(.leftAnkle, .rightAnkle)
    signs[.history] = Float(now - first)
    let empty = shown.count(where: \.joints.isEmpty)
    signs[.gaps] = Float(empty) / Float(shown.count)
    PostureMotion(bins, stature: stature).add(to: &signs)
    let bodies = frames.filter { !$0.joints.isEmpty }
    let steps = StepRate(times: bodies.map(\.time), bodies: bodies.map(\.joints))
    signs.stepRate = steps.stepsPerSecond
    return signs
  }

  /// The mean poses of equal parts of the span, oldest first; a joint that is seen in none is `nil`, a part
  /// without a pose empty.
  private func bins(until now: TimeInterval) -> [[SIMD3<Float>?]] {
    var sums = [[SIMD3<Float>]](repeating: [], count: Self.binCount)
    var counts = [[Float]](repeating: [], count: Self.binCount)
    for frame in frames where !frame.joints.isEmpty {
      let age = Int(saturating: (now - frame.time) / Self.step)
      guard (0..<Self.binCount).contains(age) else { continue }
      let bin = Self.binCount - 1 - age
      if sums[bin].isEmpty {
        sums[bin] = [SIMD3<Float>](repeating: SIMD3(), count: BodyJoint.count)
        counts[bin] = [Float](repeating: 0, count: BodyJoint.count)
      }
      for (joint, place) in frame.joints.enumerated() where place.z > 0 {
        sums[bin][joint] += place
        counts[bin][joint] += 1
      }
    }
    return zip(sums, counts).map { sums, counts in
      zip(sums, counts).map { $1 > 0 ? $0 / $1 : nil }
    }
  }

  /// The middle value of each coordinate; `nil` where less than half are known.
  private static func median(_ places: [SIMD3<Float>?]) -> SIMD3<Float>? {
    let known = places.compactMap(\.self)
    guard 2 * known.count >= places.count, !known.isEmpty else { return nil }
    func middle(_ axis: Int) -> Float { known.map { $0[axis] }.sorted()[known.count / 2] }
    return SIMD3(middle(0), middle(1), middle(2))
  }
}
