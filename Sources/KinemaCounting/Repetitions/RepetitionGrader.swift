import Foundation
import KinemaPose

/// Measures how repetitions are performed.
package enum RepetitionGrader {
  /// How many joints the range of motion is measured by.
  static let movingJointCount = 3
  /// The sum of the steps' repetitions from which on a set of one is a whole repetition, however
  /// small: its cuts may lie beside it, where the body rests or comes back to another side.
  ///
  /// Ways in and out of movements are up to 0.63 in the clips of Countix; chosen there and with
  /// `kinema bench counting --seed 9003` and 101 to 103.
  static let wholeRepetition = 0.7
  /// The least number of repetitions of which a median range is taken.
  static let leastForMedian = 3

  /// The joints that bend, in the order of the angles of ``MotionFeatures/angles``.
  private static let bendingJoints: [JointKey] = [
    .rightElbow, .leftElbow, .rightShoulder, .leftShoulder, .rightHip, .leftHip, .rightKnee,
    .leftKnee,
  ]
  /// Right and left of each pair, as places in ``BodyJoint/noseAndLimbs``.
  private static let pairs = [(1, 4), (2, 5), (3, 6), (7, 10), (8, 11), (9, 12)]

  /// Measures the repetitions between cuts.
  ///
  /// - Parameters:
  ///   - path: The movement.
  ///   - cuts: The times in seconds at which repetitions begin and end, one more than repetitions.
  static func qualities(of path: PosturePath, between cuts: [Double]) -> [Repetition.Quality] {
    let stretches = zip(cuts, cuts.dropFirst()).map { frames(of: path.track, from: $0, to: $1) }
    let travels = stretches.map { Self.travels(in: path.features, $0) }
    let bends = stretches.map { Self.bends(in: path.features, $0) }
    let limbs = BodyJoint.noseAndLimbs
    let order = limbs.indices.sorted { first, second in
      let (a, b) = (travels.map { $0[first] }.median, travels.map { $0[second] }.median)
      return (b, first) < (a, second)
    }
    let moving = order.filter { path.track.isJointSeen[limbs[$0]] }.prefix(movingJointCount)
    let bending =
      bendingJoints.indices.max { first, second in
        bends.map { $0[first] }.median < bends.map { $0[second] }.median
      } ?? 0
    return stretches.indices.map { index in
      let own = symmetry(travels[index], travels[index])
      let neighbours = [index - 1, index + 1].filter { travels.indices.contains($0) }
      let crossed = neighbours.map { symmetry(travels[index], travels[$0]) }
      let range = moving.reduce(Float(0)) { $0 + travels[index][$1] } / Float(max(moving.count, 1))
      return Repetition.Quality(
        movingJoints: moving.map { limbs[$0].key }, rangeOfMotion: Double(range),
        bendingJoint: bendingJoints[bending], bend: Double(bends[index][bending]) * 180 / .pi,
        symmetry: Double(([own] + crossed).max() ?? own))
    }
  }

  /// What repetitions have in common whose ranges are compared.
  private struct Kind: Hashable {
    let action: String?
    let movement: Int?

    init(_ repetition: Repetition) {
      (action, movement) = (repetition.action, repetition.movement)
    }
  }

  /// Marks the repetitions whose range is under a share of the median of their action, or of their movement
  /// where there is no classifier.
  package static func markAttempts(in repetitions: [Repetition], share: Double) -> [Repetition] {
    var ranges: [Kind: [Float]] = [:]
    for repetition in repetitions {
      if let range = repetition.quality?.rangeOfMotion {
        ranges[Kind(repetition), default: []].append(Float(range))
      }
    }
    return repetitions.map { repetition in
      guard let quality = repetition.quality, let all = ranges[Kind(repetition)],
        all.count >= leastForMedian
      else { return repetition }
      var graded = repetition
      graded.quality?.isAttempt = quality.rangeOfMotion < share * Double(all.median)
      return graded
    }
  }

  /// Leaves out sets of part of a repetition that is smaller than the others of its action: the way
  /// into or out of a movement.
  ///
  /// Such a way looks like no other movement, so without a classifier it is compared with all of them.
  ///
  /// - Parameters:
  ///   - sets: Repetitions of one action each that follow one another.
  ///   - phases: For each set, the sum of its steps' repetitions.
  ///   - attemptShare: The share of the median range under which a repetition is an attempt.
  package static func withoutPartial(
    _ sets: [[Repetition]], phases: [Double], attemptShare: Double
  ) -> [[Repetition]] {
    var ranges: [String?: [Float]] = [:]
    for repetition in sets.joined() {
      guard let range = repetition.quality?.rangeOfMotion else { continue }
      ranges[repetition.action, default: []].append(Float(range))
    }
    return zip(sets, phases).map { set, phase in
      guard let only = set.first, set.count == 1, phase < wholeRepetition,
        let range = only.quality?.rangeOfMotion, let all = ranges[only.action],
        all.count >= leastForMedian
      else { return set }
      return range / Double(all.median) < attemptShare ? [] : set
    }
  }

  /// The frames of a track between two times in seconds.
  static func frames(
    of track: MotionTrack, from start: Double, to end: Double
  ) -> Range<Int> {
    let low = ((start - track.startTime) * MotionTrack.frameRate).rounded()
    let high = ((end - track.startTime) * MotionTrack.frameRate).rounded()
    let first = Int(min(max(low, 0), Double(max(track.count - 1, 0))))
    return first..<max(first, min(Int(max(high, 0)) + 1, track.count))
  }

  /// The distance of each limb's extreme places, in body sizes.
  private static func travels(in features: MotionFeatures, _ frames: Range<Int>) -> [Float] {
    let spans = Self.spans(of: features.whole, frames)
    let scale = Float(BodyJoint.noseAndLimbs.count).squareRoot()
    return BodyJoint.noseAndLimbs.indices.map { hypotf(spans[2 * $0], spans[2 * $0 + 1]) * scale }
  }

  /// The range of each joint's angle, in radians.
  private static func bends(in features: MotionFeatures, _ frames: Range<Int>) -> [Float] {
    let spans = Self.spans(of: features.angles, frames)
    return bendingJoints.indices.map { spans[$0] * Float(8).squareRoot() }
  }

  private static func spans(of group: FeatureGroup, _ frames: Range<Int>) -> [Float] {
    (0..<group.dimension).map { column in
      var (low, high) = (Float.infinity, -Float.infinity)
      for frame in frames {
        let value = group.values[frame * group.dimension + column]
        (low, high) = (min(low, value), max(high, value))
      }
      return max(high - low, 0)
    }
  }

  /// The similarity of the right side of one repetition to the left side of another, and vice versa.
  private static func symmetry(_ first: [Float], _ second: [Float]) -> Float {
    var (lesser, greater) = (Float(0), Float(0))
    for (right, left) in pairs {
      for (a, b) in [(first[right], second[left]), (first[left], second[right])] {
        lesser += min(a, b)
        greater += max(a, b)
      }
    }
    return greater > 0 ? lesser / greater : 1
  }
}
