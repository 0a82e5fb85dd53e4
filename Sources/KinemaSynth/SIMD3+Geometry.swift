package typealias Vector = SIMD3<Float>

extension SIMD3<Float> {
  package static let up = Vector(0, 1, 0)

  package func dot(_ other: Vector) -> Float { (self * other).sum() }

  package func cross(_ other: Vector) -> Vector {
    Vector(
      y * other.z - z * other.y,
      z * other.x - x * other.z,
      x * other.y - y * other.x)
  }

  package var length: Float { dot(self).squareRoot() }

  /// The same direction with length 1; a vector without a direction stays as it is.
  package var normalized: Vector {
    let length = length
    return length > 1e-9 ? self / length : self
  }

  /// What is left without the part along a unit vector.
  package func perpendicular(to axis: Vector) -> Vector { self - axis * dot(axis) }
}

/// Linear interpolation by a share from 0 to 1.
package func blend(_ from: Vector, _ to: Vector, _ share: Float) -> Vector {
  from + (to - from) * share
}

package func blend(_ from: Float, _ to: Float, _ share: Float) -> Float {
  from + (to - from) * share
}
