import KinemaPose
import KinemaVideo

extension Frame {
  /// A picture of one grey.
  static func plain(_ grey: UInt8, width: Int, height: Int) -> Frame {
    var frame = Frame(width: width, height: height)
    frame.withUnsafeMutableBytes { (bytes: UnsafeMutableRawBufferPointer) -> Void in
      for index in bytes.indices { bytes[index] = grey }
    }
    return frame
  }

  /// A picture of noise, the same each time.
  static func noise(width: Int, height: Int) -> Frame {
    var frame = Frame(width: width, height: height)
    var state: UInt32 = 12_345
    frame.withUnsafeMutableBytes { (bytes: UnsafeMutableRawBufferPointer) -> Void in
      for index in bytes.indices {
        state = state &* 1_664_525 &+ 1_013_904_223
        bytes[index] = UInt8(state >> 24)
      }
    }
    return frame
  }

  /// Red, green and blue of the pixel that a normalised place, origin at the lower left, falls in.
  func color(at position: SIMD2<Float>) -> SIMD3<Int> {
    color(
      x: min(width - 1, max(0, Int(position.x * Float(width)))),
      y: min(height - 1, max(0, Int((1 - position.y) * Float(height)))))
  }

  /// Red, green and blue of a pixel, origin at the upper left.
  func color(x: Int, y: Int) -> SIMD3<Int> {
    withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> SIMD3<Int> in
      let offset = y * bytesPerRow + x * 4
      return SIMD3(Int(bytes[offset]), Int(bytes[offset + 1]), Int(bytes[offset + 2]))
    }
  }

  /// The pixels that are not the same in another picture of the same size.
  func changes(from other: Frame) -> [(x: Int, y: Int)] {
    var found: [(x: Int, y: Int)] = []
    for y in 0..<height {
      for x in 0..<width where color(x: x, y: y) != other.color(x: x, y: y) {
        found.append((x, y))
      }
    }
    return found
  }
}

extension Pose {
  /// A person upright with arms held out, in the left half of the frame.
  static let standing = Pose(from: standingPoints(shiftedBy: 0))
  /// The same in the right half.
  static let standingAtRight = Pose(from: standingPoints(shiftedBy: 0.45))

  private static func standingPoints(shiftedBy shift: Float) -> [JointKey: JointPoint] {
    let places: [(JointKey, Float, Float)] = [
      (.nose, 0.25, 0.88), (.neck, 0.25, 0.78),
      (.rightEye, 0.235, 0.90), (.leftEye, 0.265, 0.90),
      (.rightEar, 0.22, 0.89), (.leftEar, 0.28, 0.89),
      (.rightShoulder, 0.20, 0.78), (.rightElbow, 0.13, 0.74), (.rightWrist, 0.06, 0.72),
      (.leftShoulder, 0.30, 0.78), (.leftElbow, 0.37, 0.74), (.leftWrist, 0.44, 0.72),
      (.rightHip, 0.21, 0.55), (.rightKnee, 0.20, 0.42), (.rightAnkle, 0.19, 0.30),
      (.leftHip, 0.29, 0.55), (.leftKnee, 0.30, 0.42), (.leftAnkle, 0.31, 0.30),
    ]
    return Dictionary(
      uniqueKeysWithValues: places.map { key, x, y in
        (key, JointPoint(key, position: SIMD2(x + shift, y), confidence: 0.9))
      })
  }
}

/// The smallest rectangle round the pixels that changed; all four sides belong to it.
struct PixelBounds {
  let left: Int
  let right: Int
  let top: Int
  let bottom: Int

  init?(of drawn: Frame, changedFrom frame: Frame) {
    let changes = drawn.changes(from: frame)
    guard let left = changes.map(\.x).min(), let right = changes.map(\.x).max(),
      let top = changes.map(\.y).min(), let bottom = changes.map(\.y).max()
    else { return nil }
    self.left = left
    self.right = right
    self.top = top
    self.bottom = bottom
  }
}
