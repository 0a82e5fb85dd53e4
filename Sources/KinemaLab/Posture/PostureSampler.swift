import Foundation
import KinemaAction
import KinemaFiles
import KinemaPose
import KinemaRandom
import KinemaSynth
import KinemaTraining

/// A moment of a person whose posture is known.
struct PostureExample: Sendable {
  let signs: PostureSigns
  let kind: HumanBodyPosture.Kind
  /// Whether the person does nothing in particular; `nil` where that is open.
  let isPlain: Bool?
  /// What the person does.
  let name: String
}

/// Films synthetic people and motion capture, and finds their postures in space.
///
/// Example i depends only on the seed and i.
struct PostureSampler: Sendable {
  let seed: UInt64
  /// The share of sequences in which poses fail as in ``KinemaTraining/PoseFailure``, and of those that
  /// tremble more than a large person near the camera.
  private static let (failureShare, tremblingShare): (Float, Float) = (0.35, 0.3)
  private static let (nearShare, highShare, panningShare): (Float, Float, Float) = (0.2, 0.3, 0.5)
  /// The downward angles of cameras that are high above, in radians.
  private static let highPitches: ClosedRange<Float> = 0.35...1.1
  /// How long a sequence is, and when a moment is taken, in seconds.
  private static let duration = 3.4
  private static let moments = [1.1, 2.2, 3.3]

  /// What people do every day, and how they lie, comes more often than exercises.
  private static let classes: [SyntheticMotionClass] = SyntheticMotionClass.workout.flatMap {
    kind in
    // Somebody has to be there.
    kind.byMotion.filter { $0.motions.allSatisfy(\.showsPerson) }.map { motion in
      SyntheticMotionClass(
        motion.label, share: motion.share * (emphasis[kind.label] ?? 1), motions: motion.motions,
        weights: [1])
    }
  }

  private static let emphasis = [
    "walking": 14.0, "running": 6, "standing": 6, "sitting": 8, "lying": 15, "falling": 12,
  ]
  /// The labels of `Workout` that are postures of somebody who does nothing in particular.
  private static let views: Set = ["walking", "running", "standing", "sitting", "lying"]
  private static let plainMotions = Set(
    SyntheticMotionClass.workout.filter { views.contains($0.label) }.flatMap(\.motions)
      .map(\.name)
  ).subtracting(["swaying_walk"])

  /// Whether a motion is walking or running, where its label says so.
  private static let steps: [String: HumanBodyPosture.Kind] = Dictionary(
    SyntheticMotionClass.workout.flatMap { label in
      let kind = HumanBodyPosture.Kind(rawValue: label.label).flatMap { $0.isLocomotion ? $0 : nil }
      return kind.map { kind in label.motions.map { ($0.name, kind) } } ?? []
    },
    uniquingKeysWith: { first, _ in first })

  func synthetic(_ index: Int) -> [PostureExample] {
    let sampler = SyntheticMotionSampler(
      classes: Self.classes, duration: Self.duration, seed: seed)
    let take = sampler.take(index)
    var generator = take.generator
    let isPlain = Self.plainMotions.contains(take.motion.name)
    return examples(
      of: take.session.person, take.motion, name: take.motion.name,
      steps: { kind in
        // Walks of synthetic people have no pauses.
        kind.isLocomotion || kind == .standing ? Self.steps[take.motion.name] : nil
      }, using: &generator, isPlain: { _ in isPlain }, skeleton: take.skeleton)
  }

