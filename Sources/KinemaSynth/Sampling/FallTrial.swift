import Foundation
package import KinemaPose

/// A person who falls, or does anything else, as a pose network finds them from some camera, to
/// evaluate the recognition of falls, and to learn it.
package struct FallTrial: Sendable {
  /// What the person does.
  package enum Kind: Hashable, Sendable {
    case fall
    case sittingDown
    case lyingDown
    /// Crouching, kneeling, bending.
    case crouchingDown
    /// Walking on, often out of the frame.
    case walkingPast
    case motion(Motion)
  }

  package let kind: Kind
  /// The poses as they come from a pose network; frames without anybody are among them.
  package let poses: PoseSequence
  package let aspectRatio: Float
  /// When the person is on the floor after a fall, in seconds; `nil` without one.
  package let impact: Double?

  /// How long a fallen person is watched, in seconds.
  private static let aftermath = 6.0

  /// Draws a trial of about 10 to 20 seconds: 1 to 4 of standing, walking or sitting, then what `kind` says.
  package init(_ kind: Kind, _ conditions: RoomFilm.Conditions = .clear, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    generator = SeededGenerator(seed: generator.next())
    self.kind = kind
    let person = SyntheticPerson.random(using: &generator)
    let lead = Double(generator.uniform(1...4))
    let film: RoomFilm
    if case .motion(let motion) = kind {
      impact = nil
      let session = Self.session(of: motion, person, lead: lead, using: &generator)
      film = RoomFilm(
        conditions, of: person, seconds: session.seconds,
        loss: lead + Double(generator.uniform(0.3...3)), using: &generator,
        skeleton: session.skeleton)
    } else {
      var style = Style(person: person, generator: SeededGenerator(seed: generator.next()))
      let script = Self.script(of: kind, lead: lead, using: &style)
      impact = script.impact
      let track = PostureTrack(script.moments)
      let solver = BodySolver(person: person)
      let sway = Sway(using: &generator)
      // Unusual postures are lost for a moment: in a fall, or on the way down on purpose.
      film = RoomFilm(
        conditions, of: person, seconds: script.end,
        loss: script.impact ?? lead + Double(generator.uniform(0.3...3)),
        mayLeave: kind == .walkingPast, using: &generator
      ) { solver.skeleton(for: sway.applied(to: track.posture(at: $0), at: $0)) }
    }
    (poses, aspectRatio) = (film.poses, film.aspectRatio)
  }

  private static func script(
    of kind: Kind, lead: Double, using style: inout Style
  ) -> FallScript {
    let rest = style.standing()
    if kind == .walkingPast {
      var script = FallScript(rest)
      style.walk(in: &script, to: rest, seconds: lead + Double(style.uniform(3...7)))
      return script
    }
    let isSeated = kind == .fall && style.chance(0.3)
    var script = FallScript(isSeated ? style.sitting() : rest)
    if isSeated {
      // Some are bent over a table or their knees.
      let pitch = style.chance(0.4) ? style.uniform(0.4...1.4) : script.last.pitch
      script.moments[0].posture.pitch = pitch
      script.add(script.last, after: Float(lead))
    } else {
      style.arriving(in: &script, rest: rest, seconds: lead)
    }
    switch kind {
    case .fall:
      let staysSeated = isSeated && style.chance(0.5)
      if isSeated, !staysSeated {
        let risen = rest.moved(by: Vector(0, 0, script.last.left.ankle.z))
        script.add(risen, after: style.uniform(0.8...2))
        // From here on the feet are the origin.
        let way = Vector(0, 0, -risen.left.ankle.z)
        script.moments = script.moments.map { ($0.time, $0.posture.moved(by: way)) }
        script.add(rest, after: style.uniform(0...1.5))
      }
      style.fall(in: &script, from: rest, isSeated: staysSeated)
      style.afterFall(in: &script, seconds: Self.aftermath)
    case .sittingDown: style.sitDown(in: &script, rest: rest)
    case .lyingDown: style.lieDown(in: &script, rest: rest)
    default: style.crouchDown(in: &script, rest: rest)
    }
    return script
  }

  /// Standing and a motion of the library.
  private static func session(
    of motion: Motion, _ person: SyntheticPerson, lead: Double,
    using generator: inout SeededGenerator
  ) -> (seconds: Double, skeleton: (Double) -> Skeleton) {
    let range = motion.cycleDurations
    let cycle =
      range.lowerBound
      * pow(range.upperBound / range.lowerBound, Double(generator.uniform(0...1)))
    let session = SyntheticSession(
      [
        .standing(seconds: lead),
        .motion(motion, repetitions: max(1, Int((8 / cycle).rounded())), repetitionDuration: cycle)
          .onTheSpot(),
      ], person: person, seed: generator.next())
    // On purpose, one gets down or up in 2 to 4 s, not as fast as between the parts of a session.
    let slow = Double(generator.uniform(1.3...2.4))
    let way = session.segments.first { $0.motion == nil } ?? session.segments[0]
    let added = way.motion == nil ? (way.end - way.start) * (slow - 1) : 0
    return (
      session.duration + added,
      { time in
        guard time > way.start, added > 0 else { return session.skeleton(at: time) }
        let inside = min((time - way.start) / slow, way.end - way.start)
        return session.skeleton(at: max(way.start + inside, time - added))
      }
    )
  }

  /// What trials without a fall show: sitting down and lying down on purpose, crouching, exercises on the
  /// floor, and what else brings people low.
  package static let others: [Kind] = {
    let low = [
      "burpees", "squats", "push_ups", "picking_up", "crouching", "lunges", "jumping_jacks",
      "walking", "getting_down", "kneeling",
    ].compactMap(Motion.named)
    let motions = (Motion.floor + low).map(Kind.motion)
    // As many of each way down on purpose as of a quarter of the motions.
    return motions.enumerated().flatMap { index, kind in
      index % 4 == 0
        ? [.sittingDown, .lyingDown, .crouchingDown, .walkingPast, kind] : [kind]
    }
  }()
}
