import Foundation
import KinemaRandom
import KinemaStreams
import KinemaTestSupport
import KinemaVideo
import Testing

/// Files that are partly readable, and manipulated files.
@Suite(.serialized)
struct DamagedVideoTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("corrupt packets cost their frames and one warning")
  func leavesOutDamagedFrames() async throws {
    let whole = try folder.makeMovie(
      "whole.avi", size: "320x240", frameCount: 60, "-c:v mpeg4 -g 5 -q:v 4")
    let url = try folder.make(
      "noisy.avi", "-i", whole.path, "-c", "copy", "-bsf:v", "noise=amount=-2:drop=0*not(n)")
    let damaged = try folder.make(
      "damaged.mkv", "-i", whole.path, "-c", "copy", "-bsf:v",
      "noise=amount='2000*eq(mod(n\\,9)\\,4)'")
    for url in [url, damaged] {
      let frames = try await VideoReader.read(contentsOf: url)
      let all = try await frames.all()
      #expect(all.count > 20)
      let starts = all.map(\.id.range.lowerBound)
      #expect(zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 })
      #expect(all.count < 60)
      #expect(frames.warnings.count == 1)
      #expect(frames.warnings.first?.contains(url.path) == true)
      #expect(frames.warnings.first?.contains("\(60 - all.count) damaged picture") == true)
    }
  }

  @Test("an invalid packet costs one frame", arguments: ["mjpeg", "mpeg4", "libx264"])
  func leavesOutRubbish(codec: String) async throws {
    let whole = try folder.makeMovie("whole.mkv", frameCount: 30, "-c:v \(codec) -g 1 -bf 0")
    let packets = try Command.probe(whole, stream: "v", entries: "packet=pos,size")
      .map { $0.split(separator: ",").compactMap { Int($0) } }.filter { $0.count >= 2 }
    #expect(packets.count == 30)
    var bytes = try Data(contentsOf: whole)
    let position = max(packets[10][0], packets[10][1])
    let size = min(packets[10][0], packets[10][1])
    // Behind the block's own header of a few bytes.
    for offset in 16..<(size - 1) { bytes[position + offset] = 0x55 }
    let url = folder.url("rubbish.mkv")
    try bytes.write(to: url)
    let frames = try await VideoReader.read(contentsOf: url)
    let all = try await frames.all()
    #expect((29...30).contains(all.count))
    // MPEG-4 has pictures that say they are to be skipped, and this may have become one.
    if codec != "mpeg4" { #expect(frames.warnings.count == 30 - all.count) }
    #expect(abs((all.last?.id.rangeInSeconds.lowerBound ?? 0) - 29.0 / 30) < 0.01)
  }

  @Test(
    "a file that is cut off gives the frames that it has", arguments: ["mp4", "mkv", "avi", "ts"])
  func readsUpToTheCut(container: String) async throws {
    let whole = try folder.makeMovie(
      "whole.\(container)", frameCount: 90, "-pix_fmt yuv420p -g 10 -movflags +faststart")
    let bytes = try Data(contentsOf: whole)
    let url = folder.url("cut.\(container)")
    try bytes.prefix(bytes.count / 2).write(to: url)
    let frames = try await VideoReader.read(contentsOf: url)
    let all = try await frames.all()
    #expect((20..<80).contains(all.count))
    if container == "mp4" {
      #expect(frames.warnings.contains { $0.contains("cut off") })
    }
  }

  @Test("three hundred damaged files give frames or one sentence", .timeLimit(.minutes(60)))
  func survivesDamage() async throws {
    let options: [(String, String)] = [
      ("a.mp4", "-c:v libx264 -pix_fmt yuv420p"),
      ("b.mkv", "-c:v libx264 -pix_fmt yuv420p"),
      ("c.ts", "-c:v libx264 -pix_fmt yuv420p"),
      ("d.mp4", "-c:v libx265 -x265-params log-level=none -pix_fmt yuv420p"),
      ("e.webm", "-c:v libvpx-vp9 -cpu-used 8"),
      ("f.mkv", "-c:v libaom-av1 -cpu-used 8 -pix_fmt yuv420p"),
      ("g.avi", "-c:v mjpeg"),
      ("h.avi", "-c:v mpeg4"),
      ("i.gif", ""),
      ("j.mov", "-c:v mjpeg -movflags +faststart"),
      ("k.mpg", "-c:v mpeg2video"),
      ("l.mp4", "-c:v mpeg4 -movflags +frag_keyframe+empty_moov"),
    ]
    let originals = try options.map { name, options in
      let url = try folder.makeMovie(name, options)
      return (url.pathExtension, try Data(contentsOf: url))
    }
    let seed = UInt64(ProcessInfo.processInfo.environment["KINEMA_FUZZ_SEED"] ?? "") ?? 1
    let fileCount = Int(ProcessInfo.processInfo.environment["KINEMA_FUZZ_COUNT"] ?? "") ?? 300
    var generator = SeededGenerator(seed: seed)
    var (read, refused) = (0, 0)
    for number in 0..<fileCount {
      let (fileExtension, original) = originals[number % originals.count]
      let damaged = damage(original, using: &generator)
      let url = folder.url("damaged-\(number).\(fileExtension)")
      try damaged.write(to: url)
      defer { try? FileManager.default.removeItem(at: url) }
      do {
        var last = -1
        for try await frame in try await VideoReader.read(contentsOf: url) {
          #expect(frame.id.range.lowerBound > last)
          last = frame.id.range.lowerBound
        }
        read += 1
      } catch let error as VideoError {
        #expect(error.message.contains(url.path), "seed \(seed), file \(number)")
        refused += 1
      }
    }
    #expect(read + refused == fileCount)
    #expect(read > fileCount / 4)
  }

  /// Flips bits, cuts the end, or puts bytes in.
  private func damage(_ original: Data, using generator: inout SeededGenerator) -> Data {
    var bytes = [UInt8](original)
    // Damage near the start hits headers.
    func place() -> Int {
      let range = Bool.random(using: &generator) ? bytes.count : min(bytes.count, 1200)
      return Int.random(in: 0..<range, using: &generator)
    }
    switch Int.random(in: 0..<4, using: &generator) {
    case 0, 1:
      for _ in 0..<Int.random(in: 1...40, using: &generator) {
        bytes[place()] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      }
    case 2:
      bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator))
    default:
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let inserted = (0..<Int.random(in: 1...64, using: &generator)).map { _ in
          UInt8.random(in: 0...255, using: &generator)
        }
        bytes.insert(contentsOf: inserted, at: place())
      }
    }
    return Data(bytes)
  }
}
