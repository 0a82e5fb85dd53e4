import KinemaVideo
import Testing

struct LumaGridTests {
  /// A grid of 8 × 4 cells that brighten to the right.
  private static func grid(_ changed: (_ x: Int, _ y: Int) -> Float = { _, _ in 0 }) -> LumaGrid {
    let values = (0..<32).map { 50 + 4 * Float($0 % 8) + changed($0 % 8, $0 / 8) }
    return LumaGrid(width: 8, height: 4, values: values)
  }

  @Test("the share of an area that has changed doesn't count light")
  func changes() {
    let (before, light) = (Self.grid(), Self.grid { _, _ in 30 })
    let all = (low: SIMD2<Float>.zero, high: SIMD2<Float>(8, 4))
    #expect(before.changedShare(since: before, in: all, step: 8) == 0)
    #expect(light.changedShare(since: before, in: all, step: 8) == 0)
    let person = Self.grid { x, _ in x == 2 ? 50 : 30 }
    #expect(person.changedShare(since: before, in: all, step: 8) == 0.125)
    let half = (low: SIMD2<Float>(1.5, -3), high: SIMD2<Float>(3, 9))
    #expect(person.changedShare(since: before, in: half, step: 8) == 0.5)
  }

  @Test("an area outside, and pictures of other sizes, have no changes that are known")
  func unknown() {
    let grid = Self.grid()
    let outside = (low: SIMD2<Float>(9, 0), high: SIMD2<Float>(12, 4))
    #expect(grid.changedShare(since: grid, in: outside, step: 8) == nil)
    let other = LumaGrid(width: 4, height: 4, values: Array(repeating: 0, count: 16))
    let all = (low: SIMD2<Float>.zero, high: SIMD2<Float>(8, 4))
    #expect(grid.changedShare(since: other, in: all, step: 8) == nil)
  }
}
