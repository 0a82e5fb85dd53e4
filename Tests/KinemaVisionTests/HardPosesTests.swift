import Foundation
import KinemaPose
import KinemaTestSupport
import KinemaVision
import Testing

@Suite("Hard poses")
struct HardPosesTests {
  @Test(
    "somebody of a fifth of the picture's height is found within a second, from any side",
    arguments: [HardView.front, .side, .back])
  func smallPeople(view: HardView) async throws {
    for seed in [1, 2] as [UInt64] {
      let stage = HardStage(view, share: 0.2, width: 640, height: 480, seed: seed)
      let figures = try await stage.figures(frameCount: 45)
      #expect(figures.firstFrames.first ?? .max <= 30, "seed \(seed)")
      #expect(figures.foundCount >= 15 && figures.strangerCount == 0, "seed \(seed)")
    }
  }

  @Test("with nobody there, nobody is found in any part of the picture")
  func emptyRoom() async throws {
    let stage = HardStage(.front, share: 0.2, width: 640, height: 480, seed: 3, isEmpty: true)
    let figures = try await stage.figures(frameCount: 75)
    #expect(figures.foundCount == 0 && figures.strangerCount == 0)
  }

  @Test(
    "legs seen from the side keep their sides where the network exchanges them",
    .enabled(if: SharedData.isPresent, SharedData.reason))
  func keepsSides() async throws {
    var jumps: [Bool: Int] = [:]
    for repairs in [false, true] {
      let extractor = HumanBodyPoseExtractor(
        configuration: .init(maximumPersonCount: 1, repairsSides: repairs))
      var last: Pose?
      try await Clip("nowva_lunge.mp4").forEachFrame { index, frame in
        let pose = try await extractor.applied(to: frame).first
        if let pose, let last, Self.legsJump(from: last, to: pose) {
          jumps[repairs, default: 0] += 1
        }
        last = pose
        return index < 129
      }
    }
    #expect(jumps[false, default: 0] >= 2)
    #expect(jumps[true, default: 0] == 0)
  }

  /// Whether both ankles are much nearer to where the other one was.
  private static func legsJump(from last: Pose, to pose: Pose) -> Bool {
    func distance(_ key: JointKey, _ other: JointKey) -> Float {
      guard let a = last.keypoints[key], let b = pose.keypoints[other] else { return 0 }
      let way = a.position - b.position
      return (way * way).sum().squareRoot()
    }
    let straight = distance(.leftAnkle, .leftAnkle) + distance(.rightAnkle, .rightAnkle)
    let crossed = distance(.leftAnkle, .rightAnkle) + distance(.rightAnkle, .leftAnkle)
    return crossed < 0.5 * straight && straight > 0.05
  }
}
