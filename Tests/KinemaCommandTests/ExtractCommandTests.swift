import Foundation
import KinemaFiles
import KinemaTestSupport
import Testing

@Suite("kinema extract", .serialized, .enabled(if: SharedData.isPresent, SharedData.reason))
struct ExtractCommandTests {
  private static let clips = ["treadtv_woman_jacks", "nlarion_boxing", "treadtv_starfish"]

  /// Three clips, one in a folder of its own, and what `kinema pose` gives for them.
  private static let single: TemporaryFolder? = {
    guard let folder = try? TemporaryFolder() else { return nil }
    for name in clips {
      _ = try? Tool.run(
        "pose", SharedData.url("clips/\(name).mp4").path, "--no-cache", "--output",
        folder.path("\(name).mp4.npz"))
    }
    return folder
  }()

  private func videos() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url("videos/jacks"), withIntermediateDirectories: true)
    for name in Self.clips {
      let place = name.hasSuffix("jacks") ? "jacks/\(name)" : name
      try FileManager.default.copyItem(
        at: SharedData.url("clips/\(name).mp4"), to: folder.url("videos/\(place).mp4"))
    }
    return folder
  }

  private func rows(_ url: URL) throws -> [[String]] {
    try CSV(Data(contentsOf: url), name: url.lastPathComponent).rows.map(\.cells)
  }

  /// Expects a row for each clip with poses of the same bytes as on a single machine.
  private func expectComplete(_ output: URL, attempts: ClosedRange<Int> = 1...1) throws {
    let single = try #require(Self.single)
    let rows = try rows(output.appending(path: "index.csv"))
    #expect(
      rows.map { $0[0] }.sorted()
        == ["jacks/treadtv_woman_jacks.mp4", "nlarion_boxing.mp4", "treadtv_starfish.mp4", "video"])
    for row in rows.dropFirst() {
      #expect(row[1] == "done" && attempts.contains(Int(row[3]) ?? 0), "\(row)")
      let name = row[0].split(separator: "/").last.map(String.init) ?? ""
      #expect(
        try Data(contentsOf: output.appending(path: row[4]))
          == Data(contentsOf: single.url("\(name).npz")))
    }
  }

  /// The children of a process that is running.
  private func children(of process: Process) -> [Int32] {
    let path = "/proc/\(process.processIdentifier)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return threads.flatMap { thread in
      let text = (try? String(contentsOfFile: "\(path)/\(thread)/children", encoding: .utf8)) ?? ""
      return text.split(separator: " ").compactMap { Int32($0) }
    }
  }

  @Test("a folder gives the poses of kinema pose, an index, and nothing to do the second time")
  func folder() throws {
    let folder = try videos()
    try Data("This is a letter.".utf8).write(to: folder.url("videos/letter.mp4"))
    let command = ["extract", folder.path("videos"), "--output", folder.path("out")]
    let first = try Tool.run(command)
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.output.hasPrefix("3 of 4 videos done, 1 failed permanently"))
    let index = try rows(folder.url("out/index.csv"))
    #expect(index[0] == ["video", "status", "kind", "attempts", "poses", "seconds", "error"])
    let letter = try #require(index.first { $0[0] == "letter.mp4" })
    #expect(letter[1...4] == ["failed", "permanent", "1", ""] && letter[6].contains("letter.mp4"))
    let again = try Tool.run(command)
    #expect(again.status == 0 && again.output == first.output)
    #expect(try rows(folder.url("out/index.csv")) == index)
    // What is missing is extracted again, and nothing else.
    try FileManager.default.removeItem(at: folder.url("out/poses/nlarion_boxing.mp4.npz"))
    try FileManager.default.removeItem(at: folder.url("videos/letter.mp4"))
    #expect(try Tool.run(command).status == 0)
    try expectComplete(folder.url("out"), attempts: 1...2)
    #expect(try rows(folder.url("out/index.csv")).map { $0[3] } == ["attempts", "2", "1", "1"])
    let other = try Tool.run(command + ["--rate", "10"])
    #expect(other.status == 64 && other.errors.contains("without options"))
  }

  @Test(
    "shards divide a list, the last one merges their indexes, and a missing video is tried again")
  func shards() throws {
    let folder = try videos()
    let clips = "nlarion_boxing.mp4\r\n\n  jacks/treadtv_woman_jacks.mp4\n"
    try Data("\(clips)nlarion_boxing.mp4\ntreadtv_starfish.mp4".utf8).write(
      to: folder.url("videos/list.txt"))
    let command = ["extract", folder.path("videos/list.txt"), "--output", folder.path("out")]
    let starfish = folder.url("videos/treadtv_starfish.mp4")
    try FileManager.default.moveItem(at: starfish, to: folder.url("moved.mp4"))
    let first = try Tool.run(command + ["--shard", "1/2"])
    #expect(first.status == 75, "\(first.errors)")
    let early = try Tool.run("extract", "--merge", "--output", folder.path("out"))
    #expect(early.status == 75 && early.errors.contains("--shard 2/2"))
    try FileManager.default.moveItem(at: folder.url("moved.mp4"), to: starfish)
    // Indexes from 0: part 0 is the last one.
    #expect(try Tool.run(command + ["--shard", "0/2"]).status == 0)
    let merged = try rows(folder.url("out/index.csv"))
    #expect(merged.map { $0[1] } == ["status", "done", "done", "failed"])
    #expect(merged.map { $0[2] } == ["kind", "", "", "transient"])
    #expect(try Tool.run(command + ["--shard=1/2"]).status == 0)
    try expectComplete(folder.url("out"), attempts: 1...2)
    #expect(
      try Tool.run(command + ["--shard", "3/2"]).errors.contains("such as 3/8, not 3/2"))
  }

  @Test(
    "two processes share a folder, and one that is killed at any moment leaves nothing half done")
  func killed() throws {
    let folder = try videos()
    let command = ["extract", folder.path("videos"), "--output", folder.path("out")]
    let records = folder.url("out/records")
    for name in ["nlarion_boxing.mp4.jsonl", "treadtv_starfish.mp4.jsonl"] {
      let process = try Tool.start(command + ["--threads", "1"])
      while process.isRunning,
        !FileManager.default.fileExists(atPath: records.appending(path: name).path)
      {
        usleep(1000)
      }
      kill(process.processIdentifier, SIGKILL)
      process.waitForEnd()
      #expect(!FileManager.default.fileExists(atPath: folder.path("out/index.csv")))
    }
    let both = try (0..<2).map { _ in try Tool.start(command) }
    for process in both {
      process.waitForEnd()
      #expect(process.terminationStatus == 0)
    }
    try expectComplete(folder.url("out"), attempts: 1...3)
  }

  @Test(
    "a video that kills its process three times has failed permanently, and the others are done")
  func poison() throws {
    let folder = try videos()
    try FileManager.default.moveItem(
      at: folder.url("videos/nlarion_boxing.mp4"), to: folder.url("videos/poison.mp4"))
    let command = [
      "extract", folder.path("videos"), "--output", folder.path("out"), "--threads", "1",
    ]
    let process = try Tool.start(command)
    let record = folder.url("out/records/poison.mp4.jsonl")
    while process.isRunning {
      let text = (try? String(contentsOf: record, encoding: .utf8)) ?? ""
      if let last = text.split(separator: "\n").last, !last.contains("status") {
        for child in children(of: process) { kill(child, SIGKILL) }
      }
      usleep(1000)
    }
    process.waitForEnd()
    #expect(process.terminationStatus == 0)
    let index = try rows(folder.url("out/index.csv"))
    #expect(index.count { $0[1] == "done" } == 2)
    let row = try #require(index.first { $0[0] == "poison.mp4" })
    #expect(row[1...3] == ["failed", "permanent", "3"])
    #expect(row[6].contains("signal 9"))
    let again = try Tool.run(command)
    #expect(again.status == 0 && again.output.contains("1 failed permanently"))
    #expect(try rows(folder.url("out/index.csv")) == index)
  }

  @Test("paths on standard input give a row of JSON each as they come, all of one child")
  func lines() throws {
    let folder = try videos()
    let input = Pipe()
    let output = Pipe()
    let process = Process()
    process.executableURL = Tool.executable
    process.arguments = ["extract", "-", "--output", folder.path("out"), "--threads", "1"]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var text = Data()
    var workers: Set<[Int32]> = []
    for (index, name) in ["treadtv_starfish.mp4", "missing.mp4", "nlarion_boxing.mp4"].enumerated()
    {
      try input.fileHandleForWriting.write(
        contentsOf: Data("\(folder.path("videos/\(name)"))\n".utf8))
      while text.count(where: { $0 == UInt8(ascii: "\n") }) <= index {
        let bytes = output.fileHandleForReading.availableData
        try #require(!bytes.isEmpty)
        text += bytes
      }
      workers.insert(children(of: process))
    }
    #expect(workers.count == 1 && workers.first?.count == 1, "\(workers)")
    try input.fileHandleForWriting.close()
    process.waitForEnd()
    #expect(process.terminationStatus == 75)
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    let rows = try lines.map { try Tool.json(String($0)) }
    #expect(rows.map { $0["status"] as? String } == ["done", "failed", "done"])
    #expect(rows.map { $0["kind"] as? String } == [nil, "transient", nil])
    for (row, name) in [(rows[0], "treadtv_starfish"), (rows[2], "nlarion_boxing")] {
      let poses = try #require(row["poses"] as? String)
      #expect(
        try Data(contentsOf: folder.url("out/\(poses)"))
          == Data(contentsOf: #require(Self.single).url("\(name).mp4.npz")))
    }
  }

  @Test("names that look alike are two videos, and one that is not UTF-8 has a row that says so")
  func names() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url("in/x.mp4.npz"), withIntermediateDirectories: true)
    let clip = SharedData.url("clips/treadtv_starfish.mp4")
    for name in [
      "caf\u{E9}.mp4", "cafe\u{301}.mp4", "bad\u{1}.mp4", "x.mp4", "x.mp4.npz/y.mp4", "note.txt",
    ] {
      try FileManager.default.copyItem(at: clip, to: folder.url("in/\(name)"))
    }
    // The byte of a control character becomes one that is not of UTF-8.
    let path = Array((folder.path("in") + "/bad\u{1}.mp4").utf8)
    let (old, new) = (path + [0], path.map { $0 == 1 ? 0xFF : $0 } + [0])
    #expect(rename(old.map { CChar(bitPattern: $0) }, new.map { CChar(bitPattern: $0) }) == 0)
    let result = try Tool.run(
      "extract", folder.path("in"), "--output", folder.path("out"), "--rate", "2")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.hasPrefix("3 of 5 videos done, 2 failed permanently"))
    #expect(result.errors.contains("left out, as no videos: note.txt"))
    let rows = try rows(folder.url("out/index.csv")).dropFirst()
    let done = rows.filter { $0[1] == "done" }.map { Array($0[0].utf8) }
    #expect(
      Set(done)
        == Set(["caf\u{E9}.mp4", "cafe\u{301}.mp4", "x.mp4.npz/y.mp4"].map { Array($0.utf8) }))
    #expect(rows.contains { $0[0] == "bad\\xFF.mp4" && $0[6].contains("UTF-8") })
    #expect(
      rows.contains { $0[0] == "x.mp4" && $0[6].contains("poses/x.mp4.npz is a folder") })
  }

  @Test("a video that is cut off is done, and its row, its record and a message say so")
  func damaged() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url("in"), withIntermediateDirectories: true)
    // Its index is at its beginning, so that the first half can be read.
    let whole = try Data(contentsOf: SharedData.url("clips/nlarion_boxing.mp4"))
    try whole.prefix(whole.count / 2).write(to: folder.url("in/cut.mp4"))
    try whole.write(to: folder.url("in/whole.mp4"))
    let command = ["extract", folder.path("in"), "--output", folder.path("out"), "--rate", "5"]
    let first = try Tool.run(command)
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.output.hasPrefix("2 of 2 videos done"))
    let path = folder.path("in/cut.mp4")
    let sentence = "\(path) is cut off or damaged: parts of it could not be read."
    #expect(first.errors.contains("kinema: cut.mp4: \(sentence)"))
    let index = try rows(folder.url("out/index.csv"))
    let cut = try #require(index.first { $0[0] == "cut.mp4" })
    #expect(cut[1...4] == ["done", "", "1", "poses/cut.mp4.npz"] && cut[6].contains(sentence))
    let other = try #require(index.first { $0[0] == "whole.mp4" })
    #expect(other[6] == "")
    let record = try String(
      contentsOf: folder.url("out/records/cut.mp4.jsonl"), encoding: .utf8)
    let end = try Tool.json(String(try #require(record.split(separator: "\n").last)))
    #expect(end["status"] as? String == "done")
    #expect((end["error"] as? String)?.contains(sentence) == true)
    // Where nothing is left to do, the row still says it.
    #expect(try Tool.run(command).status == 0)
    #expect(try rows(folder.url("out/index.csv")) == index)
  }

  @Test("a line of a list that begins with # is the name of a video")
  func numberSign() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: SharedData.url("clips/treadtv_starfish.mp4"), to: folder.url("#1.mp4"))
    try Data("#1.mp4\n#2.mp4\n".utf8).write(to: folder.url("list.txt"))
    let result = try Tool.run(
      "extract", folder.path("list.txt"), "--output", folder.path("out"), "--rate", "1")
    #expect(result.status == 75, "\(result.errors)")
    let rows = try rows(folder.url("out/index.csv")).dropFirst()
    #expect(rows.map { $0[0] } == ["#1.mp4", "#2.mp4"])
    #expect(rows.map { $0[1] } == ["done", "failed"])
  }

  @Test("options of an output folder that cannot be read are not replaced")
  func unreadableOptions() throws {
    let folder = try TemporaryFolder()
    for name in ["in", "out"] {
      try FileManager.default.createDirectory(
        at: folder.url(name), withIntermediateDirectories: true)
    }
    try Data("x".utf8).write(to: folder.url("in/a.mp4"))
    try Data([0xFF]).write(to: folder.url("out/options.txt"))
    let result = try Tool.run("extract", folder.path("in"), "--output", folder.path("out"))
    #expect(result.status == 66 && result.errors.contains("options.txt cannot be read"))
    #expect(try Data(contentsOf: folder.url("out/options.txt")) == Data([0xFF]))
    let file = try Tool.run("extract", "--merge", "--output", folder.path("in/a.mp4"))
    #expect(file.status == 66 && file.errors.contains("a.mp4 cannot be read"))
  }

  @Test("numbers in the files of an output folder are checked")
  func numbers() throws {
    let folder = try TemporaryFolder()
    for name in ["index-1-of-0.csv", "index-1-of-9223372036854775807.csv"] {
      try Data("video\n".utf8).write(to: folder.url(name))
      let result = try Tool.run("extract", "--merge", "--output", folder.path(""))
      #expect(result.status == 66 && result.errors.contains("has no index-I-of-N.csv"))
    }
    let clip = SharedData.url("clips/treadtv_starfish.mp4")
    try FileManager.default.createDirectory(
      at: folder.url("in"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: clip, to: folder.url("in/a.mp4"))
    try FileManager.default.createDirectory(
      at: folder.url("out/records"), withIntermediateDirectories: true)
    try Data("{\"attempt\":9223372036854775807}\n".utf8)
      .write(to: folder.url("out/records/a.mp4.jsonl"))
    let result = try Tool.run(
      "extract", folder.path("in"), "--output", folder.path("out"), "--rate", "1")
    #expect(result.status == 0 && result.output.hasPrefix("1 of 1 videos done"))
  }
}
