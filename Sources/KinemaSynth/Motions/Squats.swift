import Foundation

extension Motion {
  /// The hips go down and back, the trunk leans forward, the feet stay where they are.
  package static let squats = Motion(
    "squats", of: .squats, "hips down and back and up again, feet in place", cycle: 1.2...5,
    weight: 6,
    yaw: 35
  ) { style in
    style.squat(stance: 0.06...0.16, hipHeight: 0.38...0.8)
  }

  static let squatVariants: [Motion] = [
    Motion(
      "jump_squats", of: .squats, "a squat, and out of it into the air", cycle: 1...2.6, weight: 0,
      yaw: 35
    ) { style in
      let squat = style.squat(stance: 0.05...0.13, hipHeight: 0.42...0.72)
      let jump = style.stature(0.04...0.16)
      let flight = squat.rest.changed { posture in
        posture.pelvis.y += jump
        posture.setAnkles { $0.y += jump }
      }
      return Choreography([(squat.postures[1], 1), (flight, 1)])
    },
    Motion(
      "pulse_squats", of: .squats, "up and down a little, low in a squat", cycle: 0.7...1.8,
      weight: 0.5, yaw: 35
    ) { style in
      let squat = style.squat(stance: 0.07...0.16, hipHeight: 0.42...0.65)
      let low = squat.postures[1]
      let high = Posture(
        lanes: low.lanes + (squat.rest.lanes - low.lanes) * style.uniform(0.2...0.45))
      return Choreography([(high, 1), (low, 1)])
    },
    squats,
    Motion(
      "sumo_squats", of: .squats, "squats with the feet wide apart", cycle: 1.4...5, weight: 0.8,
      yaw: 25
    ) { style in
      style.squat(stance: 0.16...0.22, hipHeight: 0.45...0.78)
    },
  ]
}

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
