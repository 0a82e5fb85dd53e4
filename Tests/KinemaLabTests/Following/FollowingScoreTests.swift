import KinemaLab
import KinemaPose
import KinemaTraining
import Testing

@Suite struct FollowingScoreTests {
  /// A pose of three joints, half a picture high.
  private func pose(at x: Float, id: Int?, confidence: Float = 1) -> Pose {
    let joints: [(JointKey, SIMD2<Float>)] = [
      (.nose, SIMD2(x, 0.7)), (.leftHip, SIMD2(x, 0.45)), (.leftAnkle, SIMD2(x, 0.2)),
    ]
    return Pose(
      from: Dictionary(
        uniqueKeysWithValues: joints.map {
          ($0.0, JointPoint($0.0, position: $0.1, confidence: confidence))
        }), personID: id)
  }

  private func person(_ id: Int, at x: Float, visible: Float = 1) -> FollowingScore.Person {
    FollowingScore.Person(pose: pose(at: x, id: id), height: 0.5, visibleShare: visible)
  }

  @Test("a pose near the true location counts with any id, others are false positives")
  func found() {
    var score = FollowingScore()
    let people = [person(1, at: 0.2), person(2, at: 0.8), person(3, at: 0.5, visible: 0.3)]
    score.add(
      [pose(at: 0.22, id: 7), pose(at: 0.21, id: 8)], people: people, at: 0, aspectRatio: 1)
    score.add(
      [pose(at: 0.8, id: 9), pose(at: 0.2, id: 7), pose(at: 0.5, id: 4)], people: people, at: 1,
      aspectRatio: 1)
    #expect(score.frames == 2)
    #expect(score.visible == 4 && score.found == 3 && score.foundShare == 0.75)
    #expect(score.leastFoundShare == 0.5)
    #expect(score.hidden == 2 && score.foundHidden == 1)
    #expect(score.ghosts == 1)
    // In the first frame number 8 was nearer than 7.
    #expect(score.count(.swap) == 0 && score.count(.split) == 1)
  }

  @Test("ids that change places are two swaps, an id that is new a split")
  func changes() {
    var score = FollowingScore()
    func add(_ ids: [Int], at time: Double) {
      score.add(
        [pose(at: 0.2, id: ids[0]), pose(at: 0.8, id: ids[1])],
        people: [person(1, at: 0.2), person(2, at: 0.8)], at: time, aspectRatio: 16 / 9)
    }
    add([1, 2], at: 0)
    add([1, 2], at: 1)
    #expect(score.mishaps.isEmpty)
    add([2, 1], at: 2)
    #expect(score.count(.swap) == 2 && score.count(.split) == 0)
    add([2, 3], at: 3)
    #expect(score.count(.swap) == 2)
    #expect(score.mishaps.last == .init(kind: .split, time: 3, person: 2, id: 3))
  }

  @Test("a pose without a confident joint finds only the person of its id")
  func inferred() {
    var score = FollowingScore()
    let people = [person(1, at: 0.4), person(2, at: 0.5)]
    score.add([pose(at: 0.4, id: 1)], people: people, at: 0, aspectRatio: 1)
    score.add([pose(at: 0.5, id: 1, confidence: 0.1)], people: people, at: 1, aspectRatio: 1)
    #expect(score.found == 2 && score.foundConfidently == 1)
    #expect(score.mishaps.isEmpty && score.ghosts == 0)
    score.add([pose(at: 0.9, id: 1, confidence: 0.1)], people: people, at: 2, aspectRatio: 1)
    #expect(score.found == 2 && score.ghosts == 1)
  }

  @Test("a person keeps the id while another one passes at the same place")
  func sticky() {
    var score = FollowingScore()
    for step in -3...3 {
      let x = 0.5 + Float(step) * 0.04
      score.add(
        [pose(at: 0.5, id: 1), pose(at: x, id: 2)],
        people: [person(1, at: 0.5), person(2, at: x)], at: Double(step), aspectRatio: 1)
    }
    #expect(score.mishaps.isEmpty && score.foundShare == 1)
  }
}
