import KinemaFiles
import Testing

@Suite("Integers of floating-point numbers")
struct IntRoundingTests {
  @Test("the nearest integer, and none where there is none")
  func rounding() {
    #expect(
      Int(rounding: 2.5) == 3 && Int(rounding: -2.5) == -3
        && Int(rounding: Float(1e9)) == 1_000_000_000)
    for number in [1e19, -1e19, 1e300, .infinity, -.infinity, .nan] {
      #expect(Int(rounding: number) == nil)
    }
  }

  @Test("the largest or smallest integer in place of one that is beyond")
  func saturating() {
    #expect(Int(saturating: 2.4) == 2)
    #expect(Int(saturating: 1e300) == .max && Int(saturating: -Double.infinity) == .min)
    #expect(Int(saturating: Double.nan) == 0)
  }
}
