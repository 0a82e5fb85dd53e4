import KinemaSynth

/// People who leave the frame and return; the last one comes for the first time after that.
struct ReturnScript {
  /// From lane to lane, in metres.
  private static let laneDistance: Float = 0.5
  /// How far outside people go, in metres from the middle of the room.
  private static let outside: Float = 4.2
  /// In metres per second.
  private static let pace: ClosedRange<Float> = 1.1...1.5
  /// How long people stay before they leave and after they return, in seconds.
  private static let stay: ClosedRange<Float> = 3.5...6
  /// How long they are away, in seconds; shorter where one stays in the room.
  private static let absence: ClosedRange<Float> = 5...55
  private static let absenceInCompany: ClosedRange<Float> = 5...14
  /// How long a turn takes, in seconds.
  private static let turnDuration = 0.4
  private static let motions = [
    "standing", "squats", "arm_raises", "biceps_curls", "waving", "talking", "side_bends",
  ].compactMap(Motion.named)

  /// When all have stayed for long enough.
  private(set) var duration = 0.0
  /// When nobody is there, but for a second at either end.
  private(set) var emptyTime: ClosedRange<Double>?
  private var generator: SeededGenerator
  private var figures: [SyntheticScene.Figure] = []
  /// When people are on their way out, and in.
  private var exits: [ClosedRange<Double>] = []
  private var entries: [ClosedRange<Double>] = []

  init(personCount: Int, seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    let halfWidth = 0.4 + 0.25 * Float(personCount)
    let lanes = generator.shuffled((0..<personCount).map { Float($0) - Float(personCount - 1) / 2 })
    let slots = generator.shuffled((0..<personCount).map { Float($0) })
    let inCompany = personCount > 2 && generator.chance(0.4)
    let away = generator.uniform(inCompany ? Self.absenceInCompany : Self.absence)
    // The first one may stay in the room, the last one is new.
    for index in 0..<personCount {
      let slot = (slots[index] / Float(personCount - 1) * 2 - 1) * halfWidth
      add(
        place: SIMD2(slot, lanes[index] * Self.laneDistance),
        before: index == personCount - 1
          ? nil : Double(generator.uniform(Self.stay)) + 0.7 * Double(index),
        away: inCompany && index == 0 ? nil : Double(away) + Double(generator.uniform(0...3)))
    }
    duration = (entries.map(\.upperBound).max() ?? 0) + Double(generator.uniform(Self.stay))
    let out = (exits.map(\.upperBound).max() ?? 0) + 1
    let back = (entries.map(\.lowerBound).min() ?? 0) - 1
    if !inCompany, out < back { emptyTime = out...back }
  }

  func scene(aspectRatio: Float) -> SyntheticScene {
    var generator = generator
    // The camera sees the places where people stay, not those outside.
    let standing = figures.map { figure in
      var still = figure
      still.path = nil
      return still
    }
    var scene = SyntheticScene(
      framing: standing, yawDegrees: generator.uniform(-6...6),
      pitchDegrees: generator.uniform(2...9), aspectRatio: aspectRatio, margin: 0.03)
    scene.figures = figures
    return scene
  }

  /// Adds a person with a place in the room.
  ///
  /// - Parameters:
  ///   - before: How long they stay before they leave; `nil` for a new person.
  ///   - away: How long they are away; `nil` for a person who stays.
  private mutating func add(place: SIMD2<Float>, before: Double?, away: Double?) {
    let person = SyntheticPerson.random(using: &generator)
    let appearance = SyntheticAppearance.random(using: &generator)
    let facing = generator.uniform(-40...40)
    let sides = (0..<2).map { _ in
      SIMD2(generator.chance(0.5) ? Self.outside : -Self.outside, place.y)
    }
    let walks = sides.map { side in
      SyntheticSession.Part.motion(
        .walking, seconds: Double(abs(side.x - place.x) / generator.uniform(Self.pace))
      ).onTheSpot()
    }
    var parts: [SyntheticSession.Part] = []
    if let before {
      parts.append(.motion(generator.pick(Self.motions), seconds: before).onTheSpot())
      if away != nil { parts.append(walks[0]) }
    }
    if let away {
      // Who is new is away from the start, for about as long as the others stay and walk.
      let seconds = away + (before == nil ? Double(Self.stay.upperBound) + 3 : 0)
      parts += [.motion(.standing, seconds: seconds).onTheSpot(), walks[1]]
    }
    parts.append(.motion(generator.pick(Self.motions), seconds: 15).onTheSpot())
    let session = SyntheticSession(parts, person: person, seed: generator.next())
    var figure = SyntheticScene.Figure(
      session, appearance: appearance, position: place, headingDegrees: facing)
    var ways = session.segments.filter { $0.motion == .walking }.map { $0.start...$0.end }
    var stops: [FloorPath.Stop] = []
    if before != nil, !ways.isEmpty {
      let way = ways.removeFirst()
      exits.append(way)
      stops.append(.init(time: 0, position: place, headingDegrees: facing))
      stops += FloorPath.leg(
        from: stops[0], to: sides[0], facing: 0, within: way, turnDuration: Self.turnDuration)
    }
    if let way = ways.first {
      entries.append(way)
      // Nobody sees how they get to the other side.
      let start = (stops.last?.time ?? 0) + 1e-6
      stops.append(.init(time: start, position: sides[1], headingDegrees: 0))
      stops += FloorPath.leg(
        from: stops[stops.count - 1], to: place, facing: facing, within: way,
        turnDuration: Self.turnDuration)
    }
    if !stops.isEmpty { figure.path = FloorPath(stops) }
    figures.append(figure)
  }
}
