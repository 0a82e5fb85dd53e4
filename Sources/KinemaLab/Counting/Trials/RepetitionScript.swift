import Foundation
import KinemaSynth

/// A person's repetitions, pauses and other movements as key postures, with the truth for each
/// segment.
struct RepetitionScript: Sendable {
  struct Stretch: Sendable {
    let start: Double
    let end: Double
    /// The repetition of a set, or `nil` for anything else.
    let set: Int?
  }

  private(set) var keys: [(time: Double, posture: Posture)] = []
  private(set) var stretches: [Stretch] = []
  private var time: Double
  private var setCount = 0
  private var place = Vector()
  private var style: Style

  /// Writes a script from 0 to `duration` in seconds; the generator determines everything.
  init(duration: Double, person: SyntheticPerson, using generator: inout SeededGenerator) {
    style = Style(person: person, generator: SeededGenerator(seed: generator.next()))
    time = 0
    let kind = style.uniform(0...1)
    if kind < 0.22 {
      appendIdling(until: duration + 1)
    } else if kind < 0.3, duration > 7 {
      let middle = duration * Double(style.uniform(0.35...0.65))
      appendSet(lasting: middle, startsEarly: style.chance(0.7))
      if style.chance(0.6) { appendOther(until: time + Double(style.uniform(0.8...3))) }
      appendSet(lasting: duration + 1 - time, startsEarly: false)
    } else if kind < 0.48 {
      appendShortSets(until: duration + 1)
    } else if kind < 0.66 {
      appendSet(lasting: duration + 1, startsEarly: true)
    } else {
      let lead = style.chance(0.7) ? Double(style.uniform(0.3...0.35)) * duration : 0
      let isWaiting = style.chance(0.5)
      if lead > 0, !isWaiting { appendOther(until: lead * Double(style.uniform(0.2...1))) }
      let end = duration * Double(style.uniform(0.6...1.1))
      appendSet(
        lasting: max(end - time, 2), startsEarly: lead == 0,
        waiting: isWaiting ? lead * Double(style.uniform(0.05...1)) : 0)
      if time < duration {
        if style.chance(0.35) {
          rest(until: duration + 1)
        } else {
          appendOther(until: duration + 1)
        }
      }
    }
  }

  // MARK: - Repetitions

  /// Two to eight repetitions of a movement, a rest, and so on.
  private mutating func appendShortSets(until end: Double) {
    let move = RepeatedMove(in: &style, longest: max(end, 1.5) / 2.5)
    var wait = Double(style.uniform(0...3))
    while time < end {
      appendSet(
        of: move, lasting: end - time, startsEarly: false, waiting: wait,
        atMost: Int(style.uniform(2...5) * style.uniform(1...1.99)))
      wait = 0
      rest(until: time + Double(exp(style.uniform(log(0.7)...log(5)))))
      guard style.chance(0.7) else { break }
    }
    if time < end { rest(until: end) }
  }

  /// Repetitions of one movement.
  ///
  /// - Parameters:
  ///   - move: Which; another one by default.
  ///   - startsEarly: Whether the first one has begun before.
  ///   - wait: For how long the person keeps the first posture before, in seconds.
  ///   - count: How many cycles there are at most.
  private mutating func appendSet(
    of move: RepeatedMove? = nil, lasting seconds: Double, startsEarly: Bool,
    waiting wait: Double = 0, atMost count: Int = .max
  ) {
    let move = move ?? RepeatedMove(in: &style, longest: max(seconds, 1.5) / 1.8)
    let start = time
    let end = time + seconds
    let cycle = move.period * Double(move.choreography.repetitionsPerCycle)
    if startsEarly, keys.isEmpty { time -= cycle * Double(style.uniform(0...1)) }
    let tempo = style.uniform(0.02...0.22)
    let trend = 0.03 * style.generator.normal()
    let unevenness = style.uniform(0...0.16)
    let pauses = style.chance(0.33)
    let wobble = style.chance(0.5) ? style.uniform(0...0.12) : 0
    approach(move.choreography.rest.moved(by: place))
    if wait > 0 { rest(until: time + wait) }
    setCount += 1
    var index = 0
    while time < end, index < count {
      let spread = exp(tempo * style.generator.normal() + trend * Float(index))
      let duration = min(max(move.period * Double(spread), 0.25), 8)
      append(
        move.choreography, cycle: index,
        duration: duration * Double(move.choreography.repetitionsPerCycle), wobble: wobble,
        depth: 1 + unevenness * max(-2, min(2, style.generator.normal())))
      index += 1
      if pauses, time > start, style.chance(0.25) {
        let pause = max(1.2, 0.7 * duration) * Double(style.uniform(1...3.5))
        rest(until: time + pause)
      }
    }
  }

  private mutating func append(
    _ choreography: Choreography, cycle index: Int, duration: Double, wobble: Float, depth: Float
  ) {
    let shares = choreography.shares.map { $0 * Double(exp(0.1 * style.generator.normal())) }
    let total = shares.reduce(0, +)
    let begin = time
    var (passed, start) = (0.0, begin)
    let postures = choreography.cycle(index, depth: depth)
    for (number, (posture, share)) in zip(postures, shares).enumerated() {
      passed += share
      let way = place + Vector(0, 0, choreography.advance * Float(passed / total))
      let isLast = passed >= total * 0.9999
      add(
        varied(posture.moved(by: way), by: isLast ? wobble * 0.4 : wobble),
        at: begin + duration * passed / total)
      guard choreography.endsRepetition(number) else { continue }
      let end = isLast ? begin + duration : begin + duration * passed / total
      stretches.append(Stretch(start: start, end: end, set: setCount))
      start = end
    }
    time = begin + duration
    place.z += choreography.advance
  }

