import KinemaFiles
package import KinemaPose

/// Where a pose network sees the joints of a person, and where they are: what its errors are made of.
///
/// Places are in statures of the person as it appears, x to the right and y up.
package struct JointErrors: Sendable {
  /// Joints that are as hard to find.
  package enum Group: String, CaseIterable, Sendable {
    case head, shoulders, elbows, wrists, hips, knees, ankles

    var joints: [BodyJoint] {
      switch self {
      case .head: [.nose, .leftEye, .rightEye, .leftEar, .rightEar]
      case .shoulders: [.leftShoulder, .rightShoulder]
      case .elbows: [.leftElbow, .rightElbow]
      case .wrists: [.leftWrist, .rightWrist]
      case .hips: [.leftHip, .rightHip]
      case .knees: [.leftKnee, .rightKnee]
      case .ankles: [.leftAnkle, .rightAnkle]
      }
    }
  }

  /// A joint in a sequence.
  private struct Course {
    let group: Group
    /// The middle error's length; `nil` where the truth is not known.
    let constant: Float?
    /// The deviation in one direction of what changes with the movement; `nil` as that.
    let changing: Float?
    /// The deviation in one direction from frame to frame.
    let trembling: Float
  }

  package init() {}

  private var courses: [Course] = []
  private var frameCounts: [Group: (all: Int, lost: Int)] = [:]

  /// Joints with less confidence are lost.
  private static let leastConfidence: Float = 0.1
  /// In fewer frames nothing is measured.
  private static let leastFrames = 30
  /// The frames over which what trembles is averaged away: a quarter of a second.
  private static let span = 7

  /// Takes a joint in the frames of a sequence in which it is in the picture.
  ///
  /// - Parameters:
  ///   - found: Place and confidence; `nil` in frames without them.
  ///   - truth: The true place; `nil` where no frame's is known.
  package mutating func add(_ joint: BodyJoint, found: [SIMD3<Float>?], truth: [SIMD2<Float>]?) {
    guard let group = Group.allCases.first(where: { $0.joints.contains(joint) }) else { return }
    let known = found.map { $0.flatMap { $0.z >= Self.leastConfidence ? SIMD2($0.x, $0.y) : nil } }
    frameCounts[group, default: (0, 0)].all += known.count
    frameCounts[group, default: (0, 0)].lost += known.count { $0 == nil }
    guard let trembling = Self.trembling(known) else { return }
    let errors =
      truth.map { truth in zip(known, truth).compactMap { found, place in found.map { $0 - place } }
      }
    let middle = errors.map { errors in
      SIMD2(Self.median(errors.map(\.x)), Self.median(errors.map(\.y)))
    }
    courses.append(
      Course(
        group: group, constant: middle.map { ($0 * $0).sum().squareRoot() },
        changing: errors.map(Self.changing), trembling: trembling))
  }

  mutating func add(_ other: JointErrors) {
    courses += other.courses
    for (group, count) in other.frameCounts {
      frameCounts[group, default: (0, 0)].all += count.all
      frameCounts[group, default: (0, 0)].lost += count.lost
    }
  }

  /// The deviation of the noise in one direction: of fourth differences, to which movement adds little.
  static func trembling(_ places: [SIMD2<Float>?]) -> Float? {
    guard places.count >= leastFrames else { return nil }
    let weights: [Float] = [1, -4, 6, -4, 1]
    let squares = (0...(places.count - weights.count)).compactMap { start -> Float? in
      var sum = SIMD2<Float>()
      for (weight, place) in zip(weights, places[start...]) {
        guard let place else { return nil }
        sum += weight * place
      }
      return (sum * sum).sum() / 2
    }
    guard squares.count >= leastFrames / 2 else { return nil }
    // 70 is the sum of the weights' squares.
    return (squares.reduce(0, +) / Float(squares.count) / 70).squareRoot()
  }

  /// The deviation in one direction of the mean of a quarter of a second.
  static func changing(_ errors: [SIMD2<Float>]) -> Float {
    let means = (0...max(0, errors.count - span)).map { start in
      let part = errors[start..<min(errors.count, start + span)]
      return part.reduce(SIMD2(), +) / Float(max(1, part.count))
    }
    let mean = means.reduce(SIMD2(), +) / Float(means.count)
    let square = means.reduce(Float(0)) { $0 + (($1 - mean) * ($1 - mean)).sum() / 2 }
    return (square / Float(means.count)).squareRoot()
  }

  private static func median(_ values: [Float]) -> Float { quantile(values, 0.5) ?? 0 }

  static func quantile(_ values: [Float], _ share: Double) -> Float? {
    let sorted = values.sorted()
    return sorted.isEmpty ? nil : sorted[Int(saturating: Double(sorted.count - 1) * share)]
  }

  // MARK: - Results

  /// Lengths of joints of a kind in percent of the stature: medians over sequences.
  package struct Row: Encodable, Sendable {
    package let joints: String
    package let constant, changing: Float?
    /// The value that nine of ten joints do not exceed.
    package let mostChanging: Float?
    package let trembling: Float?
    /// The share of frames in which the joint is in the picture and not found.
    package let lost: Double
  }

  package var rows: [Row] {
    Group.allCases.compactMap { group in
      guard let frames = frameCounts[group], frames.all > 0 else { return nil }
      let own = courses.filter { $0.group == group }
      func percent(_ values: [Float], _ share: Double = 0.5) -> Float? {
        Self.quantile(values, share).map { 100 * $0 }
      }
      let changing = own.compactMap(\.changing)
      return Row(
        joints: group.rawValue, constant: percent(own.compactMap(\.constant)),
        changing: percent(changing), mostChanging: percent(changing, 0.9),
        trembling: percent(own.map(\.trembling)), lost: Double(frames.lost) / Double(frames.all))
    }
  }
}
