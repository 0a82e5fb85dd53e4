/// Tells whether a movement changes sides: half a cycle later the body is its own mirror image.
///
/// From the front that is an image with left and right exchanged and mirrored, from the side one
/// with only the names of left and right exchanged.
struct SideChanges {
  /// The distance to the mirror image half a cycle away, as a share of that to the body itself there,
  /// under which the sides have changed.
  static let mirrorShare: Float = 0.65
  /// The same, as a share of what moments that have nothing to do with each other are apart.
  static let varianceShare: Float = 0.7

  private let plain: FeatureGroup
  private let mirrored: [FeatureGroup]

  init(_ features: MotionFeatures) {
    plain = Self.joined(features.whole, features.angles)
    mirrored = [features.wholeSwapped, features.wholeMirrored].map {
      Self.joined($0, features.anglesSwapped)
    }
  }

  /// Whether the movement changes sides.
  ///
  /// - Parameters:
  ///   - frames: The frames of the movement.
  ///   - cycle: For each of them, how many frames both sides take together.
  func alternates(in frames: Range<Int>, cycle: (Int) -> Double) -> Bool {
    var own: Float = 0
    var images = [Float](repeating: 0, count: mirrored.count)
    var samples = 0
    for frame in frames {
      let half = Int((cycle(frame) / 2).rounded())
      for other in [frame - half, frame + half] where other >= 0 && other < plain.count {
        own += Self.distance(plain, frame, plain, other)
        for (index, image) in mirrored.enumerated() {
          images[index] += Self.distance(plain, frame, image, other)
        }
        samples += 1
      }
    }
    guard samples > 0, let nearest = images.min() else { return false }
    let middle = (frames.lowerBound + frames.upperBound) / 2
    let variance = plain.variances(at: [middle], reach: frames.count / 2 + 1).reduce(0, +)
    // Two moments that have nothing to do with each other are twice the variance apart.
    let level = nearest / Float(samples)
    return nearest < Self.mirrorShare * own && level < Self.varianceShare * 2 * variance
  }

  private static func joined(_ first: FeatureGroup, _ second: FeatureGroup) -> FeatureGroup {
    var values: [Float] = []
    values.reserveCapacity(first.values.count + second.values.count)
    for frame in 0..<first.count {
      values += first.values[(frame * first.dimension)..<((frame + 1) * first.dimension)]
      values += second.values[(frame * second.dimension)..<((frame + 1) * second.dimension)]
    }
    return FeatureGroup(dimension: first.dimension + second.dimension, values: values)
  }

  private static func distance(
    _ first: FeatureGroup, _ frame: Int, _ second: FeatureGroup, _ other: Int
  ) -> Float {
    let dimension = first.dimension
    var sum: Float = 0
    for column in 0..<dimension {
      let difference =
        first.values[frame * dimension + column] - second.values[other * dimension + column]
      sum += difference * difference
    }
    return sum
  }
}
