import KinemaTracking

/// The output of the landmark network for a region.
package struct BodyLandmarks: Sendable {
  package struct Landmark: Sendable {
    /// The location in pixels.
    package var position: SIMD2<Float>
    /// The distance from the camera beyond that of the hips, in pixels; `nil` if the network does not
    /// estimate it.
    package var depth: Float?
    /// The probability that the point is in the frame and visible.
    package var visibility: Float
    /// The probability that the point is in the region.
    package var presence: Float
    /// The place in metres from the middle of the hips, x to the right and y down in the frame, z away from
    /// the camera; `nil` if the network does not estimate it.
    package var world: SIMD3<Float>?

    package init(
      position: SIMD2<Float>, depth: Float? = nil, visibility: Float, presence: Float,
      world: SIMD3<Float>? = nil
    ) {
      (self.position, self.depth, self.world) = (position, depth, world)
      (self.visibility, self.presence) = (visibility, presence)
    }
  }

  /// The points in the network's order.
  package private(set) var points: [Landmark]
  private let topology: BodyTopology
  /// The mid-point of the hips and a point on the circle around the body, which give the next
  /// region.
  var hips: SIMD2<Float>
  var tip: SIMD2<Float>
  /// The probability that a person is in the region.
  package var presence: Float

  package init(
    points: [Landmark], topology: BodyTopology, hips: SIMD2<Float>, tip: SIMD2<Float>,
    presence: Float
  ) {
    precondition(points.count == topology.points.count, "Each point has a name.")
    (self.points, self.topology) = (points, topology)
    (self.hips, self.tip, self.presence) = (hips, tip, presence)
  }

  /// A point by its name; `nil` if the network does not give it.
  package subscript(point: BodyPoint) -> Landmark? { topology.index(of: point).map { points[$0] } }

  package var region: Region { Region(hips: hips, tip: tip) }

  /// Whether both are one body: at least half of the points coincide.
  ///
  /// Half, because between two people close together the network may detect a third, with the head
  /// of one and the legs of the other.
  func isSameBody(as other: BodyLandmarks) -> Bool {
    let limit = TrackingRules.bodies.likeness.points * min(region.size, other.region.size)
    let same = zip(points, other.points).count { pair in
      (pair.0.position - pair.1.position).length < limit
    }
    return 2 * same >= points.count
  }

  /// Whether both are at one place: one body, or one a false detection, such as upside down in a
  /// push-up.
  func overlaps(_ other: BodyLandmarks) -> Bool {
    if isSameBody(as: other) { return true }
    let (mine, theirs) = (box, other.box)
    let common = pointwiseMin(mine.high, theirs.high) - pointwiseMax(mine.low, theirs.low)
    guard common.min() > 0 else { return false }
    func area(_ size: SIMD2<Float>) -> Float { size.x * size.y }
    let shared = area(common)
    return shared
      > TrackingRules.bodies.twinOverlap
      * (area(mine.high - mine.low) + area(theirs.high - theirs.low) - shared)
  }

  /// The body moved, without points more confident than inferred ones.
  func moved(by way: SIMD2<Float>) -> BodyLandmarks {
    var other = self
    other.hips += way
    other.tip += way
    let inferred = TrackingRules.bodies.inferred
    other.presence *= inferred.share
    for index in points.indices {
      other.points[index].position += way
      other.points[index].visibility = min(points[index].visibility, inferred.confidence)
    }
    return other
  }

  /// Whether it may be a part of another body, such as hair, rather than one.
  func isPart(of other: BodyLandmarks) -> Bool {
    let (mine, theirs) = (box, other.box)
    let side = (theirs.high - theirs.low).max()
    let middle = (mine.low + mine.high) / 2
    let likeness = TrackingRules.bodies.likeness
    let reach = likeness.partReach * side
    return (mine.high - mine.low).max() < likeness.partShare * side
      && (middle - theirs.low).min() > -reach && (theirs.high - middle).min() > -reach
  }

  /// The bounding box of the points.
  var box: (low: SIMD2<Float>, high: SIMD2<Float>) {
    points.reduce((hips, hips)) { box, point in
      (pointwiseMin(box.0, point.position), pointwiseMax(box.1, point.position))
    }
  }
}
