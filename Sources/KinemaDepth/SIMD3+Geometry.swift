import Glibc

/// A place or a way in three dimensions.
package typealias Vector3 = SIMD3<Float>

extension SIMD3<Float> {
  func dot(_ other: Self) -> Float { (self * other).sum() }

  func cross(_ other: Self) -> Self {
    Self(
      y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  var magnitude: Float { dot(self).squareRoot() }

  /// The same direction with length 1; `nil` without a direction.
  var direction: Self? { magnitude > 1e-6 ? self / magnitude : nil }

  /// The angle to another direction in radians, from 0 to π; 0 without a direction.
  func angle(to other: Self) -> Float {
    guard let one = direction, let two = other.direction else { return 0 }
    return acosClamped(one.dot(two))
  }
}

private func acosClamped(_ cosine: Float) -> Float { acosf(Swift.min(Swift.max(cosine, -1), 1)) }
