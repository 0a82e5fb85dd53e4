import Foundation

extension Style {
  /// Step after step, getting ahead or, as on a treadmill or before a camera that follows, not.
  ///
  /// - Parameters:
  ///   - step: From the middle to each foot when both are on the floor, as a share of stature.
  ///   - lift: How high the foot in the air gets, as a share of stature.
  ///   - swing: How far the arms swing, in radians.
  ///   - hop: How high both feet get, as a share of stature.
  ///   - bend: How far the arms are stretched; 1 is straight.
  mutating func gait(
    step: ClosedRange<Float>, lift: ClosedRange<Float>, swing: ClosedRange<Float>,
    hop: ClosedRange<Float> = 0...0, bend: Float? = nil
  ) -> Choreography {
    let half = stature(step)
    let reach = bend ?? (chance(0.15) ? 0.65 : uniform(0.9...0.98))
    let (swing, lean) = (uniform(swing), uniform(0...0.15))
    let base = standing(stance: 0.015...0.045)
    let touching = base.changed { posture in
      let share = min(0.9, half / person.leg)
      posture.pelvis.y = hips((1 - share * share).squareRoot() * 0.99)
      posture.left.ankle.z = half
      posture.right.ankle.z = -half
      posture.right.ankle.y += 0.02 * person.stature
      posture.pitch = lean
      posture.twist = swing * 0.2
    }
    .leftArm(raise: swing, forward: -.pi / 2, reach: reach)
    .rightArm(raise: swing, forward: .pi / 2, reach: reach)
    let high = stature(hop)
    let passing = base.changed { posture in
      posture.right.ankle.z = stature(-0.15...0.08)
      posture.right.ankle.y += stature(lift)
      posture.pitch = lean
    }
    .moved(by: Vector(0, high, 0)).arms(raise: 0.1, forward: .pi / 2, reach: reach)
    let advance = chance(0.6) ? 2 * half * uniform(0.5...1.1) : 0
    return Choreography([(touching, 1), (passing, 1)], alternates: true, advance: advance)
  }
}
