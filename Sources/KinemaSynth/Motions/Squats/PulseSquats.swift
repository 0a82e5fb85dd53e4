extension Motion {
  /// Small movements at the bottom of a squat.
  public static let pulseSquats = Motion(
    "pulse_squats", .squats, "up and down a little, low in a squat", cycle: 0.7...1.8, weight: 0.5,
    yaw: 35
  ) { style in
    let squat = style.squat(stance: 0.07...0.16, hipHeight: 0.42...0.65)
    let low = squat.postures[1]
    let high = Posture(
      lanes: low.lanes + (squat.rest.lanes - low.lanes) * style.uniform(0.2...0.45))
    return Choreography([(high, 1), (low, 1)])
  }
}
