/// Compensates the shake of a hand-held camera by shifting frames, without delay.
///
/// The camera's path is estimated from frame to frame (``CameraShift``); each frame is shifted to
/// the path's running average. Rotation and zoom are not compensated.
struct FrameStabilizer {
  /// The running average's share of each frame; half of a pan is followed in twelve frames.
  private static let pace = 0.06
  /// Largest shift, as a share of width and height.
  private static let reach = 0.1

  private var last: Thumbnail?
  /// Distance of the camera from the average path, in pixels.
  private var shake = SIMD2<Double>.zero
  private let pool = PixelBufferPool(capacity: 6)

  /// The shifted frame, with border pixels repeated; restarts for another size or unrelated
  /// content.
  mutating func stabilized(_ frame: Frame) -> Frame {
    let thumbnail = Thumbnail(of: frame)
    if let last, last.width == thumbnail.width, last.height == thumbnail.height,
      last.scale == thumbnail.scale, let shift = CameraShift.between(last, thumbnail)
    {
      let limit = SIMD2(Double(frame.width), Double(frame.height)) * Self.reach
      shake = ((shake + shift * Double(thumbnail.scale)) * (1 - Self.pace))
        .clamped(lowerBound: -limit, upperBound: limit)
    } else {
      shake = .zero
    }
    last = thumbnail
    return frame.shifted(right: -Int(shake.x.rounded()), down: -Int(shake.y.rounded()), pool: pool)
  }
}

/// A small brightness image.
struct Thumbnail {
  /// Largest number of pixels of the longer side.
  private static let side = 192

  /// Pixels of the frame per thumbnail pixel, in each direction.
  let scale: Int
  let width: Int
  let height: Int
  /// Rows from the top: mean green of each square of pixels.
  let values: [UInt8]

  init(of frame: Frame) {
    let scale = (max(frame.width, frame.height) + Self.side - 1) / Self.side
    let width = frame.width / scale
    let height = frame.height / scale
    values = frame.withUnsafeBytes { bytes in
      var values: [UInt8] = []
      values.reserveCapacity(width * height)
      for y in 0..<height {
        for x in 0..<width {
          var sum = 0
          for row in y * scale..<(y + 1) * scale {
            let start = (row * frame.width + x * scale) * 4 + 1
            for index in 0..<scale { sum += Int(bytes[start + index * 4]) }
          }
          values.append(UInt8(sum / (scale * scale)))
        }
      }
      return values
    }
    self.scale = scale
    self.width = width
    self.height = height
  }
}

/// The shift of the static background between frames.
enum CameraShift {
  /// Side of the matched squares, and largest shift, in pixels.
  private static let side = 16
  private static let reach = 8
  /// How much worse a match must be one pixel beside its minimum, per pixel: flat areas match
  /// everywhere.
  private static let distinction = 1.0
  /// Squares moved with the camera if their shifts differ by at most this, in pixels.
  private static let tolerance = 0.75

  /// The shift in thumbnail pixels, x right and y down; `nil` if no more than a quarter of the
  /// distinct squares agree, as after a cut.
  static func between(_ last: Thumbnail, _ next: Thumbnail) -> SIMD2<Double>? {
    var shifts: [SIMD2<Double>] = []
    last.values.withUnsafeBufferPointer { old in
      next.values.withUnsafeBufferPointer { new in
        for y in stride(from: reach, through: last.height - side - reach, by: side) {
          for x in stride(from: reach, through: last.width - side - reach, by: side) {
            let shift = shift(ofSquareAt: y * last.width + x, in: old, to: new, width: last.width)
            if let shift { shifts.append(shift) }
          }
        }
      }
    }
    // Moving people shift some squares; most others agree.
    let groups = shifts.map { one in
      shifts.filter { other in
        abs(one.x - other.x) < tolerance && abs(one.y - other.y) < tolerance
      }
    }
    guard let largest = groups.max(by: { $0.count < $1.count }),
      largest.count >= 3, largest.count * 4 > shifts.count
    else { return nil }
    return largest.reduce(.zero, +) / Double(largest.count)
  }

  /// The shift of a square; `nil` if its surroundings match as well.
  private static func shift(
    ofSquareAt start: Int, in old: UnsafeBufferPointer<UInt8>, to new: UnsafeBufferPointer<UInt8>,
    width: Int
  ) -> SIMD2<Double>? {
    func difference(_ x: Int, _ y: Int) -> Int {
      var sum = 0
      for row in 0..<side {
        let index = start + row * width
        let shifted = index + y * width + x
        var rowSum = 0
        for column in 0..<side {
          rowSum += abs(Int(old[index + column]) - Int(new[shifted + column]))
        }
        sum += rowSum
      }
      return sum
    }
    var best = (x: 0, y: 0, difference: difference(0, 0))
    for y in -reach...reach {
      for x in -reach...reach {
        let value = difference(x, y)
        if value < best.difference { best = (x, y, value) }
      }
    }
    guard max(abs(best.x), abs(best.y)) < reach else { return nil }
    func place(_ before: Int, _ after: Int) -> Double? {
      let (before, after) = (Double(before - best.difference), Double(after - best.difference))
      guard min(before, after) >= distinction * Double(side * side) else { return nil }
      // The vertex of two equally steep lines through the three points.
      return (before - after) / (2 * max(before, after))
    }
    guard let x = place(difference(best.x - 1, best.y), difference(best.x + 1, best.y)),
      let y = place(difference(best.x, best.y - 1), difference(best.x, best.y + 1))
    else { return nil }
    return SIMD2(Double(best.x) + x, Double(best.y) + y)
  }
}

extension Frame {
  /// The frame shifted by whole pixels, its border repeated.
  fileprivate func shifted(right: Int, down: Int, pool: PixelBufferPool) -> Frame {
    guard right != 0 || down != 0 else { return self }
    let buffer = PixelBuffer(byteCount: width * height * 4, pool: pool)
    let target = buffer.bytes.bindMemory(to: UInt32.self)
    withUnsafeBytes { bytes in
      let source = bytes.bindMemory(to: UInt32.self)
      // The columns that the old frame provides.
      let columns = max(0, right)..<min(width, width + right)
      for y in 0..<height {
        let from = min(max(y - down, 0), height - 1) * width
        let to = y * width
        for x in 0..<columns.lowerBound { target[to + x] = source[from] }
        for x in columns { target[to + x] = source[from + x - right] }
        for x in columns.upperBound..<width { target[to + x] = source[from + width - 1] }
      }
    }
    return Frame(width: width, height: height, buffer: buffer)
  }
}
