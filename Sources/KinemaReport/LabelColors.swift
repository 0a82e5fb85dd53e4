/// One colour for each label, the same all over a page.
struct LabelColors {
  private static let hues: [(hue: Int, saturation: Int, lightness: Int)] = [
    (212, 62, 52), (28, 84, 52), (150, 48, 40), (338, 62, 55), (264, 46, 58), (48, 82, 44),
    (186, 60, 40), (0, 62, 52), (90, 42, 42), (300, 36, 50),
  ]

  /// The colour of a label by its index, as CSS has it; legible under white text.
  static func color(_ index: Int) -> String {
    if index < hues.count {
      let color = hues[index]
      return "hsl(\(color.hue) \(color.saturation)% \(color.lightness)%)"
    }
    // The golden angle spreads any number of hues.
    let hue = Int(Double(index) * 137.508) % 360
    return "hsl(\(hue) 50% \(index % 2 == 0 ? 40 : 52)%)"
  }
}
