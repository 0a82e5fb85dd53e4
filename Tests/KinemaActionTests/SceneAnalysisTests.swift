import Foundation
import KinemaAction
import KinemaCounting
import KinemaPose
import KinemaTestSupport
import Testing

@Suite("Scene analysis")
struct SceneAnalysisTests {
  private static let rate = 30.0

  private func scene(
    _ scope: SceneAnalysis.Scope, windowSize: Int = 30, memory: TimeInterval = 1
  ) throws -> SceneAnalysis {
    SceneAnalysis(
      PersonAnalysis.Plan(classifier: try MotionModel.classifier(windowSize: windowSize)),
      scope: scope, memory: memory)
  }

  /// A scene that counts by the signal alone.
  private func counting(_ scope: SceneAnalysis.Scope, memory: TimeInterval = 15) -> SceneAnalysis {
    var rules = RepetitionCounter.Rules()
    rules.method = .signal
    return SceneAnalysis(PersonAnalysis.Plan(counting: rules), scope: scope, memory: memory)
  }

  private func pose(_ height: Float, id: Int?, _ chirality: Chirality? = nil) -> Pose {
    var pose = MotionModel.pose(wristHeight: height)
    pose.personID = id
    pose.chirality = chirality
    return pose
  }

  /// A person whose joints span a square.
  private func person(_ id: Int, side: Float) -> Pose {
    Pose(
      from: [
        .nose: JointPoint(.nose, position: [0, side], confidence: 1),
        .leftAnkle: JointPoint(.leftAnkle, position: [side, 0], confidence: 1),
      ], personID: id)
  }

  private func jacks(_ id: Int, at time: TimeInterval, period: Double) -> Pose {
    var mover = Mover(noise: 0)
    var pose = mover.pose(.jacks, phase: time / period)
    pose.personID = id
    return pose
  }

  private func frames(_ count: Int, from start: Int = 0) -> [TimeInterval] {
    (start..<start + count).map { Double($0) / Self.rate }
  }

  /// The frames, at 30 a second, at which the windows of predictions start.
  private func starts(_ predictions: [ActionPrediction]) -> [Int] {
    predictions.map { Int(($0.timeRange.lowerBound * Self.rate).rounded()) }
  }

  @Test("somebody in view for a whole window differs from somebody who has just come")
  func visibility() throws {
    let plan = PersonAnalysis.Plan(classifier: try MotionModel.classifier(windowSize: 30))
    var analysis = try PersonAnalysis(plan)
    // A frame each 2 s covers too little of a window of 1 s.
    for time in [0.0, 2, 4] { _ = try analysis.add(pose(1, id: 1), at: time) }
    #expect(analysis.prediction?.status == .noPerson && analysis.isVisibleForWindow)
    for time in frames(60, from: 121) { _ = try analysis.add(nil, at: time) }
    #expect(!analysis.isVisibleForWindow)
    _ = try analysis.add(pose(1, id: 1), at: 8)
    #expect(!analysis.isVisibleForWindow)
  }

  // MARK: - All people

  @Test("each person has windows of their own, with id and side")
  func separate() throws {
    var scene = try scene(.everybody)
    var alone = ActionRecognizer(classifier: try MotionModel.classifier(windowSize: 30))
    var predictions: [ActionPrediction] = []
    var expected: [ActionPrediction] = []
    for (index, time) in frames(60).enumerated() {
      let poses = [pose(0.9, id: 1, .left)] + (index >= 20 ? [pose(0.1, id: 7, .right)] : [])
      predictions += try scene.add(poses, at: time).predictions
      expected += try alone.add(poses[0], at: time)
    }
    predictions += try scene.finish().predictions
    expected += try alone.finish()
    #expect(predictions.filter { $0.personID == 1 } == expected)
    let other = predictions.filter { $0.personID == 7 }
    #expect(starts(other) == [20, 30])
    #expect(other.allSatisfy { $0.chirality == .right })
    #expect(other.first?.topLabel != expected.first?.topLabel)
  }

  @Test("a person who is away for longer than the memory starts a new stretch")
  func absence() throws {
    var scene = try scene(.everybody)
    var predictions: [ActionPrediction] = []
    for (index, time) in frames(300).enumerated() {
      let isThere = index < 45 || (120..<125).contains(index)
      predictions += try scene.add(isThere ? [pose(0.9, id: 1)] : [], at: time).predictions
    }
    predictions += try scene.finish().predictions
    #expect(predictions.allSatisfy { $0.status != .noPerson })
    #expect(starts(predictions) == [0, 10, 20])
  }

