import Foundation
import KinemaStreams
import KinemaTestSupport
import KinemaVideo

extension TemporaryFolder {
  /// Makes a file with the `ffmpeg` command.
  func make(_ name: String, _ arguments: String...) throws -> URL {
    let target = url(name)
    try Command.run("ffmpeg", ["-v", "error", "-nostdin", "-y"] + arguments + [target.path])
    return target
  }

  /// Makes a moving test picture of 30 frames a second, coded as the arguments say.
  func makeMovie(
    _ name: String, size: String = "96x64", frameCount: Int = 12, _ arguments: String...
  ) throws -> URL {
    let target = url(name)
    let duration = Double(frameCount) / 30
    let source = ["-f", "lavfi", "-i", "testsrc2=size=\(size):rate=30:duration=\(duration)"]
    let options = arguments.flatMap { $0.split(separator: " ").map(String.init) }
    let length = frameCount == 1 ? ["-frames:v", "1"] : []
    try Command.run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-y"] + source + options + length + [target.path])
    return target
  }
}

/// Runs the programs that the tests compare with.
enum Command {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  @discardableResult
  static func run(_ program: String, _ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.environment = ProcessInfo.processInfo.environment.merging(["SVT_LOG": "0"]) { $1 }
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(
        description: "\(program) \(arguments.joined(separator: " ")): \(process.terminationStatus)")
    }
    return data
  }

  /// What `ffprobe` says about one entry of a stream, a line for each.
  static func probe(_ url: URL, stream: String, entries: String) throws -> [String] {
    let data = try run(
      "ffprobe",
      ["-v", "error", "-select_streams", stream, "-show_entries", entries, "-of", "csv=p=0"]
        + [url.path])
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

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
