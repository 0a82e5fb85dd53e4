import KinemaVideo
import Testing

struct LumaChangeTests {
  /// A grid of 8 × 4 cells that brighten to the right.
  private static func grid(_ changed: (_ x: Int, _ y: Int) -> Float = { _, _ in 0 }) -> LumaGrid {
    let values = (0..<32).map { 50 + 4 * Float($0 % 8) + changed($0 % 8, $0 / 8) }
    return LumaGrid(width: 8, height: 4, values: values)
  }

  /// The share of an area of a picture that has changed since another one.
  private static func share(
    from before: LumaGrid, to after: LumaGrid,
    in area: (low: SIMD2<Float>, high: SIMD2<Float>) = (.zero, SIMD2(8, 4))
  ) -> Float? {
    LumaChange(from: before, to: after)?.share(of: area, above: 8)
  }

  @Test("the share of an area that has changed doesn't count light, which shifts and multiplies")
  func changes() {
    let before = Self.grid()
    #expect(Self.share(from: before, to: before) == 0)
    #expect(Self.share(from: before, to: Self.grid { _, _ in 30 }) == 0)
    #expect(Self.share(from: before, to: Self.grid { x, _ in 30 + 3 * Float(x) }) == 0)
    let person = Self.grid { x, _ in x == 2 ? 50 : 30 }
    #expect(Self.share(from: before, to: person) == 0.125)
    let half = (low: SIMD2<Float>(1.5, -3), high: SIMD2<Float>(3, 9))
    #expect(Self.share(from: before, to: person, in: half) == 0.5)
  }

  @Test("where most cells are equally dark, light is what changes half of each brightness")
  func masked() {
    func grid(_ lamp: Float) -> LumaGrid {
      LumaGrid(width: 8, height: 4, values: (0..<32).map { $0 % 8 < 6 ? 0 : 80 + lamp })
    }
    #expect(Self.share(from: grid(0), to: grid(40)) == 0)
  }

  @Test("an area outside, and pictures of other sizes, have no changes that are known")
  func unknown() {
    let grid = Self.grid()
    let outside = (low: SIMD2<Float>(9, 0), high: SIMD2<Float>(12, 4))
    #expect(Self.share(from: grid, to: grid, in: outside) == nil)
    let other = LumaGrid(width: 4, height: 4, values: Array(repeating: 0, count: 16))
    #expect(Self.share(from: grid, to: other) == nil)
  }
}
