import KinemaPose

/// What the landmark network finds in a region.
package struct BodyLandmarks: Sendable {
  /// A point of the body.
  package struct Landmark: Sendable {
    /// The place in pixels.
    package var position: SIMD2<Float>
    /// The probability that the point is in the picture and not hidden.
    package var visibility: Float
    /// The probability that the point is in the region.
    package var presence: Float
  }

  /// BlazePose's 33 points.
  package var points: [Landmark]
  /// The middle of the hips and a point on the circle around the body: what the next region is made
  /// of.
  var hips: SIMD2<Float>
  var tip: SIMD2<Float>
  /// The probability that a person is in the region.
  package var presence: Float

  /// The square around the body, as the landmarks have it.
  var region: Region { Region(hips: hips, tip: tip) }

  /// How near two bodies' points must be to be the same point, as a share of the region's size.
  static let sameness: Float = 0.1

  /// Whether both are the landmarks of one body: at least half of the points are the same.
  ///
  /// Half is enough, because between two people who stand close together the network sometimes sees
  /// a third one, with the head of one and the legs of the other.
  func isSameBody(as other: BodyLandmarks) -> Bool {
    let limit = Self.sameness * min(region.size, other.region.size)
    let same = zip(points, other.points).count { pair in
      (pair.0.position - pair.1.position).length < limit
    }
    return 2 * same >= points.count
  }

  /// How much of both boxes must be common for two bodies to stand at one place.
  static let overlap: Float = 0.5

  /// Whether both stand at one place: they are one body, or one of them is the other seen wrongly,
  /// such as upside down in a push-up.
  func overlaps(_ other: BodyLandmarks) -> Bool {
    if isSameBody(as: other) { return true }
    let (mine, theirs) = (box, other.box)
    let common = pointwiseMin(mine.high, theirs.high) - pointwiseMax(mine.low, theirs.low)
    guard common.min() > 0 else { return false }
    func area(_ size: SIMD2<Float>) -> Float { size.x * size.y }
    let shared = area(common)
    return shared
      > Self.overlap * (area(mine.high - mine.low) + area(theirs.high - theirs.low) - shared)
  }

  /// The same body at another place, with no point surer than one that is only inferred.
  func moved(by way: SIMD2<Float>) -> BodyLandmarks {
    var other = self
    other.hips += way
    other.tip += way
    other.presence *= Self.inferredShare
    for index in points.indices {
      other.points[index].position += way
      other.points[index].visibility = min(points[index].visibility, Pose.outsideConfidence)
    }
    return other
  }

  /// What is left of the probability of a body that is only inferred.
  static let inferredShare: Float = 0.5

  /// The share of the box that lies in another body's box, from 0 to 1.
  func sharedBox(with other: BodyLandmarks) -> Float {
    let (mine, theirs) = (box, other.box)
    let common = pointwiseMin(mine.high, theirs.high) - pointwiseMax(mine.low, theirs.low)
    let size = mine.high - mine.low
    guard common.min() > 0, size.min() > 0 else { return 0 }
    return common.x * common.y / (size.x * size.y)
  }

  /// How much smaller than a body, at least, a part of it is that is taken for a body of its own, and
  /// how far beyond the body's box it may lie, in the body's sizes: hair, or what hangs loose.
  private static let partShare: Float = 0.3
  private static let partReach: Float = 0.1

  /// Whether it may be a part of another body that was taken for a body of its own.
  func isPart(of other: BodyLandmarks) -> Bool {
    let (mine, theirs) = (box, other.box)
    let side = (theirs.high - theirs.low).max()
    let middle = (mine.low + mine.high) / 2
    let reach = Self.partReach * side
    return (mine.high - mine.low).max() < Self.partShare * side
      && (middle - theirs.low).min() > -reach && (theirs.high - middle).min() > -reach
  }

  /// The upright rectangle around the points.
  private var box: (low: SIMD2<Float>, high: SIMD2<Float>) {
    points.reduce((hips, hips)) { box, point in
      (pointwiseMin(box.0, point.position), pointwiseMax(box.1, point.position))
    }
  }
}
