import Foundation
package import KinemaPose

/// A person who falls, or does anything else, as a pose network finds them from some camera, to
/// evaluate the recognition of falls.
package struct FallTrial: Sendable {
  /// What the person does.
  package enum Kind: Hashable, Sendable {
    case fall
    case sittingDown
    case lyingDown
    case motion(Motion)
  }

  package let kind: Kind
  /// The poses as they come from a pose network; frames without anybody are among them.
  package let poses: PoseSequence
  package let aspectRatio: Float
  /// When the person is on the floor after a fall, in seconds; `nil` without one.
  package let impact: Double?

  /// How long a fallen person lies there, in seconds.
  private static let lyingTime = 6.0

  /// Draws a trial of about 10 to 16 seconds: 1 to 4 of standing or walking, then what `kind` says.
  package init(_ kind: Kind, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    generator = SeededGenerator(seed: generator.next())
    self.kind = kind
    let person = SyntheticPerson.random(using: &generator)
    let lead = Double(generator.uniform(1...4))
    let frameRate = generator.pick([10.0, 15, 25, 30])
    let script: (duration: Double, skeleton: (Double) -> Skeleton)
    var impact: Double?
    switch kind {
    case .fall, .lyingDown:
      var style = Style(person: person, generator: SeededGenerator(seed: generator.next()))
      let rest = style.standing()
      var keys = [(time: 0.0, posture: rest), (time: lead, posture: rest)]
      if kind == .fall {
        let fall = style.fall(style.pick(FallDirection.allCases), from: rest)
        keys += fall.dropFirst().map { (lead + $0.time, $0.posture) }
        impact = keys.last?.time
      } else {
        keys += style.lyingDown(from: rest, start: lead)
      }
      if let last = keys.last {
        keys += style.lyingStill(last.posture, from: last.time, seconds: Self.lyingTime)
      }
      let track = PostureTrack(keys)
      let solver = BodySolver(person: person)
      let sway = Sway(using: &generator)
      script = (
        keys.last?.time ?? lead,
        { solver.skeleton(for: sway.applied(to: track.posture(at: $0), at: $0)) }
      )
    case .sittingDown, .motion:
      var motion = Motion.named("sitting_down") ?? .standing
      if case .motion(let other) = kind { motion = other }
      let range = motion.cycleDurations
      let cycle =
        range.lowerBound
        * pow(range.upperBound / range.lowerBound, Double(generator.uniform(0...1)))
      let count = max(1, Int((8 / cycle).rounded()))
      let session = SyntheticSession(
        [
          .standing(seconds: lead),
          .motion(motion, repetitions: count, repetitionDuration: cycle).onTheSpot(),
        ], person: person, seed: generator.next())
      // On purpose, one gets down or up in 2 to 4 s, not as fast as between the parts of a session.
      let slow = Double(generator.uniform(1.3...2.4))
      let way = session.segments.first { $0.motion == nil } ?? session.segments[0]
      let added = way.motion == nil ? (way.end - way.start) * (slow - 1) : 0
      script = (
        session.duration + added,
        { time in
          guard time > way.start, added > 0 else { return session.skeleton(at: time) }
          let inside = min((time - way.start) / slow, way.end - way.start)
          return session.skeleton(at: max(way.start + inside, time - added))
        }
      )
    }
    self.impact = impact
    let times = (0..<Int(script.duration * frameRate)).map { Double($0) / frameRate }
    // Half of the cameras hang on a wall, the others are put anywhere.
    let pitch = generator.chance(0.5) ? generator.uniform(0.15...0.6) : nil
    let camera = ObservingCamera(
      for: .standing, duration: script.duration, mayTurn: false, nearShare: 0, pitch: pitch,
      using: &generator)
    var estimator = SimulatedEstimator(.workouts, using: &generator)
    let views = camera.views(of: person, at: times, skeleton: script.skeleton)
    var values = estimator.observed(views, camera: camera)
    if generator.chance(0.3) {
      // Unusual postures are lost for a moment: in a fall, or on the way down on purpose.
      let moment = impact ?? lead + Double(generator.uniform(0.3...3))
      let start = Int((moment - Double(generator.uniform(0...0.3))) * frameRate)
      let end = start + Int(Double(generator.uniform(0.1...0.6)) * frameRate)
      let size = 3 * JointKey.body.count
      for place in (start * size)..<min(end * size, values.count) { values[place] = 0 }
    }
    aspectRatio = camera.aspectRatio
    poses =
      SyntheticMotionSample(
        label: "", motion: .standing, frameRate: frameRate, aspectRatio: aspectRatio,
        values: values, repetitions: []
      ).poses
  }

  /// What trials without a fall show: sitting down and lying down on purpose, exercises on the floor, and
  /// what else brings people low.
  package static let others: [Kind] = {
    let low = [
      "burpees", "squats", "push_ups", "picking_up", "crouching", "lunges", "jumping_jacks",
      "walking", "getting_down", "kneeling",
    ].compactMap(Motion.named)
    let motions = (Motion.floor + low).map(Kind.motion)
    // As many of sitting and of lying down as of a quarter of the motions.
    return motions.enumerated().flatMap { index, kind in
      index % 4 == 0 ? [.sittingDown, .lyingDown, kind] : [kind]
    }
  }()
}
