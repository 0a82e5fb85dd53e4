import Foundation
package import KinemaPose

/// A stick figure that moves as described.
package struct Mover {
  package enum Move {
    /// Arms up and legs apart.
    case jacks
    /// Down and up, seen from the front.
    case squats
    /// A knee and the other arm up, right and left by turns; a cycle has both.
    case marching
    /// Lying over the hands, down and up, seen from the side.
    case pushUps
    /// Stands still.
    case standing
  }

  /// The noise of its joints, in frame heights.
  package var noise: Float = 0.001
  private var state: UInt64 = 12345

  package init(noise: Float = 0.001) { self.noise = noise }

  /// A pose.
  ///
  /// - Parameter phase: How many cycles are done.
  package mutating func pose(_ move: Move, phase: Double, depth: Float = 1) -> Pose {
    let lift = Float(0.5 - 0.5 * cos(2 * .pi * phase)) * depth
    var points: [JointKey: SIMD2<Float>] = [
      .nose: [0.5, 0.85], .neck: [0.5, 0.75], .rightEye: [0.49, 0.87], .leftEye: [0.51, 0.87],
      .rightEar: [0.47, 0.86], .leftEar: [0.53, 0.86],
    ]
    for (side, keys) in [
      (
        Float(-1),
        (
          JointKey.rightShoulder, JointKey.rightElbow, JointKey.rightWrist, JointKey.rightHip,
          JointKey.rightKnee, JointKey.rightAnkle
        )
      ),
      (
        Float(1),
        (.leftShoulder, .leftElbow, .leftWrist, .leftHip, .leftKnee, .leftAnkle)
      ),
    ] {
      var (arm, spread, raise): (Float, Float, Float) = (0.2, 0.03, 0)
      switch move {
      case .jacks: (arm, spread) = (0.2 + 2.5 * lift, 0.03 + 0.12 * lift)
      case .marching:
        let own = Float(max(0, sin(2 * .pi * phase) * Double(side))) * depth
        let other = Float(max(0, -sin(2 * .pi * phase) * Double(side))) * depth
        (arm, raise) = (0.2 + 1.2 * other, 0.18 * own)
      case .squats, .pushUps, .standing: break
      }
      let shoulder: SIMD2<Float> = [0.5 + 0.09 * side, 0.75]
      let direction: SIMD2<Float> = [sinf(arm) * side, -cosf(arm)]
      let hip: SIMD2<Float> = [0.5 + 0.06 * side, 0.5]
      points[keys.0] = shoulder
      points[keys.1] = shoulder + 0.13 * direction
      points[keys.2] = shoulder + 0.25 * direction
      points[keys.3] = hip
      points[keys.4] = hip + [spread * 0.5 * side, -0.2 + raise]
      points[keys.5] = hip + [spread * side, -0.4 + raise]
    }
    if move == .pushUps { points = Self.lying(lift: lift) }
    if move == .squats {
      for key in points.keys where key != .rightAnkle && key != .leftAnkle {
        let share: Float = key == .rightKnee || key == .leftKnee ? 0.3 : 1
        points[key]?.y -= 0.2 * lift * share
      }
    }
    var keypoints: [JointKey: JointPoint] = [:]
    for key in JointKey.body {
      let place = (points[key] ?? .zero) + [tremble(), tremble()]
      keypoints[key] = JointPoint(key, position: place, confidence: 0.9)
    }
    return Pose(from: keypoints, personID: 1)
  }

  /// Over straight or bent arms, the feet on the floor.
  private static func lying(lift: Float) -> [JointKey: SIMD2<Float>] {
    let shoulder: SIMD2<Float> = [0.3, 0.4 - 0.12 * lift]
    let (ankle, hand): (SIMD2<Float>, SIMD2<Float>) = ([0.8, 0.2], [0.3, 0.15])
    let hip = shoulder + 0.45 * (ankle - shoulder)
    let knee = shoulder + 0.72 * (ankle - shoulder)
    // Both bones of the arm are 0.13 long.
    let reach = (shoulder.y - hand.y) / 2
    let elbow: SIMD2<Float> = [
      0.3 + max(0, 0.13 * 0.13 - reach * reach).squareRoot(), hand.y + reach,
    ]
    let head = shoulder + [-0.1, 0.02]
    return [
      .nose: head, .neck: shoulder, .rightEye: head, .leftEye: head, .rightEar: head,
      .leftEar: head, .rightShoulder: shoulder, .leftShoulder: shoulder, .rightElbow: elbow,
      .leftElbow: elbow, .rightWrist: hand, .leftWrist: hand, .rightHip: hip, .leftHip: hip,
      .rightKnee: knee, .leftKnee: knee, .rightAnkle: ankle, .leftAnkle: ankle,
    ]
  }

  /// A sequence of stretches, each some seconds of a move at a tempo.
  ///
  /// - Parameter stretches: The move, how long one cycle takes and how many there are; standing takes
  ///   its number as seconds.
  package mutating func sequence(
    _ stretches: [(move: Move, period: Double, cycles: Double)], frameRate: Double = 30
  ) -> PoseSequence {
    var sequence = PoseSequence()
    var (index, start) = (0, 0.0)
    for (move, period, cycles) in stretches {
      let end = start + period * cycles
      while Double(index) / frameRate < end {
        let time = Double(index) / frameRate
        sequence.frames.append(
          .init(time: time, poses: [pose(move, phase: (time - start) / period)]))
        index += 1
      }
      start = end
    }
    return sequence
  }

  /// Uniform noise from a linear congruential generator.
  private mutating func tremble() -> Float {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return noise * (Float(state >> 40) / Float(1 << 23) - 1)
  }
}
