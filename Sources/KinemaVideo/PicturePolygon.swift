import KinemaFiles

/// A closed area of a picture.
///
/// Points are shares of the picture's width and height; the origin is at the lower left, y is up. The last
/// point is joined to the first one; where edges cross, what is enclosed an even number of times is outside.
package struct PicturePolygon: Hashable, Sendable {
  package let points: [SIMD2<Float>]

  package init(_ points: [SIMD2<Float>]) { self.points = points }

  /// Its edges, from point to point.
  private var edges: [(SIMD2<Float>, SIMD2<Float>)] {
    points.indices.map { (points[$0], points[($0 + 1) % points.count]) }
  }

  /// The area as a share of the picture.
  package var area: Float {
    abs(edges.reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y }) / 2
  }

  /// Whether a place is inside.
  package func contains(_ place: SIMD2<Float>) -> Bool {
    crossings(at: place.y).count { $0 > place.x } % 2 == 1
  }

  /// Where the edges cross a height, from left to right.
  func crossings(at height: Float) -> [Float] {
    edges.compactMap { start, end -> Float? in
      guard (start.y > height) != (end.y > height) else { return nil }
      return start.x + (height - start.y) / (end.y - start.y) * (end.x - start.x)
    }.sorted()
  }
}

extension Frame {
  /// The frame with areas in black.
  package func masked(by polygons: [PicturePolygon]) -> Frame {
    guard !polygons.isEmpty else { return self }
    var frame = self
    let (width, height) = (width, height)
    frame.withUnsafeMutableBytes { bytes in
      let pixels = bytes.bindMemory(to: UInt32.self)
      for row in 0..<height {
        let place = 1 - (Float(row) + 0.5) / Float(height)
        for polygon in polygons {
          let ends = polygon.crossings(at: place)
          for pair in stride(from: 0, to: ends.count - 1, by: 2) {
            let first = max(0, Int(saturating: (ends[pair] * Float(width)).rounded(.down)))
            let last = min(width, Int(saturating: (ends[pair + 1] * Float(width)).rounded(.up)))
            guard first < last else { continue }
            pixels[row * width + first..<row * width + last].update(repeating: 0)
          }
        }
      }
    }
    return frame
  }
}
