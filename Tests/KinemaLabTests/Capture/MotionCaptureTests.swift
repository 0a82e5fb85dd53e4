import Foundation
import KinemaLab
import KinemaPose
import KinemaSynth
import KinemaTestSupport
import KinemaTraining
import Testing

@Suite("Motion capture")
struct MotionCaptureTests {
  private static let walk = "some.npz,a_1,a,walk,walk,0,40,"

  @Test("sequences are read with their people, labels and places")
  func reading() throws {
    let folder = try CaptureFolder()
    let second = [CapturedMotion.Frame](repeating: CaptureFolder.standing(), count: 3)
    try folder.write([CaptureFolder.walker(frames: 40), second])
    try folder.index([
      Self.walk, "some.npz,b_1,b,\"direct traffic, wave\",gesture / everyday,40,3,",
      "some.npz,b_2,b,jumping jacks,exercise,0,40,",
    ])
    let capture = try MotionCapture(contentsOf: folder.url)
    #expect(capture.recordings.map(\.name) == ["a_1", "b_1"])
    #expect(capture.recordings.map(\.subject) == ["a", "b"])
    #expect(capture.recordings.map(\.label) == [.walking, .everyday])
    for (frame, place) in capture.recordings[0].motion.frames.enumerated() {
      for (joint, expected) in zip(place, CaptureFolder.walker(frames: 40)[frame]) {
        #expect((joint - expected).length < 1e-3)
      }
    }
    #expect(capture.recordings[1].motion.frames.count == 3)
  }

  @Test("a frame becomes a body of the same joints, with a face where the nose points")
  func body() {
    let motion = CapturedMotion(frames: CaptureFolder.walker(frames: 31), frameRate: 30)
    #expect(abs(motion.duration - 31 / 30.0) < 1e-9)
    #expect((1.6...1.85).contains(motion.stature))
    let body = motion.skeleton(at: 0)
    #expect(body[.leftWrist] == SIMD3(0.2, 0.87, 0) && body[.rightHip] == SIMD3(-0.1, 0.92, 0))
    #expect(body.root == SIMD3(0, 0.92, 0) && body.chestForward.z > 0.99)
    #expect(body.left.ear.x > 0.05 && body.right.ear.x < -0.05)
    #expect(body.nose.z > body.left.eye.z && body.left.eye.z > body.left.ear.z)
    // Between two frames, and beyond the last.
    #expect(abs(motion.skeleton(at: 0.5 / 30).root.z - 0.015) < 1e-5)
    #expect(abs(motion.skeleton(at: 9).root.z - 0.9) < 1e-4)
  }

  @Test("a foreign folder is refused in one sentence that names the file", arguments: Damage.all)
  func damage(_ damage: Damage) throws {
    let folder = try CaptureFolder()
    try folder.write([CaptureFolder.walker(frames: 40)])
    try folder.index([Self.walk])
    try damage.apply(folder)
    let error = try requireError(TrainingError.self) {
      try MotionCapture(contentsOf: folder.url)
    }
    #expect(error.message.contains(folder.url.path) || error.message.contains("index.csv"))
    #expect(error.message.contains(damage.words), "\(error.message)")
    #expect(error.message.hasSuffix("."))
  }

  struct Damage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let words: String
    let apply: @Sendable (CaptureFolder) throws -> Void

    init(
      _ name: String, _ words: String, apply: @escaping @Sendable (CaptureFolder) throws -> Void
    ) {
      (testDescription, self.words, self.apply) = (name, words, apply)
    }

