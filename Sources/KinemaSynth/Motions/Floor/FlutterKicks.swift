extension Motion {
  /// On the back, straight legs go up and down in turn, low over the floor.
  static let flutterKicks = Motion(
    "flutter_kicks", .other, "on the back, small kicks in turn", cycle: 0.3...0.9, weight: 0.4,
    yaw: 80
  ) { style in
    let size = style.stature(0.08...0.2)
    let kick = style.supine(bend: 0.95...0.97).changed { posture in
      posture.left.ankle.y += size
      posture.right.ankle.y += 0.03
      posture.pitch = style.uniform(-1.5...(-1.1))
    }
    return Choreography([(kick, 1)], alternates: true)
  }
}
