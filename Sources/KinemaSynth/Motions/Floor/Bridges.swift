import Foundation

extension Motion {
  /// On the back with bent knees, the hips go up and down.
  static let bridges = Motion(
    "bridges", .other, "on the back, the hips go up", cycle: 1.4...5, weight: 1, yaw: 80
  ) { style in
    let low = style.supine(bend: 0.4...0.6)
    let rise = style.stature(0.08...0.2)
    let high = low.changed { posture in
      posture.pelvis.y += rise
      posture.pitch = -1.5 - asin(min(0.9, rise / style.person.trunk))
      posture.pelvis.z += rise * 0.15
    }
    return Choreography([(low, 1), (high, style.uniform(0.05...0.6)), (high, 1), (low, 0.3)])
  }
}
