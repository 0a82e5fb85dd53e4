/// Generates labelled pose sequences of synthetic people: a training set.
///
/// Sequence i depends only on the parameters and i. The classes are spread evenly: any range of
/// indices has each class's share within one or two.
package struct SyntheticMotionSampler: Sendable {
  package let classes: [SyntheticMotionClass]
  /// How long a sequence is, in seconds.
  package let duration: Double
  package let frameRate: Double
  package let seed: UInt64
  /// The person of all sequences; `nil` for one of their own each.
  package var person: SyntheticPerson?
  /// Whether each person has a ``Manner`` of their own.
  package var hasManners = false
  /// The errors of the simulated pose network.
  package var errors = EstimatorErrors.workouts

  /// Creates a sampler of sequences of `duration` seconds, at least one frame.
  package init(
    classes: [SyntheticMotionClass] = SyntheticMotionClass.standard, duration: Double = 10 / 3,
    frameRate: Double = 30, seed: UInt64
  ) {
    precondition(!classes.isEmpty, "A sampler needs at least one class.")
    precondition(frameRate > 0 && duration * frameRate >= 0.5, "A sequence has a frame or more.")
    self.classes = classes
    self.duration = duration
    self.frameRate = frameRate
    self.seed = seed
  }

  /// The same sampler of one class.
  package func only(_ other: SyntheticMotionClass) -> SyntheticMotionSampler {
    var sampler = SyntheticMotionSampler(
      classes: [other], duration: duration, frameRate: frameRate, seed: seed)
    (sampler.person, sampler.hasManners, sampler.errors) = (person, hasManners, errors)
    return sampler
  }

  package var frameCount: Int { Int((duration * frameRate).rounded()) }

  /// A sequence; not below 0.
  package func sample(_ index: Int) -> SyntheticMotionSample {
    let take = take(index)
    var generator = take.generator
    let camera = ObservingCamera(for: take, using: &generator)
    var estimator = SimulatedEstimator(errors, sighting: take.motion.sighting, using: &generator)
    let views = camera.views(of: take, times: times)
    return SyntheticMotionSample(
      label: take.label, motion: take.motion, frameRate: frameRate,
      aspectRatio: camera.aspectRatio, values: estimator.observed(views, camera: camera),
      repetitions: take.repetitions)
  }

  /// A sequence in parts of equal length: the same person in the same manner, each from a camera of
  /// its own.
  package func takes(_ index: Int, count: Int) -> [SyntheticMotionSample] {
    let take = take(index)
    var generator = take.generator
    let frames = times.count / count
    return (0..<count).map { part in
      let camera = ObservingCamera(for: take, using: &generator)
      var estimator = SimulatedEstimator(errors, sighting: take.motion.sighting, using: &generator)
      let views = camera.views(
        of: take, times: Array(times[(part * frames)..<((part + 1) * frames)]))
      return SyntheticMotionSample(
        label: take.label, motion: take.motion, frameRate: frameRate,
        aspectRatio: camera.aspectRatio, values: estimator.observed(views, camera: camera),
        repetitions: [])
    }
  }

  /// What a sequence is about, found without making it: the label, the motion and how many
  /// repetitions are completed.
  package func summary(_ index: Int) -> (label: String, motion: Motion, repetitionCount: Int) {
    let take = take(index)
    return (take.label, take.motion, take.repetitions.count)
  }

  private var times: [Double] { (0..<frameCount).map { Double($0) / frameRate } }

  /// What is decided about a sequence before a camera is there.
  package func take(_ index: Int) -> SyntheticTake {
    precondition(index >= 0, "Sequences are counted from 0.")
    var generator = SeededGenerator(seed: seed &+ UInt64(index) &* 0xD134_2543_DE82_EF95)
    generator = SeededGenerator(seed: generator.next())
    return SyntheticTake(
      of: kind(index), duration: duration, person: person, hasManner: hasManners,
      using: &generator)
  }

  /// The class of a sequence: steps of the golden section spread any range evenly.
  private func kind(_ index: Int) -> SyntheticMotionClass {
    var generator = SeededGenerator(seed: seed)
    let offset = Double(generator.next() >> 11) * 0x1p-53
    let place = (offset + Double(index) * 0.618_033_988_749_894_9).truncatingRemainder(
      dividingBy: 1)
    var rest = place * classes.reduce(0) { $0 + $1.share }
    for kind in classes {
      rest -= kind.share
      if rest < 0 { return kind }
    }
    return classes[classes.count - 1]
  }
}
