import Foundation
import KinemaDepth
import KinemaFiles
import KinemaPose
import KinemaRandom
import KinemaSynth
import KinemaTraining

/// Generates what the lifter learns from: moments of moving bodies before simulated cameras, with the truth.
///
/// A sequence depends only on the parameters and its number.
struct DepthSampler: Sendable {
  /// A moment: what the network reads, and what is true.
  struct Sample: Sendable {
    let input: [Float]
    /// The first numbers of ``KinemaDepth/LiftOutput``, without errors: see ``Truth``.
    let truth: Truth
  }

  /// A body at a moment.
  struct Truth: Sendable {
    /// From the middle of the hips in the camera's coordinates, in statures.
    let places: [Vector]
    /// The direction against gravity in these.
    let up: Vector
    /// In metres.
    let stature: Float
    /// Radians, in the order of ``KinemaDepth/BodyAngle``.
    let angles: [Float]
    /// From which side the camera sees the person, in radians: 0 is the front, π the back.
    let view: Float
    let isLive: Bool
  }

  /// How real people move; `nil` for synthetic ones only.
  let capture: MotionCapture?
  let seed: UInt64
  /// The share of sequences of ``capture``, where there is one.
  var captureShare: Float = 0.6
  /// Whether bodies of ``capture`` are changed into those of other people.
  var reshapes = true
  /// The share of sequences in which joints are misplaced as far as was measured.
  var measuredShare: Float = 0
  private let people: SyntheticMotionSampler
  /// The moments up to which the recordings last, one after the other.
  private let ends: [Double]

  static let frameRate = 30.0
  private static let frameCount = 90
  /// The share of sequences with measured errors in which left and right are exchanged now and then.
  private static let exchangingShare: Float = 0.05
  /// The moments of a sequence that are learned.
  static let momentCount = 8

  init(_ capture: MotionCapture?, seed: UInt64) {
    self.capture = capture
    self.seed = seed
    var people = SyntheticMotionSampler(
      classes: SyntheticMotionClass.workout,
      duration: Double(Self.frameCount) / Self.frameRate, frameRate: Self.frameRate,
      seed: seed ^ 0xD3)
    people.hasManners = true
    self.people = people
    var end = 0.0
    ends =
      capture?.recordings.map { recording in
        end += recording.motion.duration
        return end
      } ?? []
  }

  /// The moments of a sequence: fewer where the person is not seen.
  func samples(_ index: Int) -> [Sample] {
    var generator = SeededGenerator(seed: seed, at: UInt64(index))
    let bodies =
      !ends.isEmpty && generator.chance(captureShare)
      ? captured(using: &generator) : synthetic(index)
    let camera = DepthCamera(using: &generator)
    let roots = bodies.skeletons.map { $0.root }
    var middle = roots.reduce(Vector()) { $0 + $1 } / Float(max(1, roots.count))
    // The middle of a body that stands is a little above its hips.
    middle.y = bodies.skeletons.reduce(0) { $0 + ($1.root.y + $1.neck.y) / 2 } / Float(roots.count)
    let pans = generator.chance(0.5)
    let truths = bodies.skeletons.map { body in
      let center = pans ? Vector(body.root.x, middle.y, body.root.z) : middle
      return camera.places(body.bodyJoints.map { ($0 - center) / bodies.stature })
    }
    let hasMeasuredErrors = measuredShare > 0 && generator.chance(measuredShare)
    var errors = hasMeasuredErrors ? EstimatorErrors.measured : .workouts
    errors.takesForUpright = true
    var estimator = SimulatedEstimator(errors, using: &generator)
    var observed = estimator.observed(truths.map(camera.view), in: camera.picture)
    if hasMeasuredErrors, generator.chance(Self.exchangingShare) {
      observed = PoseFailure.exchangedSides.applied(
        to: observed, joints: JointKey.body, dose: generator.uniform(0...0.3), using: &generator)
    }
    var frames = Self.frames(observed)
    if generator.chance(0.15) { Self.loseJoints(of: &frames, using: &generator) }
    if generator.chance(0.25) {
      frames = frames.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    }
    return (0..<Self.momentCount).compactMap { _ in
      let moment = Int(generator.next() % UInt64(frames.count))
      let isLive = generator.chance(0.5)
      guard
        let input = LiftWindow.input(
          of: moment, in: frames, aspectRatio: camera.aspectRatio,
          future: isLive ? 0 : LiftWindow.future)
      else { return nil }
      let number = Int(saturating: (frames[moment].time * Self.frameRate).rounded())
      return Sample(
        input: input,
        truth: truth(
          truths[number], of: bodies.skeletons[number], stature: bodies.stature, camera,
          isLive: isLive))
    }
  }

  private func truth(
    _ places: [Vector], of body: Skeleton, stature: Float, _ camera: DepthCamera, isLive: Bool
  ) -> Truth {
    let hips = (places[.leftHip] + places[.rightHip]) / 2
    let places = places.map { $0 - hips }
    let left = places[.leftHip] - places[.rightHip]
    return Truth(
      places: places, up: camera.gravity, stature: stature,
      angles: BodyAngle.values(of: places, up: camera.gravity),
      view: atan2(left.z, left.x), isLive: isLive)
  }

  /// A stretch of a recording, of which any moment is as likely, as another person would move.
  private func captured(
    using generator: inout SeededGenerator
  ) -> (skeletons: [Skeleton], stature: Float) {
    guard let capture, let last = ends.last else { return ([], 1) }
    let moment = Double(generator.unit()) * last
    let place = ends.firstIndex { moment < $0 } ?? ends.count - 1
    let motion = capture.recordings[place].motion
    let count = min(motion.frames.count, Self.frameCount)
    let latest = motion.frames.count - count
    let within = (moment - (ends[place] - motion.duration)) * motion.frameRate
    let start = min(max(0, Int(saturating: within) - count / 2), latest)
    let isMirrored = generator.chance(0.5)
    let factors = reshapes ? CapturedMotion.factors(using: &generator) : Self.noFactors
    let stretch = motion.reshaped(
      by: factors, isMirrored: isMirrored, frames: start..<(start + count))
    let skeletons = (0..<count).map { stretch.skeleton(at: Double($0) / motion.frameRate) }
    return (skeletons, stretch.stature)
  }

  private static let noFactors = [Float](repeating: 1, count: CapturedJoint.allCases.count)

  private func synthetic(_ index: Int) -> (skeletons: [Skeleton], stature: Float) {
    let take = people.take(index)
    let times = (0..<Self.frameCount).map { Double($0) / Self.frameRate }
    return (times.map(take.skeleton), take.session.person.stature)
  }

  private static func frames(_ values: [Float]) -> [LiftWindow.Frame] {
    let size = 3 * BodyJoint.count
    return (0..<(values.count / size)).map { frame in
      let start = frame * size
      return LiftWindow.Frame(
        time: Double(frame) / frameRate, values: Array(values[start..<(start + size)]))
    }
  }

  /// Some joints are not found: all the time, or now and then.
  private static func loseJoints(
    of frames: inout [LiftWindow.Frame], using generator: inout SeededGenerator
  ) {
    let share: Float = generator.chance(0.5) ? 0 : generator.uniform(0.02...0.2)
    let gone = (0..<BodyJoint.count).filter { _ in generator.chance(0.12) }
    frames = frames.map { frame in
      var values = frame.values
      for joint in 0..<BodyJoint.count where gone.contains(joint) || generator.chance(share) {
        for row in 0..<3 { values[row * BodyJoint.count + joint] = 0 }
      }
      return LiftWindow.Frame(time: frame.time, values: values)
    }
  }
}
