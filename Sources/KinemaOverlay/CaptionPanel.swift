/// A caption as an image: white text on a dark, translucent, rounded panel.
struct CaptionPanel: Sendable {
  let caption: Caption
  /// The width and height of the frames that it was made for.
  let frameSize: SIMD2<Int>
  private let x: Int
  private let y: Int
  private let width: Int
  private let height: Int
  private let pixels: [UInt8]

  /// White text on this panel over a white frame has a contrast of 7 : 1 (WCAG 2.2, level AAA).
  private static let panelColor = Color.black.withAlpha(0.68)
  private static let smallestSide = 32

  /// Draws a caption; `nil` if the frame is too small for one.
  init?(_ caption: Caption, frameWidth: Int, frameHeight: Int, fontFamily: String) {
    let side = Double(min(frameWidth, frameHeight))
    guard min(frameWidth, frameHeight) >= Self.smallestSide else { return nil }
    let size = max(9, min(Double(frameWidth) * 0.075, Double(frameHeight) * 0.052))
    let margin = (side * 0.04).rounded()
    let padding = (x: size * 0.9, y: size * 0.36)
    let labelFont = Canvas.Font(family: fontFamily, size: size, isBold: true)
    let widest = Double(frameWidth) - 2 * margin - 2 * padding.x
    let tallest = Double(frameHeight) * 0.45

    var scratch = [UInt8](repeating: 0, count: 4)
    let lines = scratch.withUnsafeMutableBytes { bytes -> [Line]? in
      guard let canvas = Canvas(drawingInto: bytes, width: 1, height: 1, .premultipliedAlpha)
      else { return nil }
      return Self.measure(caption, font: labelFont, widest: widest, tallest: tallest, with: canvas)
    }
    guard let lines else { return nil }

    let textHeight = lines.reduce(0) { $0 + $1.height }
    // A constant width while the number in it changes.
    let panelWidth = max(lines.map(\.width).max() ?? 0, size * 5) + 2 * padding.x
    let width = min(Int(panelWidth.rounded(.up)), frameWidth)
    let height = min(Int((textHeight + 2 * padding.y).rounded(.up)), frameHeight)
    var pixels = [UInt8](repeating: 0, count: width * height * 4)
    pixels.withUnsafeMutableBytes { bytes in
      guard
        let canvas = Canvas(drawingInto: bytes, width: width, height: height, .premultipliedAlpha)
      else { return }
      canvas.fillRoundedRectangle(
        PixelRectangle(x: 0, y: 0, width: Double(width), height: Double(height)),
        radius: min(size * 0.55, Double(height) / 2), color: Self.panelColor)
      var top = padding.y
      for line in lines {
        let baseline = top + line.height * 0.5 + line.font.size * 0.36
        canvas.drawText(
          line.text, at: PixelPoint(x: (Double(width) - line.width) / 2, y: baseline),
          font: line.font, color: line.color)
        top += line.height
      }
    }
    self.caption = caption
    frameSize = SIMD2(frameWidth, frameHeight)
    x = (frameWidth - width) / 2
    y = max(0, frameHeight - height - Int(margin))
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  func draw(on canvas: borrowing Canvas) {
    pixels.withUnsafeBytes { bytes in
      canvas.paint(bytes, width: width, height: height, x: x, y: y)
    }
  }
}

// MARK: - Lines

extension CaptionPanel {
  private struct Line {
    var text: String
    var font: Canvas.Font
    var color: Color
    var width: Double
    var height: Double
  }

  private static let lineHeight = 1.25

  private static func measure(
    _ caption: Caption, font: Canvas.Font, widest: Double, tallest: Double,
    with canvas: borrowing Canvas
  ) -> [Line] {
    var lines: [Line] = []
    let layout = CaptionLayout(
      printable(caption.text), availableWidth: widest,
      availableLines: tallest / (font.size * lineHeight)
    ) { canvas.width(of: $0, font: font) }
    var labelFont = font
    labelFont.size *= layout.scale
    for text in layout.lines {
      lines.append(
        Line(
          text: text, font: labelFont, color: .white,
          width: canvas.width(of: text, font: labelFont), height: labelFont.size * lineHeight))
    }
    if let detail = caption.detail {
      var detailFont = font
      detailFont.size = max(8, font.size * 0.55)
      detailFont.isBold = false
      let layout = CaptionLayout(
        printable(detail), availableWidth: widest, availableLines: 1
      ) { canvas.width(of: $0, font: detailFont) }
      detailFont.size *= layout.scale
      for text in layout.lines.prefix(1) {
        lines.append(
          Line(
            text: text, font: detailFont, color: .white.withAlpha(0.88),
            width: canvas.width(of: text, font: detailFont),
            height: detailFont.size * lineHeight))
      }
    }
    return lines
  }

  /// The text without line breaks and control characters.
  private static func printable(_ text: String) -> String {
    String(
      text.prefix(1000).map { character in
        let isControl = character.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
        return isControl || character.isNewline ? " " : character
      })
  }
}