  @Test("people without ids are numbered by their place in the frame")
  func withoutIdentifiers() throws {
    var scene = try scene(.everybody, windowSize: 1)
    let step = try scene.add([pose(0.9, id: nil), pose(0.1, id: nil)], at: 0)
    #expect(step.predictions.map(\.personID) == [1, 2])
  }

  @Test("a model of single frames classifies each frame, at any rate")
  func singleFrames() throws {
    var scene = try scene(.everybody, windowSize: 1)
    let times = [0, 0.01, 0.02, 0.9, 0.91]
    let predictions = try times.flatMap { try scene.add([pose(0.9, id: 1)], at: $0).predictions }
    #expect(predictions.map(\.timeRange.lowerBound) == times)
    #expect(try scene.finish().predictions.isEmpty)
  }

  @Test("each person is counted, also the one who left and came back")
  func counts() throws {
    var scene = counting(.everybody, memory: 2)
    for time in frames(1080) {
      let isAway = (12.0..<20).contains(time)
      _ = try scene.add(
        [jacks(1, at: time, period: 2)] + (isAway ? [] : [jacks(2, at: time, period: 1)]),
        at: time)
    }
    let repetitions = try scene.finish().repetitions
    #expect(repetitions.map(\.personID) == [1, 2])
    #expect(abs((repetitions.first?.summary.count ?? 0) - 18) <= 1)
    #expect(abs((repetitions.last?.summary.count ?? 0) - 28) <= 2)
    #expect(try scene.finish().repetitions.isEmpty)
  }

  // MARK: - One person

  @Test("the prominent person has one timeline, with any id")
  func prominent() throws {
    var scene = try scene(.prominent)
    var prominent: [Int?] = []
    var predictions: [ActionPrediction] = []
    for (index, time) in frames(60).enumerated() {
      let step = try scene.add(
        [person(1, side: 0.4), person(2, side: index < 30 ? 0.2 : 0.6)], at: time)
      prominent.append(step.prominent?.personID)
      predictions += step.predictions
    }
    #expect(prominent == Array(repeating: 1, count: 30) + Array(repeating: 2, count: 30))
    #expect(starts(predictions) == [0, 10, 20, 30])
    #expect(predictions.map(\.personID) == [1, 1, 2, 2])
  }

  @Test("a window without enough poses is No Person where one person is covered")
  func withoutPerson() throws {
    var scene = try scene(.prominent)
    let predictions = try frames(30).flatMap { try scene.add([], at: $0).predictions }
    #expect(predictions.map(\.status) == [.noPerson])
    #expect(scene[nil]?.prediction?.status == .noPerson)
  }

  @Test("the person with an id is analysed, though another one is larger")
  func pinned() throws {
    var scene = try scene(.person(2))
    for time in frames(30) {
      let step = try scene.add([person(1, side: 0.8), person(2, side: 0.1)], at: time)
      #expect(step.prominent?.personID == 2)
    }
    #expect(scene[2]?.prediction?.personID == 2)
  }

  @Test("the shape of the picture comes with the first frame")
  func aspectRatio() throws {
    let ratio: Float = 16 / 9
    var scene = counting(.prominent)
    for time in frames(300) {
      _ = try scene.add([jacks(1, at: time, period: 2)], at: time, aspectRatio: ratio)
    }
    #expect(scene[1]?.counter?.rules.aspectRatio == ratio)
    #expect(abs((try scene.finish().repetitions.first?.summary.count ?? 0) - 5) <= 1)
  }

  // MARK: - Live

  @Test("a person who comes alone continues as the one who left")
  func succession() throws {
    var scene = counting(.live)
    for time in frames(300) { _ = try scene.add([jacks(1, at: time, period: 1)], at: time) }
    for time in frames(60, from: 300) { _ = try scene.add([], at: time) }
    let count = try #require(scene[1]?.count)
    #expect(count >= 8)
    scene.pinnedPersonID = 1
    let step = try scene.add([jacks(9, at: 12, period: 1)], at: 12)
    #expect(step.successions == [9: 1])
    #expect(step.prominent?.personID == 9)
    #expect(scene.pinnedPersonID == 9)
    #expect(scene.prominentID == 9)
    #expect(scene[9]?.count == count)
    #expect(scene.personIDs == [9])
  }

