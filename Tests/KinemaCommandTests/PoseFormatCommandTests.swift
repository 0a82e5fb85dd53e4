import Foundation
import Kinema
import KinemaTestSupport
import Testing

/// What other programs write is read, and what they read is written.
@Suite("Formats of poses", .serialized)
struct PoseFormatCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Poses of a synthetic person who squats, in pictures twice as wide as high.
  private func poses() throws -> String {
    let poses = folder.path("squats.npz")
    let made = try Tool.run(
      "synth", "--actions", "squats", "--repetitions", "4", "--poses", poses, "--size", "640x320")
    try #require(made.status == 0, "\(made.errors)")
    return poses
  }

  private func json(_ arguments: [String]) throws -> NSDictionary {
    let result = try Tool.run(arguments + ["--format", "json"])
    try #require(result.status == 0, "\(result.errors)")
    var object = try Tool.json(result.output)
    for key in ["video", "processing", "seconds", "input"] { object[key] = nil }
    return object as NSDictionary
  }

  /// The text of a file as AlphaPose writes it, from that of COCO.
  private func alphaPose(_ coco: URL) throws -> Data {
    let document = try Tool.json(String(contentsOf: coco, encoding: .utf8))
    let people = try #require(document["annotations"] as? [[String: Any]])
    let results = people.map { person -> [String: Any] in
      let image = (person["image_id"] as? Int ?? 0) - 1
      return [
        "image_id": "\(image).jpg", "category_id": 1, "keypoints": person["keypoints"] ?? [],
        "score": 2.9, "idx": person["track_id"] ?? 0,
      ]
    }
    return try JSONSerialization.data(withJSONObject: results)
  }

  @Test("poses in the formats of other tools give the counts and angles of Kinema's own")
  func readBack() throws {
    let poses = try poses()
    let (coco, table) = (folder.url("squats.json"), folder.path("squats.csv"))
    let openPose = folder.path("frames")
    for output in [coco.path, table] {
      try #require(try Tool.run("pose", poses, "--output", output).status == 0)
    }
    let written = try Tool.run("pose", poses, "--format", "openpose", "--output", openPose)
    try #require(written.status == 0, "\(written.errors)")
    try alphaPose(coco).write(to: folder.url("alphapose-results.json"))
    let own = try json(["count", poses])
    #expect((own["repetitions"] as? [Any])?.count == 4)
    for (file, options) in [
      (coco.path, []), (table, []), (openPose, ["--size", "640x320"]),
      (folder.path("alphapose-results.json"), ["--size", "640x320"]),
    ] {
      let count = try json(["count", file] + options)
      #expect((count["repetitions"] as? [Any])?.count == 4, "\(file)")
      for command in ["angles", "coach", "classify"] {
        #expect(try Tool.run([command, file] + options).status == 0)
      }
    }
    #expect(try json(["count", table]) == own)
    let knee = try [poses, table].map { file -> [Double] in
      let frames = try #require(try json(["angles", file])["frames"] as? [[String: Any]])
      return frames.compactMap {
        (($0["angles"] as? [String: [String: Double]])?["leftKnee"])?["value"]
      }
    }
    #expect(knee[0].count > 100 && knee[0] == knee[1])
  }

  @Test("what a file does not say is asked, or assumed and said")
  func questions() throws {
    let poses = try poses()
    let frames = folder.path("frames")
    _ = try Tool.run("pose", poses, "--format", "openpose", "--output", frames)
    let unsized = try Tool.run("count", frames)
    #expect(unsized.status == 65)
    #expect(unsized.errors.contains("has places in pixels, but not the size of its pictures"))
    let timeless = try Tool.run("count", frames, "--size", "640x320")
    #expect(
      timeless.errors.contains("30 frames a second are assumed: name another rate with --fps"))
    let timed = try Tool.run("count", frames, "--size", "640x320", "--fps", "30")
    #expect(timed.status == 0 && timed.errors.isEmpty)
    let slow = try json(["count", frames, "--size", "640x320", "--fps", "15"])
    let first = try #require((slow["repetitions"] as? [[String: Any]])?.first)
    #expect((first["end"] as? Double ?? 0) > 2.5)
    let both = try Tool.run("count", frames, "--size", "640x320", "--aspect-ratio", "2")
    #expect(both.status == 64 && both.errors.contains("are alternatives"))
    #expect(try Tool.run("count", frames, "--size", "640").status == 64)
  }

  @Test("OpenPose's folder has a file a frame in the order of BODY_25, in pixels")
  func openPose() throws {
    let poses = try poses()
    let target = folder.url("frames")
    let result = try Tool.run("pose", poses, "--format", "openpose", "--output", target.path)
    try #require(result.status == 0, "\(result.errors)")
    let sequence = try PoseSequence(contentsOf: URL(filePath: poses))
    let names = try FileManager.default.contentsOfDirectory(atPath: target.path).sorted()
    #expect(names.count == sequence.frames.count)
    #expect(names.first == "squats_000000000000_keypoints.json")
    let text = try String(contentsOf: target.appending(path: names[5]), encoding: .utf8)
    let people = try #require(try Tool.json(text)["people"] as? [[String: Any]])
    let values = try #require(people.first?["pose_keypoints_2d"] as? [Double])
    #expect(people.count == 1 && values.count == 75)
    let knee = try #require(sequence.frames[5].poses.first?.keypoints[.rightKnee])
    #expect(abs(values[30] - Double(knee.position.x) * 640) < 0.01)
    #expect(abs(values[31] - (1 - Double(knee.position.y)) * 320) < 0.01)
    #expect(values[57...].allSatisfy { $0 == 0 })
    let nowhere = try Tool.run("pose", poses, "--format", "openpose")
    #expect(nowhere.status == 64 && nowhere.errors.contains("--output"))
    let wrong = try Tool.run(
      "pose", poses, "--format", "openpose", "--output", folder.path("a.json"))
    #expect(wrong.status == 64 && wrong.errors.contains("name a folder"))
  }

  // MARK: - Bodies in space

  /// The numbers of a C3D file, read as its specification says.
  private struct Capture {
    private let data: [UInt8]

    init(_ url: URL) throws { data = [UInt8](try Data(contentsOf: url)) }

    var count: Int { data.count }

    func integer(_ place: Int) -> Int { Int(data[place]) | Int(data[place + 1]) << 8 }

    func number(_ place: Int) -> Float {
      let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(data[place + $1]) << (8 * UInt32($1)) }
      return Float(bitPattern: bits)
    }

    /// Of each parameter, by group and name, the place behind its name: type, dimensions, values.
    func parameters() -> [String: Int] {
      var (groups, places): ([Int: String], [(Int, String, Int)]) = ([:], [])
      var place = 512 + 4
      while data[place] != 0 {
        let (length, id) = (Int(data[place]), Int(Int8(bitPattern: data[place + 1])))
        let next = place + 2 + length
        let name = String(decoding: data[place + 2..<next], as: UTF8.self)
        if id < 0 { groups[-id] = name } else { places.append((id, name, next + 2)) }
        place = next + integer(next)
      }
      return Dictionary(
        uniqueKeysWithValues: places.map { ("\(groups[$0.0] ?? ""):\($0.1)", $0.2) })
    }

    /// The texts of a parameter.
    func texts(_ place: Int) -> [String] {
      let (dimensions, length) = (Int(data[place + 1]), Int(data[place + 2]))
      let count = dimensions == 2 ? Int(data[place + 3]) : 1
      let start = place + 2 + dimensions
      return (0..<count).map { index in
        let bytes = data[start + index * length..<start + (index + 1) * length]
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespaces)
      }
    }
  }

  @Test("a C3D file has the markers of the .trc in millimetres, −1 where nobody is")
  func capture() throws {
    let poses = try poses()
    var sequence = try PoseSequence(contentsOf: URL(filePath: poses))
    for index in 100..<120 { sequence.frames[index].poses = [] }
    try sequence.write(to: URL(filePath: poses))
    let (capture, markers) = (folder.url("squats.c3d"), folder.url("squats.trc"))
    for output in [capture, markers] {
      let result = try Tool.run("pose", poses, "--depth", "--output", output.path)
      try #require(result.status == 0, "\(result.errors)")
    }
    let file = try Capture(capture)
    let count = sequence.frames.count
    #expect(file.integer(0) == 0x5002 && file.integer(2) == 18)
    #expect(file.integer(6) == 1 && file.integer(8) == count)
    #expect(file.number(12) < 0 && abs(file.number(20) - 30) < 0.1)
    let parameters = file.parameters()
    let labels = try #require(parameters["POINT:LABELS"])
    #expect(file.texts(labels) == JointKey.body.map(\.rawValue))
    #expect(file.texts(try #require(parameters["POINT:UNITS"])) == ["mm"])
    #expect(file.integer(try #require(parameters["POINT:FRAMES"]) + 2) == count)
    let block = file.integer(try #require(parameters["POINT:DATA_START"]) + 2)
    #expect(block == file.integer(16) && file.count % 512 == 0)
    let rows = try String(contentsOf: markers, encoding: .utf8).split(separator: "\n")
    for index in [0, 50, 110, count - 1] {
      let place = 512 * (block - 1) + index * 18 * 16
      let cells = rows[5 + index].split(separator: "\t", omittingEmptySubsequences: false)
      let isThere = !(100..<120).contains(index)
      #expect(file.number(place + 12) == (isThere ? 0 : -1))
      guard isThere else { continue }
      for value in 0..<3 {
        let metres = try #require(Float(cells[2 + value]))
        #expect(abs(file.number(place + 4 * value) - 1000 * metres) < 0.02)
      }
    }
  }

  @Test("a BVH file has a row a frame with a value for each channel, and feet near the floor")
  func bones() throws {
    let poses = try poses()
    let file = folder.url("squats.bvh")
    let result = try Tool.run("pose", poses, "--depth", "--format", "bvh", "--output", file.path)
    try #require(result.status == 0, "\(result.errors)")
    let text = try String(contentsOf: file, encoding: .utf8)
    let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let channels = lines.compactMap { line -> Int? in
      line.hasPrefix("CHANNELS") ? Int(line.split(separator: " ")[1]) : nil
    }.reduce(0, +)
    let start = try #require(lines.firstIndex(of: "MOTION"))
    let frames = try PoseSequence(contentsOf: URL(filePath: poses)).frames.count
    #expect(lines[start + 1] == "Frames: \(frames)")
    #expect(lines[start + 2].hasPrefix("Frame Time: 0.0333"))
    let rows = lines[(start + 3)...].map { $0.split(separator: " ").compactMap { Double($0) } }
    #expect(rows.count == frames && rows.allSatisfy { $0.count == channels })
    // The hips of somebody who squats go down and up; they start at the height of the legs.
    let heights = rows.map { $0[1] }
    #expect((0.7...1.1).contains(heights.max() ?? 0) && (heights.min() ?? 1) < 0.7)
    #expect(text.count(where: { $0 == "{" }) == text.count(where: { $0 == "}" }))
    let plain = try Tool.run("pose", poses, "--output", file.path)
    #expect(plain.status == 64 && plain.errors.contains("add --depth"))
  }

  @Test("markers are read as a person seen from the front")
  func markers() throws {
    let (poses, markers) = (try poses(), folder.path("squats.trc"))
    _ = try Tool.run("pose", poses, "--depth", "--output", markers)
    let result = try Tool.run("count", markers, "--format", "json")
    #expect(result.status == 0 && result.errors.contains("as seen from the front"))
    #expect((try Tool.json(result.output)["repetitions"] as? [Any])?.count == 4)
  }

  @Test("a motion of angles has the header and as many rows and columns as it says")
  func motion() throws {
    let result = try Tool.run("angles", poses(), "--format", "mot")
    try #require(result.status == 0, "\(result.errors)")
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    let end = try #require(lines.firstIndex(of: "endheader"))
    let header = Dictionary(
      lines[1..<end].map { line in
        let parts = line.split(separator: "=")
        return (String(parts[0]), String(parts[1]))
      }
    ) { one, _ in one }
    #expect(header["version"] == "1" && header["inDegrees"] == "yes")
    let rows = lines[(end + 2)...].filter { !$0.isEmpty }.map { $0.split(separator: "\t") }
    #expect("\(rows.count)" == header["nRows"])
    #expect(lines[end + 1].hasPrefix("time\tleftKnee\t"))
    #expect(rows.allSatisfy { "\($0.count)" == header["nColumns"] && Double($0[0]) != nil })
  }
}
