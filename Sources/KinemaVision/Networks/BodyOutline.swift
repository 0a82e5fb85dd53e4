/// The approximate area of a body: a stroke for each limb.
struct BodyOutline {
  /// The limbs by BlazePose's point numbers, and their thickness as shares of the trunk's length.
  private static let limbs: [(from: Int, to: Int, thickness: Float)] = [
    (11, 13, 0.16), (13, 15, 0.13), (15, 19, 0.12), (12, 14, 0.16), (14, 16, 0.13), (16, 20, 0.12),
    (23, 25, 0.22), (25, 27, 0.17), (27, 31, 0.13), (24, 26, 0.22), (26, 28, 0.17), (28, 32, 0.13),
    (11, 23, 0.22), (12, 24, 0.22), (11, 24, 0.22), (12, 23, 0.22), (11, 12, 0.18), (23, 24, 0.22),
    (7, 8, 0.26), (0, 0, 0.26),
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

  /// The outline of a body.
  ///
  /// - Parameter transform: From frame pixels to the outline's coordinates; a similarity.
  init(_ body: BodyLandmarks, transform: (SIMD2<Float>) -> SIMD2<Float> = { $0 }) {
    let places = body.points.map { transform($0.position) }
    let shoulders = (places[11] + places[12]) / 2
    let trunk = ((places[23] + places[24]) / 2 - shoulders).length
    strokes = Self.limbs.map {
      Stroke(from: places[$0.from], to: places[$0.to], radius: $0.thickness * trunk)
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
