package import KinemaPose
package import KinemaSynth

/// A person seen by a pose network with a known number of repetitions, or none, to evaluate a
/// counter.
///
/// Camera and pose network are those of ``SyntheticMotionSampler``; those of most training data
/// (``RepetitionTake``) differ; the others are trials of other people.
package struct CountingTrial: Sendable {
  package let motion: Motion
  /// The poses as they come from a pose network; frames without anybody are among them.
  package let poses: PoseSequence
  package let aspectRatio: Float
  /// The repetitions, in seconds; none where nothing is counted.
  package let repetitions: [SyntheticSession.Repetition]

  /// The number of attempts to draw a view in which the movement exceeds the noise.
  private static let longestSearch = 40

  /// Draws a trial.
  ///
  /// Three to fifteen repetitions in up to 45 seconds between two rests, at any tempo of the motion
  /// from 0.3 to 8 s a repetition, accelerating or slowing, with pauses (30 %), another camera from
  /// some time on (25 %), missing frames (35 %) and limbs (25 %), and noise. A motion that is not
  /// counted is done irregularly.
  ///
  /// - Parameter seconds: The duration of a motion that is not counted.
  package init(of motion: Motion, seconds: Double = 60, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    generator = SeededGenerator(seed: generator.next())
    self.motion = motion
    let person = SyntheticPerson.random(using: &generator)
    var style = Style(person: person, generator: SeededGenerator(seed: generator.next()))
    let script =
      motion.isCounted
      ? TrialScript(repeating: motion, in: &style)
      : TrialScript(idling: motion, seconds: seconds, in: &style)
    repetitions = script.repetitions
    let track = PostureTrack(script.keys)
    let solver = BodySolver(
      person: person, kneeSpread: generator.uniform(0...0.5),
      elbowSpread: generator.uniform(0.2...1.2))
    let sway = Sway(using: &generator)
    let frameRate = generator.pick([24.0, 25, 30])
    let times = (0..<Int(script.duration * frameRate)).map { Double($0) / frameRate }
    let bodies = times.map { time in
      solver.skeleton(for: sway.applied(to: track.posture(at: time), at: time))
    }
    func view(_ generator: inout SeededGenerator) -> TrialView {
      var view = TrialView(motion, person: person, bodies: bodies, times: times, using: &generator)
      for _ in 0..<Self.longestSearch where !view.shows(script.repetitions, at: times) {
        view = TrialView(motion, person: person, bodies: bodies, times: times, using: &generator)
      }
      return view
    }
    var first = view(&generator)
    var values = first.observed()
    if generator.chance(0.25) {
      var second = view(&generator)
      second.camera.aspectRatio = first.camera.aspectRatio
      let cut = Int(Float(times.count) * generator.uniform(0.2...0.8)) * 3 * BodyJoint.count
      values.replaceSubrange(cut..., with: second.observed()[cut...])
    }
    Self.lose(in: &values, frameRate: frameRate, using: &generator)
    aspectRatio = first.camera.aspectRatio
    poses =
      SyntheticMotionSample(
        label: motion.name, motion: motion, frameRate: frameRate, aspectRatio: aspectRatio,
        values: values, repetitions: script.repetitions
      ).poses
  }

  /// Frames without anybody, and limbs that are not found for a while.
  private static func lose(
    in values: inout [Float], frameRate: Double, using generator: inout SeededGenerator
  ) {
    let size = 3 * JointKey.body.count
    let frameCount = values.count / size
    func stretch(_ seconds: ClosedRange<Float>, _ generator: inout SeededGenerator) -> Range<Int> {
      let start = Int(generator.uniform(0...0.95) * Float(frameCount))
      let length = Int(generator.uniform(seconds) * Float(frameRate))
      return start..<min(frameCount, start + max(1, length))
    }
    if generator.chance(0.35) {
      for _ in 0..<Int(generator.uniform(1...4.99)) {
        for index in stretch(0.1...0.8, &generator) {
          for place in (index * size)..<((index + 1) * size) { values[place] = 0 }
        }
      }
    }
    if generator.chance(0.25) {
      let limb = generator.pick(SimulatedEstimator.limbs)
      for index in stretch(0.3...1.5, &generator) {
        for joint in limb { values[index * size + 2 * BodyJoint.count + joint.rawValue] *= 0.1 }
      }
    }
  }
}

private struct TrialView {
  var camera: ObservingCamera
  private let views: [[Vector]]
  private var estimator: SimulatedEstimator

  init(
    _ motion: Motion, person: SyntheticPerson, bodies: [Skeleton], times: [Double],
    using generator: inout SeededGenerator
  ) {
    camera = ObservingCamera(
      for: motion, duration: times.last ?? 0, mayTurn: false, using: &generator)
    var index = -1
    views = camera.views(of: person, at: times) { _ in
      index += 1
      return bodies[index]
    }
    estimator = SimulatedEstimator(.workouts, sighting: motion.sighting, using: &generator)
  }

  mutating func observed() -> [Float] { estimator.observed(views, camera: camera) }

  /// Whether one could see the repetitions: the two joints in the picture that move most do so by
  /// more than the noise, as root mean square deviations within a repetition.
  func shows(_ repetitions: [SyntheticSession.Repetition], at times: [Double]) -> Bool {
    guard !repetitions.isEmpty else { return true }
    let picture = camera.picture(of: views)
    let frames = repetitions.map { repetition in
      times.indices.filter { repetition.start <= times[$0] && times[$0] < repetition.end }
    }
    let seen = frames.joined()
    let moves = BodyJoint.noseAndLimbs.compactMap { joint -> Float? in
      let outside = seen.count { frame in
        let place =
          (SIMD2(views[frame][joint].x, views[frame][joint].y) - picture.corner)
          / picture.size
        return place.min() < 0 || place.max() > 1
      }
      guard outside * 5 < seen.count else { return nil }
      return deviation(of: joint, in: views, during: frames)
    }
    guard moves.count > 3 else { return false }
    return moves.sorted().suffix(2).reduce(0, +) / 2 > max(0.008, 3 * estimator.tremble)
  }
}
