/// The features of a detected person or hand in a frame.
package struct Detection: Sendable {
  /// The position, such as the mid-point of the hips, in pixels.
  package var position: SIMD2<Float>
  /// The size in pixels, the unit of the rules' lengths.
  package var size: Float
  /// The corners of the bounding box, in pixels.
  package var box: (low: SIMD2<Float>, high: SIMD2<Float>)
  /// The points relative to the position, in sizes; `nil` if not found.
  package var shape: [SIMD2<Float>?]
  /// The colours; `nil` if unknown.
  package var appearance: Appearance?
  /// The probability that it is a right hand; `nil` for bodies.
  package var rightness: Float?
  /// The probability that it is no false one.
  package var presence: Float

  package init(
    position: SIMD2<Float>, size: Float, box: (low: SIMD2<Float>, high: SIMD2<Float>)? = nil,
    shape: [SIMD2<Float>?] = [], appearance: Appearance? = nil, rightness: Float? = nil,
    presence: Float = 1
  ) {
    let size = max(size, 1)
    (self.position, self.size, self.shape) = (position, size, shape)
    self.box = box ?? (position - size / 2, position + size / 2)
    (self.appearance, self.rightness, self.presence) = (appearance, rightness, presence)
  }

  /// The mean distance of the points, in sizes; `nil` with too few common ones.
  package func difference(from other: [SIMD2<Float>?], rules: TrackingRules) -> Float? {
    var (sum, count): (Float, Float) = (0, 0)
    for case (let mine?, let theirs?) in zip(shape, other) {
      sum += (mine - theirs).length
      count += 1
    }
    return Int(count) < rules.leastPoints ? nil : sum / count
  }

  /// The share of the box within another box, from 0 to 1.
  package func sharedBox(with other: Detection) -> Float {
    let common = pointwiseMin(box.high, other.box.high) - pointwiseMax(box.low, other.box.low)
    let extent = box.high - box.low
    guard common.min() > 0, extent.min() > 0 else { return 0 }
    return common.x * common.y / (extent.x * extent.y)
  }

  /// Intersection over union of the boxes.
  func overlap(_ other: Detection) -> Float {
    let shares = (sharedBox(with: other), other.sharedBox(with: self))
    guard shares.0 > 0, shares.1 > 0 else { return 0 }
    return 1 / (1 / shares.0 + 1 / shares.1 - 1)
  }

  /// The detection at another position.
  package func moved(to position: SIMD2<Float>) -> Detection {
    var moved = self
    let way = position - self.position
    (moved.position, moved.box) = (position, (box.low + way, box.high + way))
    return moved
  }
}

extension SIMD2<Float> {
  /// The distance from the origin.
  var length: Float { (self * self).sum().squareRoot() }
}