  /// The posture as it happens to come out this time.
  private mutating func varied(_ posture: Posture, by amount: Float) -> Posture {
    guard amount > 0 else { return posture }
    var posture = posture
    posture.pitch += amount * style.generator.normal()
    posture.roll += 0.5 * amount * style.generator.normal()
    posture.twist += amount * style.generator.normal()
    posture.nod += amount * style.generator.normal()
    for side in [\Posture.left, \Posture.right] {
      posture[keyPath: side].armRaise += 1.5 * amount * style.generator.normal()
      posture[keyPath: side].armForward += 1.5 * amount * style.generator.normal()
    }
    return posture
  }

  // MARK: - Everything else

  /// Keeps the posture for a while, with or without fidgeting.
  private mutating func rest(until end: Double) {
    let start = time
    guard let last = keys.last?.posture else { return }
    if style.chance(0.4) {
      while time + 0.6 < end {
        time += Double(style.uniform(0.4...1.5))
        let way = varied(last, by: style.uniform(0...0.25))
        if time < end { add(way, at: time) }
      }
    }
    time = end
    add(last, at: end)
    stretches.append(Stretch(start: start, end: end, set: nil))
  }

  /// No repetitions: as ``appendOther(until:)``, and half of it a held posture, on the floor as
  /// often as not, with small movements.
  private mutating func appendIdling(until end: Double) {
    guard style.chance(0.5) else {
      appendOther(until: end)
      return
    }
    let place = style.uniform(0...1)
    let motion = style.pick(
      place < 0.3 ? Self.planks : place < 0.7 ? Self.holds : Self.quietMotions)
    appendIdle(motion.choreography(&style).postures, until: end)
  }

  /// Postures in any order at any time, none as often as to be a rhythm.
  private mutating func appendIdle(_ postures: [Posture], until end: Double) {
    let start = time
    let gestures: Float = style.chance(0.5) ? style.uniform(0.1...0.7) : 0
    let path = IdleScript(
      postures.map { $0.moved(by: place) }, from: time + 1, until: end,
      gesturing: postures[0].left.planted > 0 ? 0 : gestures, in: &style)
    approach(postures[0].moved(by: place))
    for key in path.keys where key.time > time + 0.02 { add(key.posture, at: key.time) }
    time = max(time, path.keys.last?.time ?? time)
    stretches.append(Stretch(start: start, end: time, set: nil))
  }

  /// Standing or sitting about, talking, moving irregularly.
  private mutating func appendOther(until end: Double) {
    let start = time
    guard end > start else { return }
    let kind = style.uniform(0...1)
    if keys.last != nil, kind < 0.35 {
      rest(until: end)
      return
    }
    let motion = style.pick(Self.quietMotions)
    var postures = motion.choreography(&style).postures
    if kind > 0.5, kind < 0.75 {
      appendIdle(postures, until: end)
      return
    }
    var pace: ClosedRange<Float> = 0.5...4
    if kind > 0.75 {
      // Anything, at any time: quick, and large.
      pace = style.chance(0.5) ? 0.25...1.2 : 0.4...3
      let base = postures[0]
      let amplitude = style.uniform(0.1...1)
      postures = (0..<7).map { _ in
        var posture = style.anyArms(base, amplitude: amplitude)
        posture.pelvis.y *= 1 - style.uniform(0...0.5) * amplitude * (style.chance(0.4) ? 1 : 0)
        return varied(posture, by: 0.4 * amplitude)
      }
    }
    let fidget = style.uniform(0...0.15)
    approach(postures[0].moved(by: place))
    while time < end {
      time += Double(style.uniform(pace))
      let posture = varied(style.pick(postures), by: fidget).moved(by: place)
      add(posture, at: time)
      if style.chance(0.3) {
        time += Double(style.uniform(pace))
        add(posture, at: time)
      }
    }
    stretches.append(Stretch(start: start, end: time, set: nil))
  }

  /// What shakes and sways most.
  private static let planks = ["plank", "forearm_plank", "side_plank"].compactMap(Motion.named)

  /// What is held, moving little.
  private static let holds = Motion.library.filter { motion in
    [
      "plank", "forearm_plank", "side_plank", "lying", "kneeling", "standing", "tree_pose",
      "downward_dog", "childs_pose", "warrior_pose", "floor_sitting",
    ].contains(motion.name) && !motion.isCounted
  }

  private static let quietMotions = Motion.library.filter { motion in
    [
      "standing", "sitting", "talking", "near_talking", "plank", "forearm_plank", "side_plank",
      "desk_work", "phoning", "gaming", "drinking", "kneeling", "lying", "floor_sitting",
      "tree_pose", "crouching",
    ].contains(motion.name)
  }

  /// Goes from the last posture to the next one in a second or two.
  private mutating func approach(_ posture: Posture) {
    guard let last = keys.last else {
      add(posture, at: time)
      return
    }
    guard last.posture != posture else { return }
    let start = time
    if last.posture.isOnFloor(style.person) != posture.isOnFloor(style.person) {
      time += Double(style.uniform(0.8...2))
      let halfway = Posture(lanes: (last.posture.lanes + posture.lanes) * 0.5)
      add(varied(halfway, by: 0.2), at: time)
    }
    time += Double(style.uniform(0.5...1.2))
    add(posture, at: time)
    stretches.append(Stretch(start: start, end: time, set: nil))
  }

  private mutating func add(_ posture: Posture, at time: Double) {
    if let last = keys.last, time - last.time < 0.02 {
      keys[keys.count - 1].posture = posture
    } else {
      keys.append((time, posture))
    }
  }
}
