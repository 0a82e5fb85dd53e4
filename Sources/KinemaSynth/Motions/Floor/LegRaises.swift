import Foundation

extension Motion {
  /// On the back, straight legs go up and down.
  static let legRaises = Motion(
    "leg_raises", .other, "on the back, straight legs up and down", cycle: 1.4...5, weight: 1,
    yaw: 80
  ) { style in
    let leg = style.person.leg * 0.985
    let low = style.supine(bend: 0.97...0.98)
    let angle = style.uniform(0.8...1.55)
    let high = low.changed { posture in
      posture.setAnkles { ankle in
        ankle.y = low.pelvis.y + leg * sin(angle)
        ankle.z = leg * cos(angle)
      }
    }
    let half = low.changed { posture in
      posture.setAnkles { ankle in
        ankle.y = low.pelvis.y + leg * sin(angle / 2)
        ankle.z = leg * cos(angle / 2)
      }
    }
    return Choreography([
      (low, 1), (half, 1), (high, style.uniform(0.1...0.5)), (high, 1), (half, 1),
    ])
  }
}
