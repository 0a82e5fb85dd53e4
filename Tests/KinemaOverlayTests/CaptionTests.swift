import Foundation
import KinemaOverlay
import KinemaVideo
import Testing

@Suite struct CaptionTests {
  @Test(
    "confidences are shown in per cent",
    arguments: [
      (0.923, "92.3%"), (0.9961, "100%"), (0, "0.0%"), (12, "100%"), (.nan, "Observing…"),
      (nil, "Observing…"),
    ] as [(Float?, String)])
  func words(confidence: Float?, detail: String) {
    #expect(
      Caption(text: "Squats", confidence: confidence) == Caption(text: "Squats", detail: detail))
  }

  @Test(
    "text stands out from its panel by at least 4.5 : 1 on black and on white",
    arguments: [(160, 120), (404, 720), (1280, 720), (3840, 2160)], [0, 255] as [UInt8])
  func contrast(size: (Int, Int), background: UInt8) throws {
    let frame = Frame.plain(background, width: size.0, height: size.1)
    let caption = Caption(text: "Jumping Jacks", confidence: 0.923)
    var drawn = frame
    Overlay().draw([], prominent: nil, caption: caption, on: &drawn)
    // Found on white, as a panel cannot be seen on black.
    let white = Frame.plain(255, width: size.0, height: size.1)
    var onWhite = white
    Overlay().draw([], prominent: nil, caption: caption, on: &onWhite)
    let panel = try #require(PixelBounds(of: onWhite, changedFrom: white))
    // Both lines, each against the panel in the middle of its left padding.
    let middle = (panel.top + panel.bottom) / 2
    let paper = drawn.color(x: panel.left + max(3, (panel.right - panel.left) / 40), y: middle)
    for rows in [
      panel.top..<middle, panel.top + (panel.bottom - panel.top) * 13 / 20..<panel.bottom,
    ] {
      let ink = rows.flatMap { y in
        (panel.left..<panel.right).map { drawn.color(x: $0, y: y) }
      }.max { luminance($0) < luminance($1) }
      let contrast = (luminance(try #require(ink)) + 0.05) / (luminance(paper) + 0.05)
      #expect(contrast >= 4.5)
    }
  }

  @Test("the panel lies at the foot of the picture, in its middle")
  func place() throws {
    let frame = Frame.plain(255, width: 1280, height: 720)
    var drawn = frame
    Overlay().draw(
      [], prominent: nil, caption: Caption(text: "Starting Up", confidence: nil), on: &drawn)
    let panel = try #require(PixelBounds(of: drawn, changedFrom: frame))
    #expect(abs(panel.left + panel.right - 1279) <= 1)
    #expect(panel.top > 720 * 3 / 4)
    #expect(panel.bottom < 719)
  }

  @Test(
    "any label fits into the picture",
    arguments: [
      "standing_overhead_dumbbell_shoulder_press_with_alternating_arms_and_a_step",
      String(repeating: "W", count: 90), String(repeating: "ab ", count: 5000), "", " ", "_",
      "スクワット", "приседания", "قرفصاء", "🏋🏽‍♀️🤸🏾", "a\0b\nc\u{7F}", "\u{202E}\u{FFFF}\u{301}",
    ], [(160, 120), (404, 720), (1280, 720)])
  func labels(label: String, size: (Int, Int)) throws {
    let frame = Frame.plain(255, width: size.0, height: size.1)
    var drawn = frame
    Overlay().draw(
      [], prominent: nil, caption: Caption(text: label, confidence: 0.5), on: &drawn)
    let panel = try #require(PixelBounds(of: drawn, changedFrom: frame))
    #expect(panel.left > 0 && panel.right < size.0 - 1)
    #expect(panel.top > size.1 / 3 && panel.bottom < size.1 - 1)
    // Text has a margin to the panel's sides.
    let paper = drawn.color(x: (panel.left + panel.right) / 2, y: panel.top + 2)
    for y in panel.top + 1..<panel.bottom {
      for x in [panel.left + 4, panel.right - 4] {
        let isCorner = y < panel.top + 40 || y > panel.bottom - 40
        #expect(isCorner || drawn.color(x: x, y: y) == paper)
      }
    }
  }

  @Test("a family of fonts that is not there does no harm")
  func missingFont() {
    let frame = Frame.plain(255, width: 640, height: 360)
    var drawn = frame
    Overlay(fontFamily: "No Such Family").draw(
      [.standing], prominent: 0, caption: Caption(text: "No Person", confidence: nil), on: &drawn)
    #expect(!drawn.changes(from: frame).isEmpty)
  }

  @Test("a new caption replaces the one remembered")
  func changes() {
    let overlay = Overlay()
    func draw(_ caption: Caption) -> Frame {
      var frame = Frame(width: 320, height: 240)
      overlay.draw([], prominent: nil, caption: caption, on: &frame)
      return frame
    }
    let noPerson = Caption(text: "No Person", confidence: nil)
    let first = draw(noPerson)
    let second = draw(Caption(text: "Starting Up", confidence: nil))
    #expect(!second.changes(from: first).isEmpty)
    #expect(draw(noPerson).changes(from: first).isEmpty)
  }

  /// Relative luminance as WCAG 2.2 defines it.
  private func luminance(_ color: SIMD3<Int>) -> Double {
    func linear(_ value: Int) -> Double {
      let share = Double(value) / 255
      return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(color.x) + 0.7152 * linear(color.y) + 0.0722 * linear(color.z)
  }
}