  @Test("of two people who come together, neither continues as the one who left")
  func noSuccession() throws {
    var scene = counting(.live)
    _ = try scene.add([person(1, side: 0.4)], at: 0)
    _ = try scene.add([], at: 1)
    let step = try scene.add([person(2, side: 0.4), person(3, side: 0.3)], at: 2)
    #expect(step.successions.isEmpty)
    #expect(scene.personIDs == [1, 2, 3])
  }

  @Test(
    "a hand that the tracker lost keeps its id", arguments: [SceneAnalysis.Scope.live, .everybody])
  func handIDs(_ scope: SceneAnalysis.Scope) throws {
    var scene = try scene(scope, memory: 1)
    _ = try scene.add([pose(0.9, id: 1, .left), pose(0.1, id: 2, .right)], at: 0)
    _ = try scene.add([], at: 0.5)
    for time in [1, 1.1] {
      let step = try scene.add([pose(0.9, id: 4, .right), pose(0.1, id: 5, .left)], at: time)
      #expect(step.poses.map(\.personID) == [2, 1])
      #expect(step.successions.isEmpty)
    }
    #expect(scene[2]?.chirality == .right)
    // After the memory, and where there are two of a side, ids are new.
    let later = try scene.add([pose(0.9, id: 6, .left)], at: 9)
    #expect(later.poses.map(\.personID) == [6])
    let two = try scene.add([pose(0.9, id: 7, .left), pose(0.9, id: 8, .left)], at: 9.1)
    #expect(two.poses.map(\.personID) == [7, 8])
  }

  @Test("people who left are forgotten after the memory, but for the prominent one")
  func memory() throws {
    var scene = counting(.live, memory: 2)
    let both = [person(1, side: 0.6), person(2, side: 0.2)]
    _ = try scene.add(both, at: 0)
    scene.pinnedPersonID = 2
    _ = try scene.add(both, at: 0.5)
    _ = try scene.add([both[0]], at: 1)
    #expect(scene.prominentID == 2)
    _ = try scene.add([both[0]], at: 2)
    #expect(scene.pinnedPersonID == 2)
    let step = try scene.add([both[0]], at: 3)
    #expect(scene.pinnedPersonID == nil)
    #expect(step.prominent?.personID == 1)
    _ = try scene.add([], at: 3.5)
    #expect(scene.personIDs == [1])
    _ = try scene.add([], at: 60)
    #expect(scene.personIDs == [1])
    scene.reset()
    #expect(scene.personIDs.isEmpty)
    #expect(scene.prominentID == nil)
  }

  // MARK: - Changes

  @Test("another threshold re-evaluates the newest prediction; another model starts again")
  func changes() throws {
    var scene = try scene(.live)
    for time in frames(30) { _ = try scene.add([pose(0.9, id: 1)], at: time) }
    #expect(scene[1]?.prediction?.status == .action)
    var plan = scene.plan
    var rules = ActionRecognizer.Rules()
    rules.confidenceThreshold = 1
    plan.recognition = rules
    try scene.change(to: plan)
    #expect(scene[1]?.prediction?.status == .lowConfidence)
    plan.classifier = try MotionModel.classifier(windowSize: 30)
    try scene.change(to: plan)
    #expect(scene[1]?.prediction == nil)
    plan.classifier = nil
    try scene.change(to: plan)
    #expect(scene[1]?.recognizer == nil)
  }

  @Test("counts survive a change of the rules of recognition, not of the rules of counting")
  func countingChanges() throws {
    var scene = counting(.live)
    for time in frames(300) {
      _ = try scene.add([jacks(1, at: time, period: 1)], at: time, aspectRatio: 1.5)
    }
    let count = try #require(scene[1]?.count)
    #expect(count > 5)
    var plan = scene.plan
    plan.recognition = ActionRecognizer.Rules()
    plan.ignoredJoints = [.nose]
    try scene.change(to: plan)
    #expect(scene[1]?.count == count)
    plan.counting?.countsPairs = true
    try scene.change(to: plan)
    #expect(scene[1]?.count == 0)
  }

  @Test("joints that are ignored count as not found")
  func ignoredJoints() throws {
    var plan = PersonAnalysis.Plan(classifier: try MotionModel.classifier(windowSize: 30))
    plan.ignoredJoints = [.rightWrist]
    var analysis = try PersonAnalysis(plan)
    let predictions = try frames(30).flatMap { try analysis.add(pose(0, id: 1), at: $0) }
    // A joint that is not found is (0, 1, 0): at the top.
    #expect(predictions.map(\.topLabel) == ["up"])
  }
}
