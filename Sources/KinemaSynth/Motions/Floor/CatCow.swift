extension Motion {
  /// On hands and knees, the back and the head go up and down.
  static let catCow = Motion(
    "cat_cow", .other, "on all fours, back and head up and down", cycle: 2...7, weight: 0.5, yaw: 80
  ) { style in
    let rest = style.onAllFours()
    let up = rest.changed { posture in
      posture.nod = style.uniform(-0.9...(-0.3))
      posture.pelvis.z -= style.stature(0...0.04)
    }
    let down = rest.changed { posture in
      posture.nod = style.uniform(0.3...0.9)
      posture.pelvis.z -= style.stature(0...0.1)
      posture.pelvis.y -= style.stature(0...0.02)
    }
    return Choreography([(up, 1), (down, 1)])
  }
}