  /// - Parameter start: The moment of the recording, in seconds.
  func captured(
    _ recording: MotionCapture.Recording, from start: Double, _ index: Int
  ) -> [PostureExample] {
    var outer = SeededGenerator(seed: seed &+ UInt64(index) &* 0xD134_2543_DE82_EF95)
    var generator = SeededGenerator(seed: outer.next() ^ 0x90_57)
    let motion = recording.motion
    return examples(
      of: SyntheticPerson(stature: motion.stature), .standing, name: recording.label.rawValue,
      steps: { kind in
        kind.isLocomotion ? HumanBodyPosture.Kind(rawValue: recording.label.rawValue) : nil
      },
      duration: min(Self.duration, motion.duration), using: &generator
    ) { truth in
      switch recording.label {
      case .walking, .running: true
      case .everyday: truth.isStill
      default: truth.isStill == true ? nil : false
      }
    } skeleton: {
      motion.skeleton(at: start + $0)
    }
  }

  /// Where sequences of a recording begin, in seconds: some overlap.
  static func starts(in recording: MotionCapture.Recording, stride: Double) -> [Double] {
    Array(Swift.stride(from: 0, through: max(0, recording.motion.duration - duration), by: stride))
  }

  private func examples(
    of person: SyntheticPerson, _ motion: Motion, name: String,
    steps: (HumanBodyPosture.Kind) -> HumanBodyPosture.Kind?,
    duration: Double = PostureSampler.duration, using generator: inout SeededGenerator,
    isPlain: (PostureTruth) -> Bool?,
    skeleton: (Double) -> Skeleton
  ) -> [PostureExample] {
    let pitch =
      generator.chance(Self.highShare) ? generator.uniform(Self.highPitches) : nil
    let camera = ObservingCamera(
      for: motion, duration: duration, mayTurn: false, nearShare: Self.nearShare,
      pitch: pitch, using: &generator)
    let frameRate = PostureTruth.frameRate
    let times = (0..<max(1, Int(saturating: duration * frameRate))).map { Double($0) / frameRate }
    let bodies = times.map(skeleton)
    let way = bodies[bodies.count - 1].root - bodies[0].root
    let pans = generator.chance(Self.panningShare)
    let views = camera.views(of: person, at: times) { time in
      let body = bodies[min(Int(saturating: (time * frameRate).rounded()), bodies.count - 1)]
      guard pans else { return body }
      let gone = way * Float(time / duration)
      return body.placed(at: SIMD2(-gone.x, -gone.z), headingDegrees: 0)
    }
    var errors = EstimatorErrors.workouts
    errors.takesForUpright = generator.chance(0.5)
    var estimator = SimulatedEstimator(errors, sighting: motion.sighting, using: &generator)
    var values = estimator.observed(views, camera: camera)
    func fail(_ failure: PoseFailure, _ doses: ClosedRange<Float>) {
      values = failure.applied(
        to: values, joints: JointKey.body, dose: generator.uniform(doses), using: &generator)
    }
    if generator.chance(Self.tremblingShare) { fail(.noise, 0...0.02) }
    if generator.chance(Self.failureShare) {
      let failure = generator.pick(PoseFailure.allCases)
      fail(failure, 0...(failure == .noise ? 0.04 : failure == .missingLegs ? 1 : 0.5))
    }
    // Cameras of other rates, and streams that lose frames.
    let every = generator.pick([1, 1, 1, 2, 3, 6])
    let size = 3 * JointKey.body.count
    return Self.moments.compactMap { moment in
      let last = Int(saturating: moment * frameRate)
      guard last < times.count else { return nil }
      var course = PostureCourse()
      let first = max(0, last - Int(saturating: PostureCourse.memory * frameRate))
      for frame in Swift.stride(from: first, through: last, by: 1)
      where (last - frame).isMultiple(of: every) {
        let pose = Pose(multiArray: values[(frame * size)..<((frame + 1) * size)])
        course.add(
          pose.keypoints.isEmpty ? nil : pose, at: times[frame], aspectRatio: camera.aspectRatio)
      }
      guard let signs = course.signs() else { return nil }
      let truth = PostureTruth(Array(bodies[...last]), stature: person.stature)
      let kind = truth.kind
      return PostureExample(
        signs: signs, kind: steps(kind) ?? kind, isPlain: isPlain(truth), name: name)
    }
  }
}
