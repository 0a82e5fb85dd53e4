extension Motion {
  /// Jumping jacks whose arms open to the sides and clap in front.
  public static let sealJacks = Motion(
    "seal_jacks", .jumpingJacks, "jumping jacks with arms that clap in front", cycle: 0.7...1.7,
    weight: 0, yaw: 10
  ) { style in
    let raise = style.uniform(1.4...1.7)
    let closed = style.standing(stance: 0.02...0.07).arms(
      raise: raise, forward: style.uniform(1.5...1.75), reach: 0.95)
    let open = style.opening(
      closed, stance: style.stature(0.12...0.26), raise: raise, hop: style.stature(0.01...0.05),
      give: style.stature(0...0.03))
    let aside = style.uniform(-0.1...0.2)
    return Choreography(
      open.enumerated().map { index, key in
        (key.0.arms(forward: index == 0 ? nil : index == 2 || index == 3 ? aside : 0.8), key.1)
      })
  }
}
