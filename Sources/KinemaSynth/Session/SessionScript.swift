/// Writes a session down, key pose by key pose.
struct SessionScript {
  let person: SyntheticPerson
  let manner: Manner
  private(set) var keys: [(time: Double, posture: Posture)] = []
  private(set) var segments: [SyntheticSession.Segment] = []
  private var time = 0.0
  private var place = Vector()

  init(person: SyntheticPerson, manner: Manner) { (self.person, self.manner) = (person, manner) }

  /// Adds a part, after a transition if the person is not yet where it begins.
  mutating func append(_ part: SyntheticSession.Part, using generator: inout SeededGenerator) {
    var style = Style(person: person, generator: SeededGenerator(seed: generator.next()))
    var choreography = manner.applied(to: part.motion.choreography(&style), by: person)
    if !part.travels { choreography.advance = 0 }
    let rest = choreography.rest.moved(by: place)
    if let last = keys.last?.posture {
      if last != rest {
        appendTransition(from: last, to: rest)
      }
    } else {
      keys.append((0, rest))
    }

    let start = time
    guard !part.isIrregular else {
      time += part.cycleDuration * Double(part.cycles)
      let script = IdleScript(
        of: part.motion, in: choreography.postures.map { $0.moved(by: place) }, from: start,
        until: time, in: &style)
      keys += script.keys.filter { $0.time < time }
      keys.append((time, keys[keys.count - 1].posture))
      segments.append(.init(motion: part.motion, start: start, end: time, repetitions: []))
      return
    }
    var repetitions: [SyntheticSession.Repetition] = []
    for index in 0..<part.cycles {
      let begin = time
      append(choreography, cycle: index, duration: part.cycleDuration, using: &generator)
      repetitions.append(.init(start: begin, end: time))
    }
    segments.append(
      .init(
        motion: part.motion, start: start, end: time,
        repetitions: part.motion.isCounted ? repetitions : []))
  }

  /// Adds one cycle; no two are quite alike in tempo, rhythm and depth.
  private mutating func append(
    _ choreography: Choreography, cycle index: Int, duration: Double,
    using generator: inout SeededGenerator
  ) {
    let duration = duration * Double(1 + max(-0.2, min(0.2, 0.06 * generator.normal())))
    let depth = 1 + max(-0.08, min(0.04, 0.03 * generator.normal()))
    let shares = choreography.shares.map { $0 * Double(generator.uniform(0.9...1.1)) }
    let total = shares.reduce(0, +)
    let begin = time
    var passed = 0.0
    for (posture, share) in zip(choreography.cycle(index, depth: depth), shares) {
      passed += share
      let way = place + Vector(0, 0, choreography.advance * Float(passed / total))
      keys.append((begin + duration * passed / total, posture.moved(by: way)))
    }
    time = begin + duration
    keys[keys.count - 1].time = time
    place.z += choreography.advance
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
    segments.append(.init(motion: nil, start: start, end: time, repetitions: []))
  }

  private func gettingDown(from upright: Posture, to floor: Posture) -> [Posture] {
    floor.pitch > 0.5
      ? gettingDownOnHands(from: upright, to: floor) : sittingDown(from: upright, to: floor)
  }

  /// Deep into a squat and over the hands onto the seat, or onto the knees.
  private func sittingDown(from upright: Posture, to floor: Posture) -> [Posture] {
    var squatting = upright
    squatting.pelvis.y = person.leg * 0.3 + person.ankleHeight
    squatting.pelvis.z -= 0.12 * person.stature
    squatting.pitch = 0.8
    var seated = floor
    seated.pitch = max(floor.pitch, -0.2)
    return [squatting, seated]
  }

  /// The hands go down, then one foot after the other goes back.
  private func gettingDownOnHands(from upright: Posture, to floor: Posture) -> [Posture] {
    var crouched = upright
    crouched.pelvis = Vector(
      upright.pelvis.x, person.leg * 0.42 + person.ankleHeight,
      upright.pelvis.z - 0.05 * person.stature)
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
