import Foundation
import KinemaStreams
import KinemaTestSupport
import KinemaVideo

extension AsyncFrames {
  /// Reads everything.
  func all() async throws -> [TemporalFeature<Frame>] {
    var frames: [TemporalFeature<Frame>] = []
    for try await frame in self { frames.append(frame) }
    return frames
  }
}

extension Frame {
  /// Red, green and blue of a pixel.
  func color(x: Int, y: Int) -> [Int] {
    withUnsafeBytes { bytes in
      let offset = y * bytesPerRow + x * 4
      return (0..<3).map { Int(bytes[offset + $0]) }
    }
  }

  /// The pixels without the unused byte.
  var rgb: [UInt8] {
    withUnsafeBytes { bytes in
      (0..<(width * height)).flatMap { bytes[($0 * 4)..<($0 * 4 + 3)] }
    }
  }

  /// The likeness to another frame of the same size as peak signal-to-noise ratio in decibels.
  func peakSignalToNoise(to other: Frame) -> Double {
    guard width == other.width, height == other.height else { return 0 }
    let squares = zip(rgb, other.rgb).reduce(0) { sum, pair in
      let difference = Int(pair.0) - Int(pair.1)
      return sum + difference * difference
    }
    return 10 * log10(255 * 255 * Double(width * height * 3) / Double(max(1, squares)))
  }

  /// A smooth picture that is different for each number and in each corner.
  static func sample(_ number: Int, width: Int, height: Int) -> Frame {
    var frame = Frame(width: width, height: height)
    frame.withUnsafeMutableBytes { bytes in
      for y in 0..<height {
        for x in 0..<width {
          let offset = (y * width + x) * 4
          bytes[offset] = UInt8(x * 255 / max(1, width - 1))
          bytes[offset + 1] = UInt8(y * 255 / max(1, height - 1))
          bytes[offset + 2] = UInt8(number * 8 % 256)
        }
      }
    }
    return frame
  }
}
