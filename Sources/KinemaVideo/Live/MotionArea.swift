/// A part of a picture in which something moves: x to the right and y upwards, from 0 to 1, as in poses.
package struct MotionArea: Hashable, Sendable {
  package var lowerLeft: SIMD2<Float>
  package var upperRight: SIMD2<Float>

  /// The whole picture.
  package static let everywhere = MotionArea(lowerLeft: .zero, upperRight: .one)

  package init(lowerLeft: SIMD2<Float>, upperRight: SIMD2<Float>) {
    (self.lowerLeft, self.upperRight) = (lowerLeft, upperRight)
  }

  /// The share of the picture that it takes.
  package var size: Float { (upperRight.x - lowerLeft.x) * (upperRight.y - lowerLeft.y) }
}
