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
    let toTip = tip - hips
    let turn = Float.pi / 2 - atan2(-toTip.y, toTip.x)
    let turns = ((turn + .pi) / (2 * .pi)).rounded(.down)
    self.init(
      center: hips, size: 2 * toTip.length * Self.bodyMargin, angle: turn - 2 * .pi * turns)
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

  /// Whether a network can look at it: finite, and not smaller than a pixel.
  var isUsable: Bool {
    size.isFinite && size >= 1 && center.x.isFinite && center.y.isFinite && angle.isFinite
  }
}

extension SIMD2<Float> {
  /// The distance from the origin.
  package var length: Float { (self * self).sum().squareRoot() }
}
