import Foundation

/// A rotated square of the frame: a network's input.
///
/// In pixels, x to the right, y down; a pixel's coordinates are those of its upper left corner, as
/// in MediaPipe.
package struct Region: Sendable, Hashable {
  package var center: SIMD2<Float>
  package var size: Float
  /// The rotation in radians, clockwise.
  package var angle: Float

  /// The ratio of a body's region to the circle around the body (MediaPipe:
  /// `RectTransformationCalculator`).
  static let bodyMargin: Float = 1.25

  package init(center: SIMD2<Float>, size: Float, angle: Float = 0) {
    self.center = center
    self.size = size
    self.angle = angle
  }

  /// The region of a body, upright, from the mid-point of the hips and a point on the circle around
  /// the body, above the head.
  init(hips: SIMD2<Float>, tip: SIMD2<Float>) {
    self.init(
      center: hips, size: 2 * (tip - hips).length * Self.bodyMargin,
      angle: Self.angle(bringingUp: hips, to: tip))
  }

  /// The region of a hand, fingers up.
  ///
  /// - Parameters:
  ///   - boxCenter: The centre of the rotated box.
  ///   - boxSize: The box's width and height.
  ///   - angle: The rotation in radians.
  ///   - shift: Offset above the box, as a share of its height.
  ///   - scale: The region's side relative to the box's longer side.
  init(
    boxCenter: SIMD2<Float>, boxSize: SIMD2<Float>, angle: Float, shift: Float, scale: Float
  ) {
    let up = SIMD2(sin(angle), -cos(angle))
    self.init(
      center: boxCenter + up * (boxSize.y * shift), size: scale * boxSize.max(), angle: angle)
  }

  /// The rotation of a region in which one point is straight above another, from −π to π.
  static func angle(bringingUp start: SIMD2<Float>, to end: SIMD2<Float>) -> Float {
    let way = end - start
    let turn = Float.pi / 2 - atan2(-way.y, way.x)
    return turn - 2 * .pi * ((turn + .pi) / (2 * .pi)).rounded(.down)
  }

  /// The smallest square around a whole frame.
  package init(coveringWidth width: Int, height: Int) {
    self.init(center: SIMD2(Float(width), Float(height)) / 2, size: Float(max(width, height)))
  }

  func scaled(by factor: Float) -> Region {
    Region(center: center, size: size * factor, angle: angle)
  }

  /// The frame coordinates of a point in shares of the region, (0, 0) being its upper left corner.
  func imagePoint(of point: SIMD2<Float>) -> SIMD2<Float> {
    let cosine = cos(angle)
    let sine = sin(angle)
    let offset = (point - 0.5) * size
    return center
      + SIMD2(cosine * offset.x - sine * offset.y, sine * offset.x + cosine * offset.y)
  }

  /// The shares of the region of a point in the frame, (0, 0) being its upper left corner.
  func share(of point: SIMD2<Float>) -> SIMD2<Float> {
    let (cosine, sine) = (cos(angle), sin(angle))
    let offset = (point - center) / max(size, 1e-6)
    return SIMD2(cosine * offset.x + sine * offset.y, cosine * offset.y - sine * offset.x) + 0.5
  }

  /// Intersection over union, ignoring rotation.
  package func overlap(_ other: Region) -> Float {
    let reach = SIMD2<Float>(repeating: size / 2)
    let otherReach = SIMD2<Float>(repeating: other.size / 2)
    let common = pointwiseMax(
      pointwiseMin(center + reach, other.center + otherReach)
        - pointwiseMax(center - reach, other.center - otherReach), .zero)
    let shared = common.x * common.y
    let all = size * size + other.size * other.size - shared
    return all > 0 ? shared / all : 0
  }

  /// Whether it is finite and at least a pixel.
  var isUsable: Bool {
    size.isFinite && size >= 1 && center.x.isFinite && center.y.isFinite && angle.isFinite
  }
}

extension SIMD2<Float> {
  package var length: Float { (self * self).sum().squareRoot() }
}
