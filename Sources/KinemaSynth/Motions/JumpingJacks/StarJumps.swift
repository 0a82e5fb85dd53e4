extension Motion {
  /// Out of a crouch into the air, arms and legs spread like a star.
  public static let starJumps = Motion(
    "star_jumps", .jumpingJacks, "out of a crouch into the air, arms and legs spread",
    cycle: 1...2.4, weight: 0, yaw: 10
  ) { style in
    var crouched = style.standing(stance: 0.04...0.08).arms(.atChest)
    crouched.pelvis.y = style.hips(style.uniform(0.5...0.75))
    crouched.pelvis.z = -style.stature(0.05...0.1)
    crouched.pitch = style.uniform(0.4...0.8)
    let jump = style.stature(0.06...0.16)
    let spread = style.stature(0.15...0.26)
    var star = style.standing().arms(raise: style.uniform(2...2.7), forward: 0.1, reach: 0.98)
    star.pelvis.y += jump
    star.left.ankle = Vector(spread, style.person.ankleHeight + jump * 1.2, 0)
    star.right.ankle = star.left.ankle.mirrored
    return Choreography([(crouched, 1), (star, 1), (crouched, style.uniform(0.05...0.6))])
  }
}
