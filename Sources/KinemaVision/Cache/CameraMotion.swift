import KinemaVideo

/// Estimates the camera's motion by block matching at the border of the frame.
///
/// A few times a second a frame is reduced to 128 × 72 grey values. Each block at the left, right
/// and upper border is matched with the last frame, up to six points away (least sum of absolute
/// differences), without blocks that have no texture or no distinct match. If more than half of at
/// least five blocks agree with their median shift, the camera has moved by it. A person who walks
/// through some blocks does not count.
struct CameraMotion {
  private static let width = 128
  private static let height = 72
  private static let blockSize = 16
  private static let reach = 6
  /// The time between the frames that are compared, in seconds.
  private static let interval = 0.2
  /// The lowest mean difference of a block's points from their mean that counts as texture.
  private static let leastTexture = 4.0
  /// How many blocks with texture the estimate takes.
  private static let leastBlocks = 5
  /// How much better a block must match elsewhere to have moved, as a share of the difference.
  private static let leastGain = 0.25

  private var previous: (time: Double, picture: [UInt8])?
  private var distance = 0.0
  private var seconds = 0.0

  /// The mean speed in frame widths a second; 0 for a camera at rest.
  var speed: Double { seconds > 0 ? distance / seconds : 0 }

  mutating func add(_ frame: Frame, at time: Double) {
    if let previous, time - previous.time < Self.interval - 0.01 { return }
    let picture = Self.reduced(frame)
    if let previous, time - previous.time <= 4 * Self.interval {
      distance += Self.shift(from: previous.picture, to: picture) / Double(Self.width)
      seconds += time - previous.time
    }
    previous = (time, picture)
  }

  /// Adds the motion in a later part of the same video.
  mutating func add(_ part: CameraMotion) {
    distance += part.distance
    seconds += part.seconds
  }

  /// The grey values (green, most of brightness) of a reduced frame.
  static func reduced(_ frame: Frame) -> [UInt8] {
    let samples = 4
    var picture = [UInt8](repeating: 0, count: width * height)
    frame.withUnsafeBytes { bytes in
      for y in 0..<height {
        for x in 0..<width {
          var sum = 0
          for row in 0..<samples {
            let line = (y * samples + row) * frame.height / (height * samples)
            for column in 0..<samples {
              let place = (x * samples + column) * frame.width / (width * samples)
              sum += Int(bytes[line * frame.bytesPerRow + place * 4 + 1])
            }
          }
          picture[y * width + x] = UInt8(sum / (samples * samples))
        }
      }
    }
    return picture
  }

  /// The upper left corners of the blocks, which leave room for the search.
  private static let blocks: [(x: Int, y: Int)] = {
    let right = width - blockSize - reach
    var blocks: [(x: Int, y: Int)] = []
    for x in stride(from: reach, through: right, by: blockSize + 4) { blocks.append((x, reach)) }
    let lowest = height - blockSize - reach
    for y in stride(from: reach + blockSize, through: lowest, by: blockSize) {
      blocks.append((reach, y))
      blocks.append((right, y))
    }
    return blocks
  }()

  /// The shift of the frame, in points.
  static func shift(from old: [UInt8], to new: [UInt8]) -> Double {
    let shifts = blocks.compactMap { shift(ofBlockAt: $0, from: old, to: new) }
    guard shifts.count >= leastBlocks else { return 0 }
    let x = shifts.map(\.x).sorted()[shifts.count / 2]
    let y = shifts.map(\.y).sorted()[shifts.count / 2]
    let agreeing = shifts.count { abs($0.x - x) <= 1 && abs($0.y - y) <= 1 }
    guard agreeing * 2 > shifts.count else { return 0 }
    return Double(x * x + y * y).squareRoot()
  }

  /// Where a block is found again; `nil` where it has no texture.
  private static func shift(
    ofBlockAt block: (x: Int, y: Int), from old: [UInt8], to new: [UInt8]
  ) -> (x: Int, y: Int)? {
    var sum = 0
    for y in block.y..<(block.y + blockSize) {
      for x in block.x..<(block.x + blockSize) { sum += Int(new[y * width + x]) }
    }
    let mean = sum / (blockSize * blockSize)
    var deviation = 0
    for y in block.y..<(block.y + blockSize) {
      for x in block.x..<(block.x + blockSize) { deviation += abs(Int(new[y * width + x]) - mean) }
    }
    guard Double(deviation) >= leastTexture * Double(blockSize * blockSize) else { return nil }
    func difference(_ dx: Int, _ dy: Int) -> Int {
      var total = 0
      for y in block.y..<(block.y + blockSize) {
        for x in block.x..<(block.x + blockSize) {
          total += abs(Int(new[y * width + x]) - Int(old[(y + dy) * width + x + dx]))
        }
      }
      return total
    }
    let atRest = difference(0, 0)
    var best = (difference: atRest, x: 0, y: 0)
    for dy in -reach...reach {
      for dx in -reach...reach {
        let value = difference(dx, dy)
        if value < best.difference { best = (value, dx, dy) }
      }
    }
    let gain = Double(atRest - best.difference)
    return gain > leastGain * Double(atRest) ? (best.x, best.y) : (0, 0)
  }
}
