extension Motion {
  /// On hands and knees, an arm and the other side's leg are stretched.
  static let birdDogs = Motion(
    "bird_dogs", .other, "on all fours, an arm and the other leg stretched", cycle: 1.5...5,
    weight: 0.6, yaw: 80
  ) { style in
    let rest = style.onAllFours()
    let person = style.person
    let stretched = rest.changed { posture in
      posture.left.hand = posture.left.hand + Vector(0, person.arm * 0.95, person.arm * 0.85)
      posture.right.ankle = Vector(
        posture.right.ankle.x, posture.pelvis.y, -person.leg * 0.95)
    }
    return Choreography(
      [(rest, 1), (stretched, style.uniform(0.1...0.8)), (stretched, 1), (rest, 0.2)],
      alternates: true)
  }
}
