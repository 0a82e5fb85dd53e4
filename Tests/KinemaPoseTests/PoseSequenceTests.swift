import Foundation
import KinemaPose
import KinemaTestSupport
import Testing

/// Two people, one of whom is seen only now and then; some joints were not found.
private func example(joints: [JointKey] = JointKey.body) -> PoseSequence {
  func pose(of person: Int, at index: Int) -> Pose {
    var values = (0..<(3 * joints.count)).map { (place: Int) -> Float in
      let value = (place * 7 + index * 3 + person * 5) % 97 + 1
      return Float(value) / 100
    }
    for (row, value) in [0, 1, 0].enumerated() {
      values[row * joints.count + 2] = Float(value)
    }
    return Pose(multiArray: values, of: joints, personID: person * 4 + 3)
  }
  let frames = (0..<12).map { (index: Int) -> PoseSequence.Frame in
    let people = [index == 4 ? nil : 0, index % 3 == 0 ? 1 : nil].compactMap(\.self)
    return PoseSequence.Frame(
      time: Double(index) / 29.97, poses: people.map { pose(of: $0, at: index) },
      size: CGSize(width: 1280, height: 720))
  }
  return PoseSequence(frames: frames, joints: joints)
}

@Suite("Pose files")
struct PoseSequenceTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("what is written is read back", arguments: PoseSequence.Format.allCases)
  func roundTrip(format: PoseSequence.Format) throws {
    let url = folder.url("poses.\(format.rawValue)")
    for joints in [JointKey.body, JointKey.hand] {
      let sequence = example(joints: joints)
      try sequence.write(to: url)
      #expect(try PoseSequence(contentsOf: url) == sequence)
    }
  }

  @Test(
    "landmarks are read back, and are missing where they were",
    arguments: PoseSequence.Format.allCases)
  func landmarks(format: PoseSequence.Format) throws {
    let url = folder.url("landmarks.\(format.rawValue)")
    var sequence = example()
    for index in sequence.frames.indices where index != 0 && index % 4 != 2 {
      for number in sequence.frames[index].poses.indices {
        sequence.frames[index].poses[number].landmarks = JointKey.landmarks.indices.map {
          let value = Float($0 + 100 * index + 1000 * number)
          return PoseLandmark(
            position: SIMD3(value, value + 0.25, -value), visibility: 0.5, presence: 0.75,
            world: SIMD3(value + 0.5, -0.125, value / 4))
        }
      }
    }
    try sequence.write(to: url)
    let found = try PoseSequence(contentsOf: url)
    #expect(found == sequence)
    let pose = try #require(found.frames[1].poses.first)
    #expect(pose.landmark(.rightHeel)?.position.x == Float(30 + 100))
    #expect(pose.landmark(.neck) == nil)
  }

  @Test("landmarks that are not whole are refused with their place")
  func badLandmarks() throws {
    let url = folder.url("bad.jsonl")
    let text = #"{"frame":0,"time":0,"persons":[{"joints":{},"landmarks":{"nose":[1,2]}}]}"#
    try Data(text.utf8).write(to: url)
    let error = expectError(PoseError.self) { try PoseSequence(contentsOf: url) }
    #expect(error?.message.contains("Line 1") == true)
    #expect(error?.message.contains("landmark nose has 2 values, not 5") == true)
    let archive = folder.url("bad.npz")
    let arrays = [
      ("poses", NumPyArray([Float](repeating: 0.5, count: 54), shape: [1, 1, 3, 18])),
      ("times", NumPyArray([0.0], shape: [1])),
      ("landmarks", NumPyArray([Float](repeating: 0, count: 160), shape: [1, 1, 32, 5])),
      ("world_landmarks", NumPyArray([Float](repeating: 0, count: 99), shape: [1, 1, 33, 3])),
    ]
    try NumPyArchive.data(of: arrays).write(to: archive)
    #expect(throws: PoseError.self) { try PoseSequence(contentsOf: archive) }
  }

  @Test(
    "a size that changes, or is not known, is preserved", arguments: PoseSequence.Format.allCases)
  func sizes(format: PoseSequence.Format) throws {
    let url = folder.url("sizes.\(format.rawValue)")
    var sequence = example()
    sequence.frames[3].size = CGSize(width: 720, height: 1280)
    sequence.frames[4].size = nil
    try sequence.write(to: url)
    #expect(try PoseSequence(contentsOf: url) == sequence)
    for index in sequence.frames.indices { sequence.frames[index].size = nil }
    try sequence.write(to: url)
    #expect(try PoseSequence(contentsOf: url) == sequence)
  }

  @Test(
    "a size that is none of a picture is refused with the line",
    arguments: ["[0,720]", "[1280]", "[1280,720,3]", "[-1,5]", "[1e300,5]", "[2000000,5]", "7"])
  func badSizes(text: String) throws {
    let url = folder.url("bad.jsonl")
    try Data(#"{"frame":0,"time":0,"size":\#(text),"persons":[]}"#.utf8).write(to: url)
    let error = expectError(PoseError.self) { try PoseSequence(contentsOf: url) }
    #expect(error?.code == .malformed && error?.message.contains("Line 1") == true)
  }

  @Test("the side of a hand is preserved", arguments: PoseSequence.Format.allCases)
  func chirality(format: PoseSequence.Format) throws {
    let url = folder.url("hands.\(format.rawValue)")
    var sequence = example(joints: JointKey.hand)
    let sides: [Chirality?] = [.left, nil, .right]
    for index in sequence.frames.indices {
      for number in sequence.frames[index].poses.indices {
        sequence.frames[index].poses[number].chirality = sides[(index + number) % 3]
      }
    }
    try sequence.write(to: url)
    #expect(try PoseSequence(contentsOf: url) == sequence)
  }

  @Test("all people of an image are preserved without ids")
  func withoutIdentifiers() throws {
    let url = folder.url("picture.npz")
    var sequence = example(joints: JointKey.hand)
    sequence.frames = [sequence.frames[0]]
    for number in sequence.frames[0].poses.indices {
      sequence.frames[0].poses[number].personID = nil
    }
    try sequence.write(to: url)
    let poses = try PoseSequence(contentsOf: url).frames[0].poses
    #expect(poses.map(\.keypoints) == sequence.frames[0].poses.map(\.keypoints))
    #expect(poses.map(\.personID) == [1, 2])
  }

  @Test("equal poses give equal archives, whenever they are written")
  func reproducible() throws {
    let url = folder.url("poses.npz")
    try example().write(to: url)
    let data = try Data(contentsOf: url)
    // The date of the first entry, in its header: the earliest that an archive can have.
    #expect(Array(data[10..<14]) == [0, 0, 0x21, 0])
    try example().write(to: url)
    #expect(try Data(contentsOf: url) == data)
  }

  @Test("a Python user opens the archive in a line")
  func python() throws {
    let url = folder.url("poses.npz")
    try example().write(to: url)
    let script = """
      import sys, zipfile, ast, struct
      a = zipfile.ZipFile(sys.argv[1]); assert a.testzip() is None
      for n in ('poses', 'times', 'ids'):
          b = a.read(n + '.npy'); assert b[:8] == b'\\x93NUMPY\\x01\\x00' and b[127:128] == b'\\n'
          h = ast.literal_eval(b[10:10 + struct.unpack('<H', b[8:10])[0]].decode())
          print(n, h['descr'], h['shape'])
      """
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script, url.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitForEnd()
    #expect(text == "poses <f4 (12, 2, 3, 18)\ntimes <f8 (12,)\nids <i4 (2,)\n")
  }

  @Test("the lines are those that scripts rely on")
  func jsonLine() throws {
    let pose = Pose(
      from: [
        .nose: JointPoint(.nose, position: [0.5, 0.75], confidence: 0.5),
        .neck: JointPoint(.neck, position: [0.25, 0.5], confidence: 1),
      ], confidence: 0.75, personID: 3)
    let line = PoseSequence.Frame(time: 0.5, poses: [pose]).jsonLine(index: 15)
    #expect(
      String(decoding: line, as: UTF8.self) == """
        {"frame":15,"persons":[{"box":[0.25,0.5,0.25,0.25],"confidence":0.75,"id":3,\
        "joints":{"neck":[0.25,0.5,1],"nose":[0.5,0.75,0.5]}}],"time":0.5}
        """)
  }

  @Test(
    "files that are no pose files are refused with their name",
    arguments: [
      ("a.npz", ""), ("b.npz", "no archive"), ("c.jsonl", "{\"frame\":0}"), ("d.jsonl", "\u{0}"),
      ("e.txt", ""),
    ])
  func malformed(name: String, contents: String) throws {
    let url = folder.url(name)
    try Data(contents.utf8).write(to: url)
    if name == "a.npz" { try FileManager.default.removeItem(at: url) }
    let error = expectError(PoseError.self) { try PoseSequence(contentsOf: url) }
    #expect(error?.message.contains(url.lastPathComponent) == true)
  }

  @Test("a joint that is not a number is refused, with its frame")
  func notANumber() throws {
    let frames = [Float(0.5), .nan].enumerated().map { index, x in
      PoseSequence.Frame(
        time: Double(index),
        poses: [Pose(from: [.nose: JointPoint(.nose, position: SIMD2(x, 0.5), confidence: 1)])])
    }
    let url = folder.url("poses.npz")
    try PoseSequence(frames: frames).write(to: url)
    let error = expectError(PoseError.self) { try PoseSequence(contentsOf: url) }
    #expect(error?.message.contains("not a number, the first in frame 1") == true)
  }

  @Test("damaged archives are refused or read, and never crash")
  func damaged() throws {
    let url = folder.url("poses.npz")
    try example().write(to: url)
    let whole = try Data(contentsOf: url)
    var generator = SystemRandomNumberGenerator()
    for round in 0..<300 {
      var bytes = whole
      if round % 3 == 0 { bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &generator)) }
      for _ in 0..<Int.random(in: 1...8, using: &generator) where !bytes.isEmpty {
        bytes[bytes.startIndex + Int.random(in: 0..<bytes.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      try Data(bytes).write(to: url)
      do { _ = try PoseSequence(contentsOf: url) } catch is PoseError {}
    }
  }

  @Test("a file that cannot be written leaves nothing behind")
  func unwritable() throws {
    try FileManager.default.createDirectory(
      at: folder.url("poses.npz"), withIntermediateDirectories: false)
    #expect(throws: PoseError.self) { try example().write(to: folder.url("poses.npz")) }
    #expect(throws: PoseError.self) { try example().write(to: folder.url("no/p.npz")) }
    #expect(folder.names == ["poses.npz"])
  }

  @Test(
    "the counting sequences are read", .enabled(if: SharedData.isPresent, SharedData.reason))
  func countingSequences() throws {
    let files = SharedData.files(in: "counting/poses", withExtension: "npz")
    #expect(files.count > 100)
    for file in files {
      let sequence = try PoseSequence(contentsOf: file)
      #expect(sequence.joints == JointKey.body)
      #expect(zip(sequence.frames, sequence.frames.dropFirst()).allSatisfy { $0.time < $1.time })
    }
  }

  @Test("an array's values survive the way through a pose unchanged")
  func multiArray() {
    var values = (0..<54).map { Float($0) / 54 }
    values[3] = 0
    values[21] = 0
    values[39] = 0
    #expect(Pose(multiArray: values).multiArray() == values)
    #expect(Pose.empty.multiArray() == [Float](repeating: 0, count: 54))
    let partial = Pose(from: [.nose: JointPoint(.nose, position: [0.5, 0.5], confidence: 1)])
    #expect(partial.multiArray()[18 + 1] == 1)
    #expect(partial.multiArray()[36 + 1] == 0)
  }
}
