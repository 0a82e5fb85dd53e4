import KinemaSynth

/// The paths of the people in a ``SyntheticCrossing``.
struct CrossingScript {
  /// From lane to lane, in metres.
  private static let laneDistance: Float = 0.65
  /// How long a turn takes, in seconds.
  private static let turnDuration = 0.4
  /// The motions of people who stay in place.
  private static let stays = [
    "standing", "squats", "jumping_jacks", "arm_raises", "biceps_curls", "marching", "waving",
    "talking", "side_bends", "torso_twists", "reverse_lunges", "overhead_presses",
  ].compactMap(Motion.named)

  private enum Role: CaseIterable {
    /// Walks to and fro.
    case walks
    case stays
    /// Does something, walks elsewhere, does something else.
    case moves
  }

  private let personCount: Int
  private let duration: Double
  private var generator: SeededGenerator
  private var figures: [SyntheticScene.Figure] = []

  init(personCount: Int, duration: Double, seed: UInt64) {
    self.personCount = personCount
    self.duration = duration
    generator = SeededGenerator(seed: seed)
    // At least one person walks.
    var roles: [Role] = [.walks, generator.chance(0.5) ? .walks : .moves]
    while roles.count < personCount { roles.append(generator.pick(Role.allCases)) }
    if personCount == 2, generator.chance(0.5) { roles[1] = .stays }
    let lanes = generator.shuffled(roles.indices.map { Float($0) - Float(personCount - 1) / 2 })
    let slots = generator.shuffled(
      roles.indices.map { Float($0) / Float(personCount - 1) * 2 - 1 })
    for (index, role) in roles.enumerated() {
      let lane = lanes[index] * Self.laneDistance + generator.uniform(-0.08...0.08)
      figures.append(figure(role, lane: lane, slot: slots[index] * halfWidth))
    }
  }

  func scene(_ kind: SyntheticCrossing.Kind, aspectRatio: Float) -> SyntheticScene {
    var generator = generator
    let margin: Float = kind == .movingCamera ? 0.1 : 0.03
    var scene = SyntheticScene(
      framing: figures, yawDegrees: generator.uniform(-10...10),
      pitchDegrees: generator.uniform(2...9), aspectRatio: aspectRatio, margin: margin)
    switch kind {
    case .sameClothes:
      for index in scene.figures.indices {
        scene.figures[index].appearance.dress(like: scene.figures[0].appearance)
      }
    case .movingCamera:
      scene.sway = CameraSway(using: &generator)
    case .occluders:
      scene.furniture = furniture(using: &generator)
    case .crossings, .groups, .returns: break
    }
    return scene
  }

  /// Pillars between the lanes and in front of them, and a counter in front.
  private func furniture(using generator: inout SeededGenerator) -> [Solid] {
    let front = (Float(personCount - 1) / 2 + 0.7) * Self.laneDistance
    var solids: [Solid] = []
    func grey() -> SIMD3<Float> {
      SIMD3(repeating: generator.uniform(0.25...0.9))
        * SIMD3(
          generator.uniform(0.85...1), generator.uniform(0.85...1), generator.uniform(0.8...1))
    }
    for index in 0..<Int(generator.uniform(2...3.99)) {
      let lane = Float(index % personCount) - Float(personCount - 1) / 2 + 0.5
      let x = generator.uniform(-1...1) * halfWidth
      let z = min(lane * Self.laneDistance, front)
      let radius = generator.uniform(0.08...0.15)
      solids += Self.bar(from: Vector(x, 0, z), to: Vector(x, 4, z), radius, grey())
    }
    if generator.chance(0.6) {
      let middle = generator.uniform(-0.7...0.7) * halfWidth
      let half = generator.uniform(0.4...0.8)
      let colour = grey()
      let radius: Float = 0.1
      for layer in 0..<Int(generator.uniform(3...5.99)) {
        let y = radius + Float(layer) * 1.6 * radius
        solids += Self.bar(
          from: Vector(middle - half, y, front + 0.25), to: Vector(middle + half, y, front + 0.25),
          radius, colour)
      }
    }
    return solids
  }

