import KinemaPose

/// Draws one person: a dark halo, limbs with a gradient, dots at the joints.
struct WireframePainter {
  /// The least width of a limb of the trunk, as a share of the frame's shorter side.
  static let leastWidth = 0.004

  let projection: PoseProjection
  /// Whether the highlighted person is framed as well.
  let drawsCorners: Bool

  private struct DrawnLimb {
    var start: PixelPoint
    var end: PixelPoint
    var colors: (start: Color, end: Color)
    var share: Double
  }

  private struct Dot {
    var center: PixelPoint
    var color: Color
    var share: Double
  }

  /// Draws a pose; a highlighted one in full colour, others thinner, paler and translucent.
  func draw(_ pose: Pose, highlighted: Bool, on canvas: borrowing Canvas) {
    let dots = dots(of: pose, highlighted: highlighted)
    guard let box = bounds(of: dots) else { return }
    let limbs = limbs(of: pose, highlighted: highlighted)
    let lineWidth = lineWidth(for: box) * (highlighted ? 1 : 0.7)
    if highlighted {
      if drawsCorners { drawCorners(round: box, lineWidth: lineWidth, on: canvas) }
      draw(limbs, dots, lineWidth: lineWidth, on: canvas)
    } else {
      drawTranslucent(limbs, dots, in: box, lineWidth: lineWidth, on: canvas)
    }
  }

  private func draw(
    _ limbs: [DrawnLimb], _ dots: [Dot], lineWidth: Double, on canvas: borrowing Canvas
  ) {
    let halo = max(1, lineWidth * 0.3)
    for share in [1, JointStyle.smallSize] {
      let lines = limbs.filter { $0.share == share }.map { ($0.start, $0.end) }
      canvas.strokeLines(lines, width: lineWidth * share + 2 * halo, color: .black.withAlpha(0.5))
    }
    for limb in limbs {
      canvas.strokeLine(
        from: limb.start, to: limb.end, width: lineWidth * limb.share, colors: limb.colors)
    }
    for dot in dots {
      let radius = lineWidth * 0.72 * dot.share
      canvas.fillCircle(at: dot.center, radius: radius + halo * 0.6, color: .black.withAlpha(0.55))
      canvas.fillCircle(at: dot.center, radius: radius, color: dot.color)
      canvas.fillCircle(at: dot.center, radius: radius * 0.55, color: .white)
    }
  }

  private func drawTranslucent(
    _ limbs: [DrawnLimb], _ dots: [Dot], in box: PixelRectangle, lineWidth: Double,
    on canvas: borrowing Canvas
  ) {
    let area = box.insetBy(-2 * lineWidth - 2)
    canvas.beginSheet(in: area)
    draw(limbs, dots, lineWidth: lineWidth, on: canvas)
    canvas.endSheet(opacity: 0.8)
  }

  /// Brackets at the corners of the person's box.
  private func drawCorners(
    round box: PixelRectangle, lineWidth: Double, on canvas: borrowing Canvas
  ) {
    let frame = box.insetBy(-4 * lineWidth)
    let arm = min(frame.width, frame.height, 10 * lineWidth) * 0.3
    let left = frame.x, right = frame.x + frame.width
    let top = frame.y, bottom = frame.y + frame.height
    for (x, inwardX) in [(left, arm), (right, -arm)] {
      for (y, inwardY) in [(top, arm), (bottom, -arm)] {
        let bracket = [
          PixelPoint(x: x + inwardX, y: y), PixelPoint(x: x, y: y),
          PixelPoint(x: x, y: y + inwardY),
        ]
        let width = max(1, lineWidth * 0.35)
        canvas.strokePath(bracket, width: width * 2.4, color: .black.withAlpha(0.4))
        canvas.strokePath(bracket, width: width, color: .white.withAlpha(0.95))
      }
    }
  }
}

// MARK: - Labels

extension WireframePainter {
  /// Draws a line of text on a dark ground above a person, within the frame.
  func draw(
    _ label: String, above pose: Pose, fontFamily: String, on canvas: borrowing Canvas
  ) {
    guard let box = bounds(of: dots(of: pose, highlighted: true)), !label.isEmpty else { return }
    let size = max(9, min(projection.width, projection.height) * 0.03)
    let font = Canvas.Font(family: fontFamily, size: size, isBold: true)
    let width = canvas.width(of: label, font: font) + size
    let height = size * 1.5
    let left = min(max(box.x + (box.width - width) / 2, 0), max(projection.width - width, 0))
    let top = min(max(box.y - 2 * height, 0), max(projection.height - height, 0))
    canvas.fillRoundedRectangle(
      PixelRectangle(x: left, y: top, width: width, height: height), radius: size * 0.4,
      color: .black.withAlpha(0.68))
    canvas.drawText(
      label, at: PixelPoint(x: left + size / 2, y: top + height * 0.5 + size * 0.36), font: font,
      color: .white)
  }
}

// MARK: - What is drawn, and how large

extension WireframePainter {
  private func limbs(of pose: Pose, highlighted: Bool) -> [DrawnLimb] {
    (pose.wireframe.segments(of: pose) + Wireframe.feet.segments(of: pose))
      .compactMap { segment in
        guard let start = projection.pixel(of: segment.start),
          let end = projection.pixel(of: segment.end)
        else { return nil }
        return DrawnLimb(
          start: start, end: end,
          colors: (
            JointStyle.color(of: segment.start.key, isHighlighted: highlighted),
            JointStyle.color(of: segment.end.key, isHighlighted: highlighted)
          ),
          share: JointStyle.size(of: segment.end.key))
      }
  }

  private func dots(of pose: Pose, highlighted: Bool) -> [Dot] {
    // In a fixed order, so that the same pose always gives the same image.
    (pose.wireframe.joints + Wireframe.feet.joints).compactMap { key in
      guard
        let joint = pose.drawableJoint(key),
        let center = projection.pixel(of: joint)
      else { return nil }
      return Dot(
        center: center, color: JointStyle.color(of: key, isHighlighted: highlighted),
        share: JointStyle.size(of: key))
    }
  }

  private func bounds(of dots: [Dot]) -> PixelRectangle? {
    let xs = dots.map(\.center.x)
    let ys = dots.map(\.center.y)
    guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max()
    else { return nil }
    return PixelRectangle(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Grows with the person within limits of the frame; tuned by eye on 160×120 to 4K.
  private func lineWidth(for box: PixelRectangle) -> Double {
    let diagonal = (box.width * box.width + box.height * box.height).squareRoot()
    let side = min(projection.width, projection.height)
    let width = min(max(diagonal * 0.017, side * Self.leastWidth), side * 0.02)
    return max(1.5, width)
  }
}
