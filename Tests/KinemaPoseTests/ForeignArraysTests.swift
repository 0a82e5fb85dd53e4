import Foundation
import KinemaPose
import KinemaTestSupport
import Testing

@Suite("Poses of other tools in NumPy archives")
struct ForeignArraysTests {
  private static let pointCount = 17
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func archive(_ name: String, _ arrays: [(String, NumPyArray)]) throws -> URL {
    let url = folder.url(name)
    try NumPyArchive.data(of: arrays).write(to: url)
    return url
  }

  /// A `.npy` file with a header of its own and these bytes.
  private static func npy(_ header: String, _ bytes: [UInt8]) -> [UInt8] {
    let text = header + String(repeating: " ", count: 117 - header.utf8.count) + "\n"
    let start: [UInt8] = [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(text.utf8.count), 0]
    return start + Array(text.utf8) + bytes
  }

  /// `keypoint` of people and frames: point p of person m in frame t at (100 m + 10 t + p, 50 + p).
  private static func keypoints(people: Int, frames: Int) -> [Float] {
    var values: [Float] = []
    for person in 0..<people {
      for frame in 0..<frames {
        for point in 0..<pointCount {
          values += [Float(100 * person + 10 * frame + point), Float(50 + point)]
        }
      }
    }
    return values
  }

  @Test("an annotation of MMAction: people, frames, scores and the size of its pictures")
  func mmAction() throws {
    var scores = [Float](repeating: 0.75, count: 2 * 3 * Self.pointCount)
    // The second person is not there in the last frame.
    for index in 5 * Self.pointCount..<6 * Self.pointCount { scores[index] = 0 }
    let url = try archive(
      "A001.npz",
      [
        ("keypoint", NumPyArray(Self.keypoints(people: 2, frames: 3), shape: [2, 3, 17, 2])),
        ("keypoint_score", NumPyArray(scores, shape: [2, 3, 17])),
        ("img_shape", NumPyArray([200, 400] as [Int32], shape: [2])),
        ("label", NumPyArray([7] as [Int32], shape: [])),
      ])
    #expect(PoseFile.isReadable(url))
    let frames = try PoseSequence(contentsOf: url, frameRate: 25).frames
    #expect(frames.map(\.time) == [0, 0.04, 0.08])
    #expect(frames.map(\.poses.count) == [2, 2, 1])
    #expect(frames.allSatisfy { $0.size == CGSize(width: 400, height: 200) })
    let pose = try #require(frames[1].poses.last)
    let wrist = try #require(pose.keypoints[.leftWrist])
    #expect(abs(wrist.position.x - (100 + 10 + 9) / 400) < 1e-6)
    #expect(abs(wrist.position.y - (1 - 59.0 / 200)) < 1e-6)
    #expect(wrist.confidence == 0.75)
    #expect(pose.keypoints[.neck] != nil)
    // Nobody is tracked in these files.
    #expect(frames.flatMap(\.poses).allSatisfy { $0.personID == nil })
  }

  @Test("without scores, a place at the corner or that is no number is a missing joint")
  func withoutScores() throws {
    var places = Self.keypoints(people: 1, frames: 1)
    (places[0], places[1]) = (0, 0)
    places[2 * 5] = .nan
    let url = try archive("a.npz", [("keypoint", NumPyArray(places, shape: [1, 1, 17, 2]))])
    let sequence = try PoseSequence(contentsOf: url, size: CGSize(width: 400, height: 200))
    let pose = try #require(sequence.frames[0].poses.first)
    #expect(pose.keypoints[.nose] == nil && pose.keypoints[.leftShoulder] == nil)
    #expect(pose.keypoints[.rightShoulder]?.confidence == 1)
    let question = expectError(PoseError.self) { try PoseSequence(contentsOf: url) }
    #expect(question?.message.contains("--size 1920x1080") == true)
  }

  @Test("a sequence of Human3.6M in VideoPose3D's order")
  func human36M() throws {
    var places: [Float] = []
    for frame in 0..<2 {
      for joint in 0..<17 { places += [Float(100 + 10 * joint + frame), Float(300 + joint)] }
    }
    let url = try archive("walk.npz", [("positions_2d", NumPyArray(places, shape: [2, 17, 2]))])
    let size = CGSize(width: 1000, height: 1000)
    let frames = try PoseSequence(contentsOf: url, size: size, frameRate: 50).frames
    #expect(frames.map(\.time) == [0, 0.02])
    let pose = try #require(frames[1].poses.first)
    #expect(pose.personID == 1)
    let numbers: [JointKey: Int] = [
      .rightHip: 1, .rightKnee: 2, .rightAnkle: 3, .leftHip: 4, .leftAnkle: 6, .neck: 8, .nose: 9,
      .leftShoulder: 11, .leftWrist: 13, .rightShoulder: 14, .rightWrist: 16,
    ]
    for (key, number) in numbers {
      let point = try #require(pose.keypoints[key], "\(key)")
      #expect(abs(point.position.x - Float(101 + 10 * number) / 1000) < 1e-6, "\(key)")
      #expect(abs(point.position.y - (1 - Float(300 + number) / 1000)) < 1e-6, "\(key)")
    }
  }

