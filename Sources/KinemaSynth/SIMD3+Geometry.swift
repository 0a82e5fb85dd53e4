typealias Vector = SIMD3<Float>

extension SIMD3<Float> {
  static let up = Vector(0, 1, 0)

  func dot(_ other: Vector) -> Float { (self * other).sum() }

  func cross(_ other: Vector) -> Vector {
    Vector(
      y * other.z - z * other.y,
      z * other.x - x * other.z,
      x * other.y - y * other.x)
  }

  var length: Float { dot(self).squareRoot() }

  /// The same direction with length 1; a vector without a direction stays as it is.
  var normalized: Vector {
    let length = length
    return length > 1e-9 ? self / length : self
  }

  /// What is left without the part along a unit vector.
  func perpendicular(to axis: Vector) -> Vector { self - axis * dot(axis) }
}

/// Linear interpolation by a share from 0 to 1.
func blend(_ from: Vector, _ to: Vector, _ share: Float) -> Vector { from + (to - from) * share }

func blend(_ from: Float, _ to: Float, _ share: Float) -> Float { from + (to - from) * share }
