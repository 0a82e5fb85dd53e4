import Foundation

extension Style {
  /// Down and up with the feet in place: upright, low, low, upright.
  ///
  /// - Parameters:
  ///   - stance: From the middle to each ankle, as a share of stature.
  ///   - hipHeight: How high the hips are at the bottom, as a share of the legs' length.
  mutating func squat(
    stance: ClosedRange<Float>, hipHeight: ClosedRange<Float>
  ) -> Choreography {
    let hold = armHold()
    var upright = standing(stance: stance).arms(hold)
    let height = uniform(hipHeight)
    let back = stature(0.03...0.3) * 2 * (1 - height)
    var low = upright
    low.pelvis.y = hips(height)
    low.pelvis.z = -back
    // The shoulders stay about above the feet.
    let lean = asin(min(0.95, (back + stature(0...0.08)) / (0.9 * person.trunk)))
    low.pitch = lean + uniform(-0.1...0.2)
    low.nod = -low.pitch * uniform(0...0.7)
    if hold == .hanging {
      // The arms rise in front, the hands meet, or neither.
      let raised = pick([ArmHold.inFront, ArmHold(raise: 1.1, forward: 1.57, reach: 0.5), hold])
      if raised != hold {
        low = low.arms(raised)
        low = low.arms(raise: raised.raise + uniform(-0.2...0.2))
      }
      upright = upright.arms(forward: uniform(0.2...1.5))
    }
    return Choreography([
      (upright, 1), (low, uniform(0.02...0.5)), (low, 1), (upright, uniform(0.02...0.6)),
    ])
  }
}
