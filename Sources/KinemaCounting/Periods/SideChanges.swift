/// Detects alternating movements: half a cycle later the body is its own mirror image.
///
/// From the front that is an image with left and right exchanged and mirrored, from the side one
/// with only the names of left and right exchanged.
struct SideChanges {
  /// The distance to the mirror image half a cycle away, as a share of that to the body itself there,
  /// under which sides alternate.
  static let mirrorShare: Float = 0.65
  /// The same, as a share of the distance of unrelated moments.
  static let varianceShare: Float = 0.7

  private let features: MotionFeatures

  init(_ features: MotionFeatures) { self.features = features }

  /// Whether the movement alternates.
  ///
  /// - Parameters:
  ///   - frames: The frames of the movement.
  ///   - cycle: For each of them, how many frames both sides take together.
  func alternates(in frames: Range<Int>, cycle: (Int) -> Double) -> Bool {
    let (whole, angles) = (features.whole, features.angles)
    var (own, swapped, mirrored) = (Float(0), Float(0), Float(0))
    var samples = 0
    for frame in frames {
      let half = Int((cycle(frame) / 2).rounded())
      for other in [frame - half, frame + half] where other >= 0 && other < features.count {
        own +=
          whole.squaredDistance(at: frame, to: whole, at: other)
          + angles.squaredDistance(at: frame, to: angles, at: other)
        let angle = angles.squaredDistance(at: frame, to: features.anglesSwapped, at: other)
        swapped += angle + whole.squaredDistance(at: frame, to: features.wholeSwapped, at: other)
        mirrored += angle + whole.squaredDistance(at: frame, to: features.wholeMirrored, at: other)
        samples += 1
      }
    }
    guard samples > 0 else { return false }
    let nearest = min(swapped, mirrored)
    let (middle, reach) = ((frames.lowerBound + frames.upperBound) / 2, frames.count / 2 + 1)
    let variance = [whole, angles].reduce(0) { $0 + $1.variances(at: [middle], reach: reach)[0] }
    // Two unrelated moments are twice the variance apart.
    return nearest < Self.mirrorShare * own
      && nearest / Float(samples) < Self.varianceShare * 2 * variance
  }
}
