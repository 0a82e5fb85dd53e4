import Foundation
import KinemaSynth

/// A viewpoint with a picture's size: rays through pixels, in the camera's own axes (x to the right,
/// y up, z away from the camera).
struct Lens: Sendable {
  let width: Int
  let height: Int
  /// How many pixels a metre has at a distance of one metre.
  let focal: Float
  let position: Vector
  let right, up, back: Vector

  init(_ viewpoint: Viewpoint, width: Int, height: Int) {
    self.width = width
    self.height = height
    focal = Float(height) / (2 * tan(viewpoint.verticalFieldOfViewDegrees * .pi / 360))
    position = viewpoint.position
    (right, up, back) = viewpoint.axes
  }

  /// A direction of the world in the camera's axes.
  func direction(_ direction: Vector) -> Vector {
    Vector(direction.dot(right), direction.dot(up), -direction.dot(back))
  }

  /// A place of the world in the camera's axes.
  func place(_ place: Vector) -> Vector { direction(place - position) }

  /// The horizontal part of the ray through the middle of a column, at a depth of 1.
  func rayX(column: Int) -> Float { (Float(column) + 0.5 - Float(width) / 2) / focal }

  /// The vertical part of the ray through the middle of a row, at a depth of 1.
  func rayY(row: Int) -> Float { (Float(height) / 2 - Float(row) - 0.5) / focal }

  /// The ray through the middle of a pixel in the world's axes, at a depth of 1.
  func worldRay(column: Int, row: Int) -> Vector {
    right * rayX(column: column) + up * rayY(row: row) - back
  }

  /// The pixels that a ball, given in the camera's axes, can touch; `nil` if it is not in view.
  func pixels(around centre: Vector, radius: Float) -> PixelBox? {
    let nearest = centre.z - radius
    guard nearest > 0.05 else { return nil }
    let extent = radius / nearest * focal * 1.1 + 1
    let column = Float(width) / 2 + centre.x / centre.z * focal
    let row = Float(height) / 2 - centre.y / centre.z * focal
    let reach = SIMD2<Float>(repeating: extent + 0.1 * abs(column - Float(width) / 2) * radius)
    let low = (SIMD2(column, row) - reach).clamped(
      lowerBound: .zero, upperBound: SIMD2(Float(width), Float(height)))
    let high = (SIMD2(column, row) + reach + 1).clamped(
      lowerBound: .zero, upperBound: SIMD2(Float(width), Float(height)))
    let box = PixelBox(columns: Int(low.x)..<Int(high.x), rows: Int(low.y)..<Int(high.y))
    return box.isEmpty ? nil : box
  }
}

struct PixelBox: Hashable, Sendable {
  var columns: Range<Int>
  var rows: Range<Int>

  var isEmpty: Bool { columns.isEmpty || rows.isEmpty }

  /// The smallest box round both.
  func union(_ other: PixelBox) -> PixelBox {
    PixelBox(
      columns: min(
        columns.lowerBound, other.columns.lowerBound)..<max(
          columns.upperBound, other.columns.upperBound),
      rows: min(
        rows.lowerBound, other.rows.lowerBound)..<max(rows.upperBound, other.rows.upperBound))
  }
}
