/// Whether a person repeats a movement in one place, as who exercises does and who walks about,
/// stands or helps does not.
///
/// - Input: the poses of one person, in pose coordinates.
/// - Output: when they last repeated a movement, in seconds.
///
/// A movement is repeated when the pose of a while ago comes back after another one in between: with
/// d(τ), the mean squared distance of joints to those of τ before, as a share of what it is between
/// any two moments, there is a period with a small d after a τ with a large one. Positions are those
/// in the frame, so that the legs of who walks through it do not come back.
struct PoseRhythm: Sendable {
  /// How much of the past is compared, in seconds: two slow repetitions.
  static let duration = 8.0
  /// The least interval of the compared poses, in seconds.
  static let step = 0.1
  /// The shortest and the longest period, in steps: jumping jacks and slow push-ups.
  private static let periods = 5...40
  /// The largest d of the same pose, and the smallest of another one.
  ///
  /// With these 70 % of 150 real clips of counted exercises repeat; of the others many show a single
  /// repetition. Waving, clapping and signing repeat as well.
  private static let same: Float = 0.5
  private static let other: Float = 0.9
  /// The least deviation of the joints, as a share of the diagonal of the body's box: curls of one
  /// arm have 0.03.
  private static let leastMotion: Float = 0.01
  /// The joints that move.
  private static let joints: [JointKey] = [
    .nose, .leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist, .rightWrist,
    .leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle,
  ]

  private typealias Sample = (time: Double, places: [SIMD2<Float>?], size: Float)

  /// When a movement was last repeated, in seconds.
  private(set) var lastTime: Double?
  /// When the newest pose came, in seconds.
  private(set) var newestTime = -Double.infinity
  private var samples: [Sample] = []

  /// Adds a pose at a time in seconds.
  mutating func add(_ pose: Pose, at time: Double) {
    newestTime = time
    if let last = samples.last?.time {
      // The past before a gap or a jump back is another one.
      if time < last || time - last > Self.duration / 2 {
        samples = []
      } else if time - last < Self.step * 0.9 {
        return
      }
    }
    guard let box = pose.boundingBox() else { return }
    let extent = box.upperRight - box.lowerLeft
    let places = Self.joints.map { key in
      pose.keypoints[key].flatMap {
        $0.isUsable(above: JointPoint.leastConfidence) ? $0.position : nil
      }
    }
    samples.append((time, places, (extent * extent).sum().squareRoot()))
    samples.removeAll { time - $0.time > Self.duration }
    if repeats { lastTime = time }
  }

  private var repeats: Bool {
    guard samples.count >= 2 * Self.periods.lowerBound + 2 else { return false }
    let size = samples.reduce(0) { $0 + $1.size } / Float(samples.count)
    let spread = 2 * variance
    let least = Self.leastMotion * size
    guard spread > 2 * least * least else { return false }
    var hasLeft = false
    // A period is seen one and a half times.
    let longest = min(Self.periods.upperBound, samples.count * 2 / 3)
    for lag in 1...longest {
      guard let distance = distance(lag).map({ $0 / spread }) else { continue }
      if hasLeft, lag >= Self.periods.lowerBound, distance <= Self.same { return true }
      hasLeft = hasLeft || distance >= Self.other
    }
    return false
  }

  /// The mean squared deviation of the joints from their means.
  private var variance: Float {
    var (sum, count): (Float, Float) = (0, 0)
    for joint in Self.joints.indices {
      let places = samples.compactMap { $0.places[joint] }
      let mean = places.reduce(.zero, +) / Float(max(1, places.count))
      for place in places {
        sum += ((place - mean) * (place - mean)).sum()
        count += 1
      }
    }
    return count > 0 ? sum / count : 0
  }

  /// The mean squared distance of the joints to those of so many samples before; `nil` where none is
  /// seen in both.
  private func distance(_ lag: Int) -> Float? {
    var (sum, count): (Float, Float) = (0, 0)
    for (now, before) in zip(samples.dropFirst(lag), samples) {
      for case (let place?, let old?) in zip(now.places, before.places) {
        sum += ((place - old) * (place - old)).sum()
        count += 1
      }
    }
    return count > 0 ? sum / count : nil
  }
}
