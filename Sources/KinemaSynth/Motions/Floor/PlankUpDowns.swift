extension Motion {
  /// From the forearms up to the hands and down again.
  static let plankUpDowns = Motion(
    "plank_up_downs", .other, "from forearms to hands and down again", cycle: 1.4...4, weight: 0.3,
    yaw: 80
  ) { style in
    let low = style.forearmPlank()
    let place = PlankPlace(&style)
    let shift = low.pelvis.z - place.top.pelvis.z
    let high = place.top.moved(by: Vector(0, 0, shift))
    return Choreography([(low, 1), (high, style.uniform(0.2...0.6)), (high, 1), (low, 0.3)])
  }
}