  @Test(
    "pickled objects are not opened; the sentence says how to save them as numbers",
    arguments: [
      ("positions_2d", "numpy.savez(\"walk.npz\""), ("keypoint", "keypoint=a[\"keypoint\"]"),
    ])
  func pickles(array: String, remedy: String) throws {
    // What Python would run on opening it: os.system.
    let pickle = Array("cos\nsystem\n(S'touch \(folder.path("run"))'\ntR.".utf8)
    let npy = Self.npy("{'descr': '|O', 'fortran_order': False, 'shape': (), }", pickle)
    let url = folder.url("data_2d_h36m_gt.npz")
    try NumPyArchive.data(ofFiles: [(array, npy)]).write(to: url)
    let error = expectError(PoseError.self) { try PoseSequence(contentsOf: url) }
    let message = error?.message ?? ""
    #expect(message.contains("holds Python objects (a pickle)"), "\(message)")
    #expect(message.contains(remedy), "\(message)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("run")))
    try NumPyArchive.data(ofFiles: [("poses", npy)]).write(to: url)
    let own = expectError(PoseError.self) { try PoseSequence(contentsOf: url) }
    #expect(own?.message.contains("Python objects (a pickle)") == true)
  }

  @Test("what does not fit is refused in a sentence with the array")
  func damaged() throws {
    let places = Self.keypoints(people: 1, frames: 1)
    let cases: [([(String, NumPyArray)], String)] = [
      (
        [("keypoint", NumPyArray([Float](repeating: 0, count: 75), shape: [1, 1, 25, 3]))],
        "the shape [1, 1, 25, 3], where places in pictures"
      ),
      ([("keypoint", NumPyArray(places, shape: [17, 2]))], "the shape [17, 2]"),
      (
        [("keypoint", NumPyArray(places, shape: [1, 2, 8, 2]))],
        "does not have the size of its shape"
      ),
      (
        [("keypoint", NumPyArray([1, 2] as [Float], shape: [1, 1, 1, 2]))],
        "a person has 1 points, where"
      ),
      (
        [
          ("keypoint", NumPyArray(places, shape: [1, 1, 17, 2])),
          ("keypoint_score", NumPyArray([1] as [Float], shape: [1])),
        ], "its array keypoint_score has the shape [1]"
      ),
      (
        [
          ("keypoint", NumPyArray(places, shape: [1, 1, 17, 2])),
          ("img_shape", NumPyArray([-1, 1 << 30] as [Int32], shape: [2])),
        ], "is not a width and a height"
      ),
      (
        [
          (
            "keypoint",
            NumPyArray(places.map { $0 == 50 ? .infinity : $0 }, shape: [1, 1, 17, 2])
          )
        ], "is infinite"
      ),
      ([("positions_2d", NumPyArray(places, shape: [17, 2]))], "positions_2d has the shape"),
    ]
    for (index, (arrays, sentence)) in cases.enumerated() {
      let url = try archive("\(index).npz", arrays)
      let error = expectError(PoseError.self) {
        try PoseSequence(contentsOf: url, size: CGSize(width: 400, height: 200))
      }
      let message = error?.message ?? ""
      #expect(message.contains("\(index).npz") && message.contains(sentence), "\(message)")
    }
  }

  @Test("a header that promises more than is there takes no memory")
  func hostile() throws {
    let url = folder.url("large.npz")
    for shape in [
      "(65536, 4194304, 17, 2)", "(1, 4194305, 17, 2)", "(70000, 1, 17, 2)", "(1, 9, 17, 2)",
    ] {
      let header = "{'descr': '<f2', 'fortran_order': False, 'shape': \(shape), }"
      try NumPyArchive.data(ofFiles: [("keypoint", Self.npy(header, [0, 0, 0, 0]))]).write(to: url)
      let error = expectError(PoseError.self) { try PoseSequence(contentsOf: url) }
      #expect(error?.message.contains("large.npz") == true)
    }
  }
}
