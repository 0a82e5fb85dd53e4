import Foundation
import KinemaStreams
import KinemaTestSupport
import KinemaVideo

/// A clip of the shared data, decoded with the `ffmpeg` command just as the golden scripts do.
struct Clip {
  let url: URL

  init(_ name: String) {
    url = SharedData.url("clips/\(name)")
  }

  struct Failure: Error {
    let message: String
  }

  /// Gives the first frames to a function, in order; it returns whether it wants more.
  func forEachFrame(_ body: (Int, Frame) async throws -> Bool) async throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      ["ffmpeg", "-v", "quiet", "-nostdin", "-i", url.path, "-map", "0:v:0"]
      + ["-fps_mode", "passthrough", "-f", "image2pipe", "-c:v", "pam", "-pix_fmt", "rgba", "-"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    // A decoder without a reader ends when it writes.
    defer { try? pipe.fileHandleForReading.close() }
    var index = 0
    while let frame = try Self.frame(from: pipe.fileHandleForReading) {
      guard try await body(index, frame) else { return }
      index += 1
    }
    if index == 0 { throw Failure(message: "no frame could be read from \(url.path)") }
  }

  /// The frames with these indices.
  func frames(_ indices: Set<Int>) async throws -> [Int: Frame] {
    var found: [Int: Frame] = [:]
    let last = indices.max() ?? -1
    try await forEachFrame { index, frame in
      if indices.contains(index) { found[index] = frame }
      return index < last
    }
    return found
  }

  /// The first frames, stamped as a video of 30 frames a second.
  func stampedFrames(_ count: Int) async throws -> [TemporalFeature<Frame>] {
    try await frames(Set(0..<count)).sorted { $0.key < $1.key }.map { index, frame in
      let id = TemporalSegmentIdentifier(
        source: url.path, range: index..<index + 1, timescale: 30)
      return TemporalFeature(id: id, feature: frame)
    }
  }

  /// Reads one picture in the PAM format: lines of a header, then the pixels.
  private static func frame(from handle: FileHandle) throws -> Frame? {
    var header = Data()
    let end = Data("ENDHDR\n".utf8)
    while !header.suffix(end.count).elementsEqual(end) {
      guard let byte = try handle.read(upToCount: 1), !byte.isEmpty else { return nil }
      header += byte
    }
    func value(_ name: String) -> Int? {
      String(decoding: header, as: UTF8.self).split(separator: "\n")
        .first { $0.hasPrefix(name + " ") }.flatMap { Int($0.dropFirst(name.count + 1)) }
    }
    guard let width = value("WIDTH"), let height = value("HEIGHT") else { return nil }
    var frame = Frame(width: width, height: height)
    var filled = 0
    while filled < width * height * 4 {
      guard let chunk = try handle.read(upToCount: width * height * 4 - filled), !chunk.isEmpty
      else { return nil }
      frame.withUnsafeMutableBytes { bytes in
        bytes[filled..<filled + chunk.count].copyBytes(from: chunk)
      }
      filled += chunk.count
    }
    return frame
  }
}
