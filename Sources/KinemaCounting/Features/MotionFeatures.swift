import Foundation
import KinemaPose

/// The features of a posture that are compared between two moments, in units of the body's size:
/// the median over the frames of the root mean square distance of nose and limbs from the mid-hip.
package struct MotionFeatures: Sendable {
  /// Nose and limbs from where the hips are in the median: keeps the body's path; 26 features.
  package let whole: FeatureGroup
  /// Elbows, wrists and nose from the middle of the shoulders; 10 features.
  package let arms: FeatureGroup
  /// Knees and ankles from the middle of the hips; 8 features.
  package let legs: FeatureGroup
  /// Elbows, shoulders, hips and knees in radians, sine and cosine of the trunk's tilt; 10
  /// features.
  package let angles: FeatureGroup
  /// ``whole`` with left and right exchanged.
  package let wholeSwapped: FeatureGroup
  /// ``whole`` with left and right exchanged and mirrored.
  package let wholeMirrored: FeatureGroup
  /// ``angles`` with left and right exchanged.
  package let anglesSwapped: FeatureGroup
  /// How high the nose and of each pair of joints the higher and the lower one are, from where the
  /// hips are in the median; 13 features.
  ///
  /// From any view an alternating movement is at the same heights half a cycle later; places are so
  /// from the front and from the side alone.
  package let heights: FeatureGroup
  /// Position of ``whole`` along its principal directions of motion, without slow drift: small
  /// movements stand out from noise; 4 features.
  package let main: FeatureGroup
  /// ``wholeSwapped`` along the same directions.
  package let mainSwapped: FeatureGroup
  /// ``wholeMirrored`` along the same directions.
  package let mainMirrored: FeatureGroup
  /// How fast nose and limbs move, each beside its own usual speed; 13 features.
  ///
  /// From any view a limb that moves while its other one keeps still does so half a cycle before
  /// the other one.
  package let rhythm: FeatureGroup
  /// ``rhythm`` with left and right exchanged.
  package let rhythmSwapped: FeatureGroup

  /// The number of frames.
  package var count: Int { whole.count }
  /// The four groups: ``whole``, ``arms``, ``legs``, ``angles``.
  package var groups: [FeatureGroup] { [whole, arms, legs, angles] }

  /// The frames on either side by which movement is measured: three seconds.
  package static let reach = 45
  /// The same for liveliness: an eighth of a second.
  static let shortReach = 2
  /// The least for recurring movement: 0.8 seconds.
  private static let leastReach = 12
  /// The least pairs of moments for recurring movement.
  private static let leastSamples = 8

  private static let armJoints: [BodyJoint] = [
    .rightElbow, .rightWrist, .leftElbow, .leftWrist, .nose,
  ]
  private static let legJoints: [BodyJoint] = [.rightKnee, .rightAnkle, .leftKnee, .leftAnkle]
  private static let angledJoints: [(BodyJoint, BodyJoint, BodyJoint)] = [
    (.rightShoulder, .rightElbow, .rightWrist), (.leftShoulder, .leftElbow, .leftWrist),
    (.rightHip, .rightShoulder, .rightElbow), (.leftHip, .leftShoulder, .leftElbow),
    (.rightShoulder, .rightHip, .rightKnee), (.leftShoulder, .leftHip, .leftKnee),
    (.rightHip, .rightKnee, .rightAnkle), (.leftHip, .leftKnee, .leftAnkle),
  ]
  /// The other side's joint for each of ``BodyJoint/noseAndLimbs``, as places in that list.
  private static let otherLimbs = [0, 4, 5, 6, 1, 2, 3, 10, 11, 12, 7, 8, 9]
  private static let otherAngles = [1, 0, 3, 2, 5, 4, 7, 6, 8, 9]

  /// Computes the features of a track.
  package init(_ track: MotionTrack) {
    let (places, count, joints) = (track.positions, track.count, MotionTrack.jointCount)
    func middle(_ one: BodyJoint, _ other: BodyJoint, at base: Int) -> SIMD2<Float> {
      (places[base + one.rawValue] + places[base + other.rawValue]) / 2
    }
    let hips = (0..<count).map { middle(.rightHip, .leftHip, at: $0 * joints) }
    let size = Self.size(track, 0..<count, hips: hips, joints: BodyJoint.noseAndLimbs) + 1e-6
    let home = SIMD2(hips.map(\.x).median, hips.map(\.y).median)
    var (whole, arms, legs, angles) = ([Float](), [Float](), [Float](), [Float]())
    var heights: [Float] = []
    func offsets(
      _ joints: [BodyJoint], at base: Int, from origin: SIMD2<Float>, unit: Float
    ) -> [Float] {
      joints.flatMap { joint in
        let offset = (places[base + joint.rawValue] - origin) / unit
        return [offset.x, offset.y]
      }
    }
    for frame in 0..<count {
      let base = frame * joints
      let shoulders = middle(.rightShoulder, .leftShoulder, at: base)
      let unit = size * Float(13).squareRoot()
      whole += offsets(BodyJoint.noseAndLimbs, at: base, from: home, unit: unit)
      arms += offsets(
        Self.armJoints, at: base, from: shoulders, unit: size * Float(5).squareRoot())
      legs += offsets(Self.legJoints, at: base, from: hips[frame], unit: size * 2)
      heights.append((places[base + BodyJoint.nose.rawValue].y - home.y) / unit)
      for (right, left) in BodyJoint.limbPairs {
        let one = places[base + right.rawValue].y - home.y
        let other = places[base + left.rawValue].y - home.y
        heights += [max(one, other) / unit, min(one, other) / unit]
      }
      for (a, b, c) in Self.angledJoints {
        let isKnown = track.isJointSeen[a] && track.isJointSeen[b] && track.isJointSeen[c]
        let u = places[base + a.rawValue] - places[base + b.rawValue]
        let v = places[base + c.rawValue] - places[base + b.rawValue]
        let angle = isKnown ? abs(atan2f(u.x * v.y - u.y * v.x, (u * v).sum())) : 0
        angles.append(angle / Float(8).squareRoot())
      }
      let trunk = places[base + BodyJoint.neck.rawValue] - hips[frame]
      let length = (trunk * trunk).sum().squareRoot()
      angles += length > 0 ? [trunk.x / length, trunk.y / length] : [0, 1]
    }
    self.whole = FeatureGroup(dimension: 26, values: whole)
    self.arms = FeatureGroup(dimension: 10, values: arms)
    self.legs = FeatureGroup(dimension: 8, values: legs)
    self.angles = FeatureGroup(dimension: 10, values: angles)
    self.heights = FeatureGroup(dimension: 13, values: heights)
    let order = Self.otherLimbs.flatMap { [2 * $0, 2 * $0 + 1] }
    wholeSwapped = self.whole.rearranged(
      order, signs: Array(repeating: 1, count: 26), keepingMean: true)
    wholeMirrored = self.whole.rearranged(
      order, signs: (0..<26).map { $0.isMultiple(of: 2) ? -1 : 1 }, keepingMean: true)
    rhythm = Self.rhythm(of: self.whole)
    rhythmSwapped = rhythm.rearranged(
      Self.otherLimbs, signs: Array(repeating: 1, count: 13), keepingMean: false)
    let movement = MainMovement(self.whole)
    main = movement.main
    (mainSwapped, mainMirrored) = (
      movement.along(order, signs: Array(repeating: 1, count: 26)),
      movement.along(order, signs: (0..<26).map { $0.isMultiple(of: 2) ? -1 : 1 })
    )
    anglesSwapped = self.angles.rearranged(
      Self.otherAngles, signs: (0..<10).map { $0 == 8 ? -1 : 1 }, keepingMean: false)
  }

  /// The cosine of the trunk's angle among the features of ``angles``.
  private static let trunkCosine = 9

  /// How much the person moves round each of the given frames: the root mean square deviation
  /// within three seconds on either side, of limbs in body sizes and angles in radians.
  package func motion(at frames: [Int]) -> [Float] {
    zip(
      whole.variances(at: frames, reach: Self.reach),
      angles.variances(at: frames, reach: Self.reach)
    ).map { ($0 + $1).squareRoot() }
  }

  /// How much the body moves at each of the given frames: the variance within an eighth of a second
  /// on either side, of limbs in body sizes and angles in radians.
  package func liveliness(at frames: [Int]) -> [Float] {
    zip(
      whole.variances(at: frames, reach: Self.shortReach),
      angles.variances(at: frames, reach: Self.shortReach)
    ).map { $0 + $1 }
  }

  /// How upright the trunk is at each of the given frames: the cosine of its angle to the vertical, 1
  /// upright, 0 lying, -1 head down.
  func uprightness(at frames: [Int]) -> [Float] {
    frames.map { angles.values[$0 * angles.dimension + Self.trunkCosine] }
  }

  /// The recurring movement round a frame: for each limb the root of the covariance of its places
  /// now and one lag away, of which noise and what happens once are no part; the mean of the two
  /// limbs where it is largest, in body sizes.
  ///
  /// Infinite where the track is too short.
  ///
  /// - Parameters:
  ///   - frame: The frame; one and a half lags on either side take part, three seconds at most.
  ///   - lag: The lag in frames.
  func returningMovement(at frame: Int, after lag: Int) -> Float {
    let reach = min(max(lag * 3 / 2, Self.leastReach), Self.reach)
    var pairs: [(Int, Int)] = []
    for here in stride(from: max(0, frame - reach), to: min(count, frame + reach + 1), by: 2) {
      for there in [here - lag, here + lag] where there >= 0 && there < count {
        pairs.append((here, there))
      }
    }
    guard pairs.count > Self.leastSamples else { return .infinity }
    let covariances = whole.covariances(with: whole, at: pairs)
    let limbs = whole.dimension / 2
    let sizes = (0..<limbs).map { limb -> Float in
      let (x, y) = (covariances[2 * limb], covariances[2 * limb + 1])
      return max(x + y, 0)
    }
    let largest = sizes.sorted().suffix(2).map { ($0 * Float(limbs)).squareRoot() }
    return largest.reduce(0, +) / 2
  }

  /// The share of the quickest limb's usual speed that is added to each limb's: what hardly moves
  /// has no rhythm.
  private static let addedSpeed: Float = 0.3
  /// How many times its usual speed a limb is taken to have at most.
  private static let highestSpeed: Float = 4

  /// The speeds of limbs beside what is usual for each: their root mean squares.
  private static func rhythm(of whole: FeatureGroup) -> FeatureGroup {
    let (count, limbs) = (whole.count, whole.dimension / 2)
    let places = whole.smoothed
    var speeds = FeatureGroup(
      dimension: limbs, values: [Float](repeating: 0, count: count * limbs))
    for frame in stride(from: 1, to: count - 1, by: 1) {
      for limb in 0..<limbs {
        let (after, before) = ((frame + 1) * limbs + limb, (frame - 1) * limbs + limb)
        let (x, y) = (
          places.values[2 * after] - places.values[2 * before],
          places.values[2 * after + 1] - places.values[2 * before + 1]
        )
        speeds.values[frame * limbs + limb] = (x * x + y * y).squareRoot()
      }
    }
    speeds = speeds.smoothed
    var squares = [Float](repeating: 0, count: limbs)
    for (index, speed) in speeds.values.enumerated() { squares[index % limbs] += speed * speed }
    let usual = squares.map { ($0 / Float(max(count, 1))).squareRoot() }
    let added = addedSpeed * (usual.max() ?? 0) + 1e-6
    let scale = 1 / Float(limbs).squareRoot()
    for index in speeds.values.indices {
      let share = speeds.values[index] / (usual[index % limbs] + added)
      speeds.values[index] = min(share, highestSpeed) * scale
    }
    return speeds
  }

  /// How large a body is: the median over frames of the root mean square distance of joints from the middle of
  /// the hips, in heights of the picture.
  static func size(
    _ track: MotionTrack, _ frames: some Collection<Int>, hips: [SIMD2<Float>], joints: [BodyJoint]
  ) -> Float {
    zip(frames, hips).map { frame, hip in
      let sum = joints.reduce(Float(0)) { sum, joint in
        let offset = track.positions[frame * MotionTrack.jointCount + joint.rawValue] - hip
        return sum + (offset * offset).sum()
      }
      return (sum / Float(max(joints.count, 1))).squareRoot()
    }.median
  }
}

extension [Float] {
  /// The middle value, or the mean of the two middle ones; 0 without values.
  var median: Float {
    guard !isEmpty else { return 0 }
    let sorted = sorted()
    let middle = count / 2
    return count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}
