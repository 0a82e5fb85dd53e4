/// A colour to draw with; each part from 0 to 1, alpha not multiplied in.
struct Color: Hashable, Sendable {
  var red: Double
  var green: Double
  var blue: Double
  var alpha: Double

  init(_ red: Double, _ green: Double, _ blue: Double, alpha: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// A colour from `0xRRGGBB`.
  init(hex: UInt32) {
    self.init(
      Double(hex >> 16 & 0xFF) / 255, Double(hex >> 8 & 0xFF) / 255, Double(hex & 0xFF) / 255)
  }

  /// The colour as `#rrggbb`, without alpha.
  var css: String {
    let parts = [red, green, blue].map { part in
      let digits = String(Int((part * 255).rounded()), radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }
    return "#" + parts.joined()
  }

  static let white = Color(1, 1, 1)
  static let black = Color(0, 0, 0)

  func withAlpha(_ alpha: Double) -> Color { Color(red, green, blue, alpha: alpha) }

  /// The colour on the straight line to another; 0 is this one, 1 the other.
  func mixed(with other: Color, share: Double) -> Color {
    Color(
      red + (other.red - red) * share, green + (other.green - green) * share,
      blue + (other.blue - blue) * share, alpha: alpha + (other.alpha - alpha) * share)
  }
}