    static let all = [
      Damage("no index", "cannot be read") { try $0.remove("index.csv") },
      Damage("no archive", "no archive of motion capture") { try $0.remove("some.npz") },
      Damage("a text as archive", "no archive") { try $0.write("hello", to: "some.npz") },
      Damage("a missing column", "lacks one") {
        try $0.index([MotionCaptureTests.walk], columns: "file,sequence")
      },
      Damage("a binary index", "index.csv") { try $0.write("a\0b", to: "index.csv") },
      Damage("a row after the last", "after the last") {
        try $0.index(["some.npz,a,a,walk,walk,1,40,"])
      },
      Damage("a negative row", "row 2") { try $0.index(["some.npz,a,a,walk,walk,-1,4,"]) },
      Damage("an absurd number", "row 2") { try $0.index(["some.npz,a,a,walk,walk,0,9e99,"]) },
      Damage("a file elsewhere", "row 2") { try $0.index(["../some.npz,a,a,walk,walk,0,4,"]) },
      Damage("nothing to learn", "no sequence") {
        try $0.index(["some.npz,a,a,yoga,exercise,0,4,"])
      },
      Damage("an array of another shape", "delta_mm") { try $0.writeArray([4, 18, 3]) },
      Damage("a joint that is nowhere", "nowhere") { try $0.writeArray([40, 19, 3], value: .nan) },
      Damage("a joint that is far away", "nowhere") { try $0.writeArray([40, 19, 3], value: 1e6) },
    ]
  }

  @Test("labels are those of the kind, but for what resembles an exercise or changes")
  func labels() {
    let expected: [(kind: String, label: String, CaptureLabel?)] = [
      ("walk", "walk, veer left", .walking), ("run / jog", "run/jog", .running),
      ("run / jog", "Run Dive Over Roll Run", nil), ("dance", "salsa dance", .dancing),
      ("gesture / everyday", "mop floor", .everyday),
      ("gesture / everyday", "sit on stepstool, stand up", nil),
      ("gesture / everyday", "playground - climb, pull up, dangle", nil),
      ("jump / hop", "forward jump", .jumps), ("sport (ball games)", "basketball", .sport),
      ("martial arts / boxing / swordplay", "boxing", .martialArts),
      ("exercise", "deep squat (incorrect form)", .squats),
      ("exercise", "inline lunge", .lunges), ("exercise", "side lunge", .sideLunges),
      ("exercise", "sit to stand", nil), ("exercise", "standing shoulder scaption", nil),
      ("exercise", "jumping jacks, jog, squats", nil), ("yoga", "tree", nil),
    ]
    for (kind, label, found) in expected {
      #expect(CaptureLabel(kind: kind, label: label) == found, "\(kind), \(label)")
    }
    let labels = BuiltInRecipe.workout.labels
    #expect(CaptureLabel.allCases.allSatisfy { labels.contains($0.label) })
  }

  @Test(
    "the folder beside the checkout has every label in both halves, and nobody is in both",
    .enabled(if: SharedData.isPresent, SharedData.reason))
  func shared() throws {
    let (training, heldOut) = try MotionCapture(contentsOf: SharedData.url("motion")).split
    let people = [training, heldOut].map { Set($0.recordings.map(\.subject)) }
    #expect(people[0].isDisjoint(with: people[1]))
    #expect(people[1] == CaptureLabel.heldOutSubjects)
    for label in CaptureLabel.allCases {
      let counts = [training, heldOut].map { $0.recordings.count { $0.label == label } }
      #expect(counts.allSatisfy { $0 > 0 }, "\(label)")
    }
    let seconds = [training, heldOut].map { $0.recordings.reduce(0) { $0 + $1.motion.duration } }
    #expect((0.15...0.35).contains(seconds[1] / (seconds[0] + seconds[1])))
    for recording in training.recordings + heldOut.recordings {
      #expect((1.4...2.1).contains(recording.motion.stature), "\(recording.name)")
    }
  }
}

extension CaptureFolder {
  fileprivate func remove(_ name: String) throws {
    try FileManager.default.removeItem(at: url.appending(path: name))
  }

  fileprivate func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: url.appending(path: name))
  }

  fileprivate func writeArray(_ shape: [Int], value: Float = 0) throws {
    let values = [Float](repeating: value, count: shape.reduce(1, *))
    try NumPyArchive.data(of: [("delta_mm", NumPyArray(values, shape: shape))])
      .write(to: url.appending(path: "some.npz"))
  }
}
