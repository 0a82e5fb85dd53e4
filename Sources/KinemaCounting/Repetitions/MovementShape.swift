import KinemaPose

/// What a repetition looks like: the mean posture, and how far each limb goes, in body sizes.
///
/// Without a classifier it is what distinguishes one movement from the next: push-ups from the jumping jacks that
/// follow, beside whose travel they would all be attempts.
struct MovementShape {
  /// How far the shapes before and after a change of the movement are from each other at least; see
  /// ``distance(to:)``.
  ///
  /// Chosen on recorded sequences of Countix, each of one exercise. In 80 times two or three of different exercises
  /// one after the other, 178 of 1327 repetitions are attempts by one median for all, and 24 where movements are
  /// distinguished, about as many as in each alone (25); 0.5 and 0.7 differ little.
  static let leastChange: Float = 0.6
  /// How far the shapes of a movement are from each other at most that is done again after another one, or after
  /// a pause; smaller, since many exercises are like another one in which one stands.
  static let mostDistance: Float = 0.4
  /// How many repetitions on each side show whether a movement changes: the median of three does not take a
  /// repetition that failed for another movement.
  static let reach = 3
  /// The fewest joints that two shapes are compared by.
  private static let leastJoints = 4
  /// The smallest body, in heights of the picture: "no pose" is a point in some files.
  private static let smallestSize: Float = 1e-3

  /// Nose and limbs from the middle of the hips; not numbers where a joint was never found.
  private var posture: [SIMD2<Float>]
  /// How far each goes from one end to the other.
  private var travels: [Float]

  /// The shape of a movement between two frames of a track; `nil` where there is no body.
  init?(_ track: MotionTrack, _ frames: Range<Int>) {
    let frames = frames.filter { track.isValid[$0] }
    func place(_ joint: BodyJoint, _ frame: Int) -> SIMD2<Float> {
      track.positions[frame * MotionTrack.jointCount + joint.rawValue]
    }
    let hips = frames.map { (place(.rightHip, $0) + place(.leftHip, $0)) / 2 }
    let home = SIMD2(hips.map(\.x).median, hips.map(\.y).median)
    let joints = BodyJoint.noseAndLimbs
    let seen = joints.filter { track.isJointSeen[$0] }
    let size = MotionFeatures.size(track, frames, hips: hips, joints: seen)
    guard size > Self.smallestSize, seen.count >= Self.leastJoints else { return nil }
    posture = []
    travels = []
    for joint in joints {
      guard track.isJointSeen[joint] else {
        posture.append(SIMD2(repeating: .nan))
        travels.append(.nan)
        continue
      }
      var (low, high) = (SIMD2<Float>(repeating: .infinity), SIMD2<Float>(repeating: -.infinity))
      var sum = SIMD2<Float>.zero
      for frame in frames {
        let offset = (place(joint, frame) - home) / size
        (low, high) = (pointwiseMin(low, offset), pointwiseMax(high, offset))
        sum += offset
      }
      posture.append(sum / Float(frames.count))
      travels.append(((high - low) * (high - low)).sum().squareRoot())
    }
  }

  /// The median of shapes, number by number; `nil` without any.
  init?(medianOf shapes: [MovementShape]) {
    guard let first = shapes.first else { return nil }
    func median(_ values: [Float]) -> Float {
      let known = values.filter { !$0.isNaN }
      return known.isEmpty ? .nan : known.median
    }
    posture = first.posture.indices.map { joint in
      SIMD2(
        median(shapes.map { $0.posture[joint].x }), median(shapes.map { $0.posture[joint].y }))
    }
    travels = first.travels.indices.map { joint in median(shapes.map { $0.travels[joint] }) }
  }

  /// How different two shapes are: the root mean square distance of the joints of their postures, in body sizes,
  /// and 1 less the cosine of the angle between their travels, which do not depend on how far a repetition goes.
  ///
  /// 0 where fewer than four joints were found in both.
  func distance(to other: MovementShape) -> Float {
    let joints = travels.indices.filter { !travels[$0].isNaN && !other.travels[$0].isNaN }
    guard joints.count >= Self.leastJoints else { return 0 }
    var (squares, product, own, others) = (Float(0), Float(0), Float(0), Float(0))
    for joint in joints {
      let offset = posture[joint] - other.posture[joint]
      squares += (offset * offset).sum()
      product += travels[joint] * other.travels[joint]
      own += travels[joint] * travels[joint]
      others += other.travels[joint] * other.travels[joint]
    }
    let lengths = (own * others).squareRoot()
    let angle = lengths > 0 ? 1 - product / lengths : 0
    return (squares / Float(joints.count)).squareRoot() + angle
  }

  // MARK: - Movements

  /// Divides repetitions that follow one another where the movement changes.
  ///
  /// - Parameter shapes: The shape of each repetition; `nil` where it has none.
  /// - Returns: The repetitions of each movement, by their places.
  static func movements(of shapes: [MovementShape?]) -> [Range<Int>] {
    let changes = shapes.indices.map { place -> Float in
      let before = MovementShape(
        medianOf: shapes[max(0, place - reach)..<place].compactMap { $0 })
      let after = MovementShape(
        medianOf: shapes[place..<min(place + reach, shapes.count)].compactMap { $0 })
      guard let before, let after else { return 0 }
      return before.distance(to: after)
    }
    let starts = shapes.indices.dropFirst().filter { place in
      let near = max(1, place - reach + 1)..<min(place + reach, shapes.count)
      return changes[place] > leastChange && changes[place] >= (changes[near].max() ?? 0)
    }
    let ends = starts + [shapes.count]
    return zip([0] + starts, ends).filter { $0 < $1 }.map { $0..<$1 }
  }
}

/// The movements of a person, each with its number from 1.
struct Movements {
  private var shapes: [MovementShape?] = []

  /// The number of a movement: that of the one so far that is most like it, or a new one.
  mutating func number(of shape: MovementShape?) -> Int {
    let distances = shapes.map { known -> Float in
      guard let known, let shape else { return .infinity }
      return known.distance(to: shape)
    }
    let nearest = distances.indices.min { distances[$0] < distances[$1] }
    if let nearest, distances[nearest] <= MovementShape.mostDistance { return nearest + 1 }
    shapes.append(shape)
    return shapes.count
  }
}
