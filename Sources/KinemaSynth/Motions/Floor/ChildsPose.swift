extension Motion {
  /// Kneeling with the seat on the heels and the chest on the thighs.
  static let childsPose = Motion(
    "childs_pose", .other, "kneeling, chest on the thighs", cycle: 4...10, weight: 0.3, yaw: 80,
    counted: false
  ) { style in
    let fold = style.onAllFours().changed { posture in
      posture.pelvis.y = style.stature(0.12...0.17)
      posture.pelvis.z = -style.person.shank * 0.85
      posture.pitch = style.uniform(1.5...1.65)
      posture.nod = 0.3
      posture.left.hand.z = style.stature(0.25...0.4)
      posture.right.hand.z = posture.left.hand.z
    }
    let up = style.chance(0.4) ? style.onAllFours() : fold.changed { $0.pelvis.y += 0.02 }
    return Choreography([(fold, style.uniform(1...2)), (fold, 1), (up, 1)])
  }
}
