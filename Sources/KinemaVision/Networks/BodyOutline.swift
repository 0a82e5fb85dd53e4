/// The approximate area of a body: a stroke for each limb.
struct BodyOutline {
  /// The limbs, and their thickness as shares of the trunk's length.
  private static let limbs: [(from: BodyPoint, to: BodyPoint, thickness: Float)] = [
    (.leftShoulder, .leftElbow, 0.16), (.leftElbow, .leftWrist, 0.13),
    (.leftWrist, .leftIndexFinger, 0.12), (.rightShoulder, .rightElbow, 0.16),
    (.rightElbow, .rightWrist, 0.13), (.rightWrist, .rightIndexFinger, 0.12),
    (.leftHip, .leftKnee, 0.22), (.leftKnee, .leftAnkle, 0.17), (.leftAnkle, .leftToes, 0.13),
    (.rightHip, .rightKnee, 0.22), (.rightKnee, .rightAnkle, 0.17),
    (.rightAnkle, .rightToes, 0.13), (.leftShoulder, .leftHip, 0.22),
    (.rightShoulder, .rightHip, 0.22), (.leftShoulder, .rightHip, 0.22),
    (.rightShoulder, .leftHip, 0.22), (.leftShoulder, .rightShoulder, 0.18),
    (.leftHip, .rightHip, 0.22), (.leftEar, .rightEar, 0.26), (.nose, .nose, 0.26),
  ]

  private struct Stroke {
    var from, to: SIMD2<Float>
    var radius: Float

    func contains(_ point: SIMD2<Float>) -> Bool {
      let way = to - from
      let offset = point - from
      let share = min(max((offset * way).sum() / max((way * way).sum(), 1e-6), 0), 1)
      let away = offset - way * share
      return (away * away).sum() < radius * radius
    }
  }

  private let strokes: [Stroke]

  /// The outline of a body; empty without shoulders and hips.
  ///
  /// - Parameter transform: From frame pixels to the outline's coordinates; a similarity.
  init(_ body: BodyLandmarks, transform: (SIMD2<Float>) -> SIMD2<Float> = { $0 }) {
    func place(_ point: BodyPoint) -> SIMD2<Float>? { body[point].map { transform($0.position) } }
    func middle(_ left: BodyPoint, _ right: BodyPoint) -> SIMD2<Float>? {
      guard let left = place(left), let right = place(right) else { return nil }
      return (left + right) / 2
    }
    guard let shoulders = middle(.leftShoulder, .rightShoulder),
      let hips = middle(.leftHip, .rightHip)
    else {
      strokes = []
      return
    }
    let trunk = (hips - shoulders).length
    strokes = Self.limbs.compactMap { limb in
      guard let from = place(limb.from), let to = place(limb.to) else { return nil }
      return Stroke(from: from, to: to, radius: limb.thickness * trunk)
    }
  }

  func contains(_ point: SIMD2<Float>) -> Bool { strokes.contains { $0.contains(point) } }

  /// Paints out bodies in an image of `side` × `side` red, green and blue pixels, in whose
  /// coordinates the outlines are: each row is interpolated between the colours on both sides of a
  /// body.
  static func paintOver(
    _ outlines: [BodyOutline], side: Int, in pixels: UnsafeMutableBufferPointer<Float>
  ) {
    var isCovered = [Bool](repeating: false, count: side * side)
    for outline in outlines { outline.mark(side: side, in: &isCovered) }
    for y in 0..<side {
      var x = 0
      while x < side {
        guard isCovered[y * side + x] else {
          x += 1
          continue
        }
        var end = x
        while end < side, isCovered[y * side + end] { end += 1 }
        fill(x..<end, of: y, side: side, in: pixels)
        x = end
      }
    }
  }

  /// Interpolates a part of a row between the colours on both sides.
  private static func fill(
    _ columns: Range<Int>, of row: Int, side: Int, in pixels: UnsafeMutableBufferPointer<Float>
  ) {
    let left = columns.lowerBound > 0 ? columns.lowerBound - 1 : columns.upperBound
    let right = columns.upperBound < side ? columns.upperBound : columns.lowerBound - 1
    guard (0..<side).contains(left), (0..<side).contains(right) else { return }
    for channel in 0..<3 {
      let from = pixels[(row * side + left) * 3 + channel]
      let to = pixels[(row * side + right) * 3 + channel]
      for x in columns {
        let share = Float(x - columns.lowerBound + 1) / Float(columns.count + 1)
        pixels[(row * side + x) * 3 + channel] = from + (to - from) * share
      }
    }
  }

  private func mark(side: Int, in isCovered: inout [Bool]) {
    let limit = SIMD2<Float>(repeating: Float(side))
    for stroke in strokes {
      let low = pointwiseMin(stroke.from, stroke.to) - stroke.radius
      let high = pointwiseMax(stroke.from, stroke.to) + stroke.radius
      guard (low + high).sum().isFinite else { continue }
      let start = low.clamped(lowerBound: .zero, upperBound: limit)
      let end = high.clamped(lowerBound: .zero, upperBound: limit)
      for y in Int(start.y)..<Int(end.y) {
        for x in Int(start.x)..<Int(end.x)
        where stroke.contains(SIMD2(Float(x) + 0.5, Float(y) + 0.5)) {
          isCovered[y * side + x] = true
        }
      }
    }
  }
}

extension Region {
  /// Paints out bodies in an image of the region.
  ///
  /// - Parameters:
  ///   - side: Width and height of the image in pixels.
  ///   - pixels: Red, green and blue of each pixel.
  func paintOver(
    _ bodies: [BodyLandmarks], side: Int, in pixels: UnsafeMutableBufferPointer<Float>
  ) {
    guard !bodies.isEmpty else { return }
    let outlines = bodies.map { body in
      BodyOutline(body) { share(of: $0) * Float(side) }
    }
    BodyOutline.paintOver(outlines, side: side, in: pixels)
  }
}