  /// A bar in short pieces: solids that are partly outside the frame are not drawn.
  private static func bar(
    from start: Vector, to end: Vector, _ radius: Float, _ colour: SIMD3<Float>
  ) -> [Solid] {
    let count = 40
    return (0..<count).map {
      .limb(
        blend(start, end, Float($0) / Float(count)), radius,
        blend(start, end, Float($0 + 1) / Float(count)), radius, colour)
    }
  }

  /// How far people go to each side, in metres.
  private var halfWidth: Float { 0.55 + 0.3 * Float(personCount) }

  private mutating func figure(_ role: Role, lane: Float, slot: Float) -> SyntheticScene.Figure {
    let person = SyntheticPerson.random(using: &generator)
    let appearance = SyntheticAppearance.random(using: &generator)
    let seed = generator.next()
    let total = duration + 1
    let place = SIMD2(slot, lane)
    let facing = generator.uniform(-50...50)
    switch role {
    case .stays:
      let session = SyntheticSession(
        [.motion(generator.pick(Self.stays), seconds: total).onTheSpot()], person: person,
        seed: seed)
      return .init(session, appearance: appearance, position: place, headingDegrees: facing)
    case .walks:
      let session = SyntheticSession(
        [.motion(.walking, seconds: total).onTheSpot()], person: person, seed: seed)
      return .init(
        session, appearance: appearance, path: walk(from: place, within: 0...total))
    case .moves:
      let first = total * Double(generator.uniform(0.15...0.4))
      let parts: [SyntheticSession.Part] = [
        .motion(generator.pick(Self.stays), seconds: first).onTheSpot(),
        .motion(.walking, seconds: Double(generator.uniform(2...3.5))).onTheSpot(),
        .motion(generator.pick(Self.stays), seconds: total).onTheSpot(),
      ]
      let session = SyntheticSession(parts, person: person, seed: seed)
      let walking = session.segments.first { $0.motion == .walking }
      return .init(
        session, appearance: appearance,
        path: move(from: place, facing: facing, within: (walking?.start ?? 0)...(walking?.end ?? 1))
      )
    }
  }

  /// Goes from place to place, with a turn before each leg.
  private mutating func walk(
    from start: SIMD2<Float>, within times: ClosedRange<Double>
  ) -> FloorPath {
    var stops: [FloorPath.Stop] = []
    var (place, time) = (start, times.lowerBound)
    while time < times.upperBound {
      // Mostly right across; now and then back half-way.
      let far = -halfWidth * (place.x < 0 ? -1 : 1) * generator.uniform(0.5...1)
      let goal = SIMD2(
        generator.chance(0.75) ? far : generator.uniform(-halfWidth...halfWidth), place.y)
      let heading: Float = goal.x > place.x ? 90 : -90
      if !stops.isEmpty { time += Self.turnDuration }
      stops.append(.init(time: time, position: place, headingDegrees: heading))
      time += Double(abs(goal.x - place.x) / generator.uniform(0.8...1.4)) + 0.2
      stops.append(.init(time: time, position: goal, headingDegrees: heading))
      place = goal
    }
    return FloorPath(stops)
  }

  /// Goes across once and faces the camera again.
  private mutating func move(
    from start: SIMD2<Float>, facing: Float, within times: ClosedRange<Double>
  ) -> FloorPath {
    let goal = SIMD2(
      -halfWidth * (start.x < 0 ? -1 : 1) * generator.uniform(0.4...1), start.y)
    return FloorPath(
      FloorPath.leg(
        from: .init(time: 0, position: start, headingDegrees: facing), to: goal,
        facing: generator.uniform(-50...50), within: times, turnDuration: Self.turnDuration))
  }
}

extension SeededGenerator {
  /// The elements in any order, all equally likely.
  mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var elements = elements
    for index in elements.indices.dropFirst() {
      elements.swapAt(index, Int(next() % UInt64(index + 1)))
    }
    return elements
  }
}
