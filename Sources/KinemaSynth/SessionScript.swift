/// Writes a session down, key pose by key pose.
struct SessionScript {
  let person: SyntheticPerson
  private(set) var keys: [(time: Double, posture: Posture)] = []
  private(set) var segments: [SyntheticSession.Segment] = []
  private var time = 0.0

  init(person: SyntheticPerson) {
    self.person = person
  }

  /// Adds a part, after a transition if the person is not yet where it begins.
  mutating func append(_ part: SyntheticSession.Part, using generator: inout SeededGenerator) {
    let choreography = part.exercise.choreography(for: person, using: &generator)
    if let last = keys.last?.posture {
      if last != choreography.rest {
        appendTransition(from: last, to: choreography.rest)
      }
    } else {
      keys.append((0, choreography.rest))
    }

    let start = time
    var repetitions: [SyntheticSession.Repetition] = []
    let durations = durations(of: part, using: &generator)
    for (index, duration) in durations.enumerated() {
      let depth = 1 + max(-0.08, min(0.04, 0.03 * generator.normal()))
      let begin = time
      for key in choreography.repetition(index, depth: depth) {
        keys.append((begin + duration * key.share, key.posture))
      }
      time = begin + duration
      repetitions.append(.init(start: begin, end: time))
    }
    segments.append(
      .init(
        exercise: part.exercise, start: start, end: time,
        repetitions: part.exercise == .standing ? [] : repetitions))
  }

  /// How long each repetition takes; for standing, each shift of weight.
  private func durations(
    of part: SyntheticSession.Part, using generator: inout SeededGenerator
  ) -> [Double] {
    guard part.exercise != .standing else {
      let shifts = max(1, Int((part.duration / 3).rounded()))
      return Array(repeating: part.duration / Double(shifts), count: shifts)
    }
    return (0..<part.repetitions).map { _ in
      part.duration * Double(1 + max(-0.2, min(0.2, 0.06 * generator.normal())))
    }
  }

  private mutating func appendTransition(from: Posture, to: Posture) {
    let start = time
    let crossesFloor = from.isOnFloor(person) != to.isOnFloor(person)
    if crossesFloor {
      let upright = from.isOnFloor(person) ? to : from
      let floor = from.isOnFloor(person) ? from : to
      var way = gettingDown(from: upright, to: floor)
      if from.isOnFloor(person) { way.reverse() }
      for (index, posture) in way.enumerated() {
        keys.append((start + 0.55 * Double(index + 1), posture))
      }
      time = start + 0.55 * Double(way.count + 1)
    } else {
      for (index, posture) in stepping(from: from, to: to).enumerated() {
        keys.append((start + 0.25 * Double(index + 1), posture))
      }
      time = start + 1
    }
    keys.append((time, to))
    segments.append(.init(exercise: nil, start: start, end: time, repetitions: []))
  }

  /// From standing to the floor: the hands go down, then one foot after the other goes back.
  private func gettingDown(from upright: Posture, to floor: Posture) -> [Posture] {
    var crouched = upright
    crouched.pelvis = Vector(
      0, person.leg * 0.42 + person.ankleHeight, -0.05 * person.stature)
    crouched.pitch = 1.3
    crouched.nod = -0.4
    crouched.left.hand = floor.left.hand
    crouched.right.hand = floor.right.hand
    crouched.forBothSides { limbs, _ in
      limbs.planted = 1
      limbs.ankle.y += 0.02 * person.stature
    }
    var oneBack = crouched
    oneBack.left.ankle = floor.left.ankle
    oneBack.pelvis = blend(crouched.pelvis, floor.pelvis, 0.4)
    var lifting = crouched
    lifting.left.ankle = blend(crouched.left.ankle, floor.left.ankle, 0.5)
    lifting.left.ankle.y += 0.06 * person.stature
    var bothLifting = oneBack
    bothLifting.right.ankle = blend(crouched.right.ankle, floor.right.ankle, 0.5)
    bothLifting.right.ankle.y += 0.06 * person.stature
    return [crouched, lifting, oneBack, bothLifting]
  }

  /// One foot after the other to its new place.
  private func stepping(from: Posture, to: Posture) -> [Posture] {
    let lift = Vector(0, 0.03 * person.stature, 0)
    var postures = [0.25, 0.5, 0.75].map { share in
      Posture(lanes: from.lanes + (to.lanes - from.lanes) * Float(share))
    }
    postures[0].left.ankle = blend(from.left.ankle, to.left.ankle, 0.5) + lift
    postures[0].right.ankle = from.right.ankle
    postures[1].left.ankle = to.left.ankle
    postures[1].right.ankle = from.right.ankle
    postures[2].left.ankle = to.left.ankle
    postures[2].right.ankle = blend(from.right.ankle, to.right.ankle, 0.5) + lift
    return postures
  }
}
