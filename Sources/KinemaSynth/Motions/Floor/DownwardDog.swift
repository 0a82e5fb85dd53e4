extension Motion {
  /// Hands and feet on the floor, the hips high, now and then down to a plank.
  static let downwardDog = Motion(
    "downward_dog", .other, "hands and feet on the floor, hips high", cycle: 3...9, weight: 0.5,
    yaw: 80, counted: false
  ) { style in
    let place = PlankPlace(&style)
    let dog = place.top.changed { posture in
      posture.pelvis.y = style.hips(style.uniform(0.7...0.85))
      posture.pelvis.z -= style.stature(0.05...0.15)
      posture.setAnkles { $0.z += place.person.stature * 0.18 }
      posture.pitch = style.uniform(2...2.3)
      posture.nod = 0.2
    }
    let other = style.chance(0.4) ? place.top : dog.changed { $0.left.ankle.y += 0.03 }
    return Choreography([(dog, 1), (dog, 1), (other, style.uniform(0.3...1))])
  }
}
