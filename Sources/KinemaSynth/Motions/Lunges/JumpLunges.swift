extension Motion {
  /// From one lunge to the other in a jump.
  public static let jumpLunges = Motion(
    "jump_lunges", .lunges, "from one lunge to the other in a jump", cycle: 0.7...1.8, weight: 0,
    yaw: 60
  ) { style in
    let rest = style.lungeRest()
    let step = style.stature(0.3...0.5)
    let low = style.lunge(rest, front: step / 2, rear: -step / 2)
    let jump = style.stature(0.03...0.1)
    let flight = rest.changed { posture in
      posture.pelvis.y += jump
      posture.setAnkles { $0.y += jump * 1.2 }
    }
    return Choreography([(low, 1), (flight, 1)], alternates: true)
  }
}
