/// One of eight rotations and reflections that make a stored image upright.
///
/// A pixel at (x, y) from the centre, y down, goes to (`xx`·x + `xy`·y, `yx`·x + `yy`·y).
struct Orientation: Equatable {
  let xx: Int
  let xy: Int
  let yx: Int
  let yy: Int

  static let upright = Orientation(xx: 1, xy: 0, yx: 0, yy: 1)

  /// In the order of Exif's `Orientation` tag, values 1 to 8 (Exif 2.32, section 4.6.4).
  private static let all = [
    upright,
    Orientation(xx: -1, xy: 0, yx: 0, yy: 1),
    Orientation(xx: -1, xy: 0, yx: 0, yy: -1),
    Orientation(xx: 1, xy: 0, yx: 0, yy: -1),
    Orientation(xx: 0, xy: 1, yx: 1, yy: 0),
    Orientation(xx: 0, xy: -1, yx: 1, yy: 0),
    Orientation(xx: 0, xy: -1, yx: -1, yy: 0),
    Orientation(xx: 0, xy: 1, yx: -1, yy: 0),
  ]

  /// Whether width and height are exchanged.
  var swapsSides: Bool { xx == 0 }
}

extension Orientation {
  init?(exifValue: Int) {
    guard (1...8).contains(exifValue) else { return nil }
    self = Self.all[exifValue - 1]
  }

  /// The nearest orientation to a display matrix of nine fixed-point numbers in an MP4 track header
  /// (ISO/IEC 14496-12, section 8.3.2): x' = m₀x + m₃y, y' = m₁x + m₄y.
  init(displayMatrix m: UnsafePointer<Int32>) {
    let (a, b, c, d) = (Double(m[0]), Double(m[1]), Double(m[3]), Double(m[4]))
    func likeness(_ way: Orientation) -> Double {
      a * Double(way.xx) + c * Double(way.xy) + b * Double(way.yx) + d * Double(way.yy)
    }
    // A matrix of zeros gives the first one.
    self = Self.all.reduce(.upright) { likeness($1) > likeness($0) ? $1 : $0 }
  }

  /// A clockwise rotation to the nearest right angle.
  init(clockwiseDegrees degrees: Double) {
    let quarterTurns = degrees.isFinite ? (degrees / 90).rounded() : 0
    switch Int(quarterTurns.truncatingRemainder(dividingBy: 4) + 4) % 4 {
    case 1: self = Self.all[5]
    case 2: self = Self.all[2]
    case 3: self = Self.all[7]
    default: self = .upright
    }
  }

  /// The same, mirrored left to right.
  var mirrored: Orientation { Orientation(xx: -xx, xy: -xy, yx: yx, yy: yy) }

  /// Copies pixels to their upright places.
  ///
  /// - Parameters:
  ///   - source: The stored pixels, `width` by `height`.
  ///   - rowLength: Number of pixels from one stored row to the next.
  ///   - destination: The upright pixels, without gaps.
  func copy(
    _ source: UnsafePointer<UInt32>, width: Int, height: Int, rowLength: Int,
    to destination: UnsafeMutablePointer<UInt32>
  ) {
    let uprightWidth = swapsSides ? height : width
    let uprightHeight = swapsSides ? width : height
    // The destination of the first stored pixel, and the steps for right and down.
    let firstColumn = xx + xy > 0 ? 0 : uprightWidth - 1
    let firstRow = yx + yy > 0 ? 0 : uprightHeight - 1
    let first = firstRow * uprightWidth + firstColumn
    let stepRight = xx + yx * uprightWidth
    let stepDown = xy + yy * uprightWidth

    // Tiles keep written rows in the first-level cache when rows become columns.
    let tile = 16
    for tileTop in stride(from: 0, to: height, by: tile) {
      let tileBottom = min(tileTop + tile, height)
      for tileLeft in stride(from: 0, to: width, by: swapsSides ? tile : width) {
        let tileRight = swapsSides ? min(tileLeft + tile, width) : width
        if swapsSides {
          for x in tileLeft..<tileRight {
            var target = destination + (first + x * stepRight + tileTop * stepDown)
            var pixel = source + (tileTop * rowLength + x)
            for _ in tileTop..<tileBottom {
              target.pointee = pixel.pointee
              target += stepDown
              pixel += rowLength
            }
          }
        } else {
          for y in tileTop..<tileBottom {
            var target = destination + (first + y * stepDown)
            let row = source + y * rowLength
            if stepRight == 1 {
              target.update(from: row, count: width)
              continue
            }
            for x in 0..<width {
              target.pointee = row[x]
              target -= 1
            }
          }
        }
      }
    }
  }
}
