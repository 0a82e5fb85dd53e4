import Foundation

/// A square of the picture, turned about its centre: what a network looks at.
///
/// Everything geometric inside this module is in pixels, x to the right, y down; a pixel's
/// coordinates are those of its upper left corner, as in MediaPipe.
package struct Region: Sendable, Hashable {
  package var center: SIMD2<Float>
  /// The side.
  package var size: Float
  /// The turn in radians, clockwise as seen.
  package var angle: Float

  /// How much larger a body's region is than the circle that the networks put around the body
  /// (MediaPipe: `RectTransformationCalculator`, scale 1.25).
  static let bodyMargin: Float = 1.25

  package init(center: SIMD2<Float>, size: Float, angle: Float = 0) {
    self.center = center
    self.size = size
    self.angle = angle
  }

  /// The region of a body, turned so that the body stands upright in it.
  ///
  /// - Parameters:
  ///   - hips: The middle of the hips.
  ///   - tip: A point on the circle around the body, above the head.
  init(hips: SIMD2<Float>, tip: SIMD2<Float>) {
    self.init(
      center: hips, size: 2 * (tip - hips).length * Self.bodyMargin,
      angle: Self.angle(bringingUp: hips, to: tip))
  }

  /// The region of a hand, turned so that the fingers point up in it.
  ///
  /// - Parameters:
  ///   - boxCenter: The centre of a box that is turned by the angle.
  ///   - boxSize: The box's width and height.
  ///   - angle: The turn in radians.
  ///   - shift: How far the region lies above the box, as a share of the box's height.
  ///   - scale: The region's side, as a multiple of the box's longer side.
  init(
    boxCenter: SIMD2<Float>, boxSize: SIMD2<Float>, angle: Float, shift: Float, scale: Float
  ) {
    let up = SIMD2(sin(angle), -cos(angle))
    self.init(
      center: boxCenter + up * (boxSize.y * shift), size: scale * boxSize.max(), angle: angle)
  }

  /// The turn of a region in which one point lies straight above another, from −π to π.
  static func angle(bringingUp start: SIMD2<Float>, to end: SIMD2<Float>) -> Float {
    let way = end - start
    let turn = Float.pi / 2 - atan2(-way.y, way.x)
    return turn - 2 * .pi * ((turn + .pi) / (2 * .pi)).rounded(.down)
  }

  /// The smallest square around a whole picture.
  package init(coveringWidth width: Int, height: Int) {
    self.init(
      center: SIMD2(Float(width), Float(height)) / 2, size: Float(max(width, height)))
  }

  /// The same place, larger.
  func scaled(by factor: Float) -> Region {
    Region(center: center, size: size * factor, angle: angle)
  }

  /// The picture's coordinates of a point given in shares of the region, (0, 0) being its upper
  /// left corner.
  func imagePoint(of point: SIMD2<Float>) -> SIMD2<Float> {
    let cosine = cos(angle)
    let sine = sin(angle)
    let offset = (point - 0.5) * size
    return center
      + SIMD2(cosine * offset.x - sine * offset.y, sine * offset.x + cosine * offset.y)
  }

  /// Where a point of the picture is in shares of the region, (0, 0) being its upper left corner.
  func share(of point: SIMD2<Float>) -> SIMD2<Float> {
    let (cosine, sine) = (cos(angle), sin(angle))
    let offset = (point - center) / max(size, 1e-6)
    return SIMD2(cosine * offset.x + sine * offset.y, cosine * offset.y - sine * offset.x) + 0.5
  }

  /// The intersection of two squares over their union, as if neither were turned.
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

  /// Whether a network can look at it: finite, and not smaller than a pixel.
  var isUsable: Bool {
    size.isFinite && size >= 1 && center.x.isFinite && center.y.isFinite && angle.isFinite
  }
}

extension SIMD2<Float> {
  /// The distance from the origin.
  package var length: Float { (self * self).sum().squareRoot() }
}
