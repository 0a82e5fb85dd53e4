import KinemaSynth

/// People who stand together in groups, part and meet others; each in a lane of their own.
struct GroupScript {
  /// From lane to lane, in metres.
  private static let laneDistance: Float = 0.45
  /// From person to person in a group, in metres along the frame.
  private static let spacing: ClosedRange<Float> = 0.45...0.65
  /// How long a group stands, in seconds.
  private static let standing: ClosedRange<Float> = 1.5...2.5
  /// In metres per second.
  private static let pace: ClosedRange<Float> = 0.9...1.3
  /// How long a turn takes, in seconds.
  private static let turnDuration = 0.4
  private static let motions = ["talking", "standing", "waving", "arm_raises"].compactMap(
    Motion.named)

  private var generator: SeededGenerator
  private var figures: [SyntheticScene.Figure] = []

  init(personCount: Int, duration: Double, seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    let halfWidth = 0.6 + 0.25 * Float(personCount)
    let lanes = generator.shuffled((0..<personCount).map { Float($0) - Float(personCount - 1) / 2 })
    // Where each person stands, meeting by meeting.
    let meetings = (0..<Int(duration / 3) + 2).map { _ in
      meeting(of: personCount, halfWidth: halfWidth)
    }
    for person in 0..<personCount {
      figures.append(
        figure(
          meetings.map { $0[person] }, lane: lanes[person] * Self.laneDistance,
          duration: duration))
    }
  }

  func scene(aspectRatio: Float) -> SyntheticScene {
    var generator = generator
    return SyntheticScene(
      framing: figures, yawDegrees: generator.uniform(-10...10),
      pitchDegrees: generator.uniform(2...9), aspectRatio: aspectRatio, margin: 0.03)
  }

  /// A place along the frame and a heading for each person: one or two groups, or nobody alone.
  private mutating func meeting(
    of personCount: Int, halfWidth: Float
  ) -> [(place: Float, heading: Float)] {
    var places = [(place: Float, heading: Float)](
      repeating: (0, 0), count: personCount)
    let order = generator.shuffled(Array(0..<personCount))
    let isApart = generator.chance(0.7)
    let split = isApart ? Int(generator.next() % UInt64(personCount - 1)) + 1 : personCount
    let side: Float = generator.chance(0.5) ? 1 : -1
    let centres = isApart ? [side * halfWidth * 0.7, -side * halfWidth * 0.7] : [0]
    for (group, members) in [order[..<split], order[split...]].enumerated() where !members.isEmpty {
      let spacing = generator.uniform(Self.spacing)
      for (index, person) in members.enumerated() {
        let offset = Float(index) - Float(members.count - 1) / 2
        // They turn to each other.
        let heading = members.count == 1 ? 0 : (offset > 0 ? -1 : 1) * generator.uniform(20...80)
        places[person] = (centres[group] + offset * spacing, heading)
      }
    }
    return places
  }

  private mutating func figure(
    _ places: [(place: Float, heading: Float)], lane: Float, duration: Double
  ) -> SyntheticScene.Figure {
    let person = SyntheticPerson.random(using: &generator)
    let appearance = SyntheticAppearance.random(using: &generator)
    var parts: [SyntheticSession.Part] = []
    var goals: [(place: Float, heading: Float)] = []
    for (index, goal) in places.enumerated() {
      if let last = goals.last ?? places.first, index > 0 {
        let way = abs(goal.place - last.place)
        guard way > 0.4 else { continue }
        let seconds = Double(way / generator.uniform(Self.pace))
        parts.append(.motion(.walking, seconds: max(seconds, 0.6)).onTheSpot())
        goals.append(goal)
      }
      let seconds = Double(generator.uniform(Self.standing))
      parts.append(.motion(generator.pick(Self.motions), seconds: seconds).onTheSpot())
    }
    parts.append(.motion(.standing, seconds: duration).onTheSpot())
    let session = SyntheticSession(parts, person: person, seed: generator.next())
    var stops: [FloorPath.Stop] = [
      .init(time: 0, position: SIMD2(places[0].place, lane), headingDegrees: places[0].heading)
    ]
    for (segment, goal) in zip(session.segments.filter { $0.motion == .walking }, goals) {
      stops.append(
        contentsOf: FloorPath.leg(
          from: stops[stops.count - 1], to: SIMD2(goal.place, lane), facing: goal.heading,
          within: segment.start...segment.end, turnDuration: Self.turnDuration))
    }
    return .init(session, appearance: appearance, path: FloorPath(stops))
  }
}
