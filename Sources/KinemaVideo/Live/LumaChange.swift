import KinemaFiles

/// How much each cell of a picture has changed since an earlier one, apart from the light.
package struct LumaChange: Sendable {
  private let width: Int
  private let height: Int
  private let steps: [Float]

  /// - Returns: `nil` if the pictures have other sizes.
  package init?(from before: LumaGrid, to after: LumaGrid) {
    guard before.width == after.width, before.height == after.height else { return nil }
    (width, height) = (after.width, after.height)
    let light = LightChange(from: before.values, to: after.values)
    steps = zip(before.values, after.values).map { abs($1 - light.shown($0)) }
  }

  /// The share of an area's cells that have changed; `nil` if the area has none.
  ///
  /// - Parameters:
  ///   - area: Two corners in cells, from the top left.
  ///   - step: From how much on a cell has changed, from 0 to 255.
  package func share(
    of area: (low: SIMD2<Float>, high: SIMD2<Float>), above step: Float
  ) -> Float? {
    let size = SIMD2(Float(width), Float(height))
    let low = pointwiseMax(area.low, .zero).rounded(.down)
    let high = pointwiseMin(area.high, size).rounded(.up)
    guard (high - low).min() > 0 else { return nil }
    let columns = Int(saturating: low.x)..<Int(saturating: high.x)
    let rows = Int(saturating: low.y)..<Int(saturating: high.y)
    let changed = rows.reduce(0) { count, row in
      count + columns.count { steps[row * width + $0] > step }
    }
    return Float(changed) / Float(columns.count * rows.count)
  }
}
