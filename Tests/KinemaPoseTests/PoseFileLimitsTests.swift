import Foundation
import KinemaPose
import KinemaTestSupport
import Testing

@Suite("Limits of pose files")
struct PoseFileLimitsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The message with which a file is refused.
  private func refusal(
    poses: NumPyArray, times: NumPyArray, others: [(name: String, array: NumPyArray)] = []
  ) throws -> String? {
    let url = folder.url("poses.npz")
    try NumPyArchive.data(of: [("poses", poses), ("times", times)] + others).write(to: url)
    return expectError(PoseError.self) { try PoseSequence(contentsOf: url) }?.message
  }

  private func refusal(lines: String) throws -> String? {
    let url = folder.url("poses.jsonl")
    try Data(lines.utf8).write(to: url)
    return expectError(PoseError.self) { try PoseSequence(contentsOf: url) }?.message
  }

  private let noTimes = NumPyArray([Double](), shape: [0])

  @Test("an archive without frames cannot have a trillion people")
  func personsWithoutFrames() throws {
    for count in [PoseFile.largestPersonCount + 1, 1_000_000_000_000, .max] {
      let poses = NumPyArray([Float](), shape: [0, count, 3, 18])
      #expect(try refusal(poses: poses, times: noTimes) != nil)
    }
    let message = try refusal(
      poses: NumPyArray([Float](), shape: [0, 1_000_000_000_000, 3, 18]), times: noTimes)
    #expect(message?.contains("over 65536 persons") == true)
  }

  @Test("an archive cannot have more frames than memory, with or without people")
  func frames() throws {
    for shape in [[1 << 23, 0, 3, 18], [1 << 50, 0, 3, 18]] {
      let message = try refusal(poses: NumPyArray([Float](), shape: shape), times: noTimes)
      #expect(message?.contains("over 4194304 frames") == true)
    }
  }

  @Test("the slots of absent people are not kept, wherever they are")
  func absentPeople() throws {
    var values = [Float](repeating: 0, count: 3 * 1000 * 54)
    for person in [0, 999] { values[(1000 + person) * 54 + 7] = 0.5 }
    let url = folder.url("poses.npz")
    try NumPyArchive.data(of: [
      ("poses", NumPyArray(values, shape: [3, 1000, 3, 18])),
      ("times", NumPyArray([0.0, 0.5, 1.0], shape: [3])),
    ]).write(to: url)
    let frames = try PoseSequence(contentsOf: url).frames
    #expect(frames.map { $0.poses.compactMap(\.personID) } == [[], [1, 1000], []])
    #expect(frames[1].poses[1].multiArray() == Array(values[1999 * 54..<2000 * 54]))
  }

  @Test("arrays beside the poses must have their size before they are read")
  func otherArrays() throws {
    let poses = NumPyArray([Float](repeating: 0.5, count: 2 * 54), shape: [1, 2, 3, 18])
    let times = NumPyArray([0.0], shape: [1])
    let ids = NumPyArray([Int32](repeating: 1, count: 1000), shape: [1000])
    #expect(try refusal(poses: poses, times: noTimes)?.contains("beside 1 frames") == true)
    #expect(
      try refusal(poses: poses, times: times, others: [("ids", ids)])?
        .contains("1000 ids for 2 persons") == true)
    #expect(
      try refusal(poses: poses, times: times, others: [("hands", ids)])?
        .contains("does not match its array poses") == true)
  }

  @Test(
    "times that no clock shows are refused by every format",
    arguments: [[0, 1e15], [-1e308], [1e10 + 1], [.infinity], [1, 0.5]])
  func times(times: [TimeInterval]) throws {
    let poses = NumPyArray(
      [Float](repeating: 0.5, count: times.count * 54), shape: [times.count, 3, 18])
    #expect(
      try refusal(poses: poses, times: NumPyArray(times, shape: [times.count]))?
        .contains("its time") == true)
    let lines = times.map { #"{"frame":0,"time":\#($0),"persons":[]}"# }
    #expect(
      try refusal(lines: lines.joined(separator: "\n"))?.contains("Line \(times.count)") == true)
  }

  @Test("seconds since 1970 are times")
  func epoch() throws {
    let url = folder.url("poses.jsonl")
    let times = [1_790_000_000.25, 1_790_000_000.5]
    try PoseSequence(frames: times.map { .init(time: $0, poses: []) }).write(to: url)
    #expect(try PoseSequence(contentsOf: url).frames.map(\.time) == times)
  }

  @Test("an array in Fortran order is refused, however its header is spaced")
  func fortranOrder() throws {
    let script = """
      import sys, zipfile, struct
      def npy(header, data):
          return b'\\x93NUMPY\\x01\\x00' + struct.pack('<H', len(header)) + header.encode() + data
      with zipfile.ZipFile(sys.argv[1], 'w') as a:
          a.writestr('poses.npy', npy(sys.argv[2], struct.pack('<54f', *([0.5] * 54))))
          a.writestr('times.npy', npy("{'descr':'<f8','fortran_order':False,'shape':(1,)}", bytes(8)))
      """
    let url = folder.url("poses.npz")
    for order in ["'fortran_order': True", "'fortran_order':True", "\"fortran_order\" :\tTrue", ""]
    {
      for value in ["True", "False"] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let header = "{'descr':'<f4', \(order.replacing("True", with: value)), 'shape':(1, 3, 18)}"
        process.arguments = ["python3", "-c", script, url.path, header]
        try process.run()
        process.waitForEnd()
        if value == "True" || order.isEmpty {
          let error = expectError(PoseError.self) { try PoseSequence(contentsOf: url) }
          #expect(error?.message.contains("order") == true)
        } else {
          #expect(try PoseSequence(contentsOf: url).frames.count == 1)
        }
      }
    }
  }

  @Test("the same frame is read however its line of JSON is written")
  func lines() throws {
    let url = folder.url("poses.jsonl")
    let lines = """
      {"frame":0,"time":0.5,"persons":[{"id":3,"confidence":0.75,"box":[],"joints":{"nose":[0.1,1,5e-1]}}]}\r

      { "persons" : [ { "joints" : { "n\\u006fse" : [ 1.0e-1 , 1.000, 0.50000000000000000000 ] },
      """.replacingOccurrences(of: "},\n", with: "}, ") + """
         "more":{"a":[null,true,-1]}, "confidence":75E-2, "hand":null, "id":3 } ], "time" : 0.5 }
        """
    try Data(lines.utf8).write(to: url)
    let frames = try PoseSequence(contentsOf: url).frames
    #expect(frames.count == 2)
    #expect(frames.first == frames.last)
    #expect(
      frames.first?.poses == [
        Pose(
          from: [.nose: JointPoint(.nose, position: [0.1, 1], confidence: 0.5)], confidence: 0.75,
          personID: 3)
      ])
  }

  private static let linesOfNoJSON = [
    "{", "{}", "[]", "{\"time\":0,\"persons\":[]}}", "{\"time\":01,\"persons\":[]}",
    "{\"time\":1.,\"persons\":[]}", "{\"time\":-,\"persons\":[]}",
    "{\"time\":1e999,\"persons\":[]}",
    "{\"time\":0,\"persons\":[],}", "{\"time\":0,\"persons\":[{\"id\":1}]}",
    "{\"time\":0,\"persons\":[{\"id\":0.5,\"confidence\":1,\"joints\":{}}]}",
    "{\"time\":0,\"persons\":[{\"id\":1,\"confidence\":1e39,\"joints\":{}}]}",
    "{\"time\":0,\"persons\":[{\"id\":1,\"confidence\":1,\"joints\":{\"nose\":[0,0]}}]}",
    "{\"time\":0,\"persons\":[],\"x\":\(String(repeating: "[", count: 100_000))",
  ]

  @Test("lines that are not JSON are refused", arguments: linesOfNoJSON)
  func notJSON(line: String) throws {
    #expect(try refusal(lines: line)?.contains("Line 1") == true)
  }

  @Test("numbers of lines are read as exactly as Swift reads them")
  func exactNumbers() throws {
    let url = folder.url("poses.jsonl")
    var generator = SystemRandomNumberGenerator()
    let points = (0..<2000).map { _ in
      let bits = Float(bitPattern: .random(in: 0..<0x7F80_0000, using: &generator))
      return Bool.random() ? bits : Float.random(in: -2...2, using: &generator)
    }
    let frames = points.enumerated().map { index, value in
      PoseSequence.Frame(
        time: Double(index) / 29.97,
        poses: [
          Pose(
            from: [.nose: JointPoint(.nose, position: [value, -value], confidence: 1)],
            confidence: 1, personID: index)
        ])
    }
    try PoseSequence(frames: frames).write(to: url)
    #expect(try PoseSequence(contentsOf: url).frames == frames)
  }
}
