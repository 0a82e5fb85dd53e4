public import Foundation
package import KinemaVideo

extension TemporaryFolder {
  /// Makes a file with the `ffmpeg` command.
  public func make(_ name: String, _ arguments: String...) throws -> URL {
    let target = url(name)
    try Command.run("ffmpeg", ["-v", "error", "-nostdin", "-y"] + arguments + [target.path])
    return target
  }

  /// Makes a moving test picture of 30 frames a second, coded as the arguments say.
  public func makeMovie(
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

  /// Copies a movie with a display matrix that turns it.
  ///
  /// - Parameter degrees: What ffprobe reports as the rotation.
  public func turned(
    _ movie: URL, by degrees: Int, _ name: String = "turned.mp4", _ arguments: String...
  ) throws -> URL {
    let target = url(name)
    // Before 6, FFmpeg made a matrix of the tag; since 7 it does not.
    let help = String(
      bytes: try Command.run("ffmpeg", ["-v", "error", "-h", "long"]), encoding: .utf8)
    let isOption = help?.contains("-display_rotation") ?? false
    let before = isOption ? ["-display_rotation:v", "\(degrees)"] : []
    let tag = isOption ? [] : ["-metadata:s:v", "rotate=\(degrees)"]
    try Command.run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-y"] + before + ["-i", movie.path, "-c", "copy"] + tag
        + arguments + [target.path])
    return target
  }
}

/// Runs the programs that the tests compare with.
public enum Command {
  /// A program that ended with another status than 0.
  public struct Failure: Error, CustomStringConvertible {
    /// The program, its arguments and its status.
    public let description: String

    /// Creates a failure.
    public init(description: String) { self.description = description }
  }

  /// The standard output of a program.
  @discardableResult
  public static func run(_ program: String, _ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.environment = ProcessInfo.processInfo.environment.merging(["SVT_LOG": "0"]) { $1 }
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitForEnd()
    guard process.terminationStatus == 0 else {
      throw Failure(
        description: "\(program) \(arguments.joined(separator: " ")): \(process.terminationStatus)")
    }
    return data
  }

  /// What `ffprobe` says about one entry of a stream, a line for each.
  public static func probe(_ url: URL, stream: String, entries: String) throws -> [String] {
    let data = try run(
      "ffprobe",
      ["-v", "error", "-select_streams", stream, "-show_entries", entries, "-of", "csv=p=0"]
        + [url.path])
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

extension VideoSegmenter {
  /// Splits videos of a few seconds, into segments of at least this length.
  package static func short(length: Double) -> VideoSegmenter {
    var segmenter = VideoSegmenter()
    (segmenter.minimumTotal, segmenter.minimumLength) = (1.5 * length, length)
    segmenter.minimumRest = length / 2
    (segmenter.warmUp, segmenter.warmUpFrameCount) = (length / 4, Int(length * 6))
    return segmenter
  }
}
