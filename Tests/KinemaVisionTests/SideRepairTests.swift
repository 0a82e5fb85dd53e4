import Foundation
import KinemaPose
import KinemaTestSupport
import KinemaVision
import Testing

@Suite("Legs seen from the side")
struct SideRepairTests {
  @Test(
    "keep their sides where the network exchanges them",
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
    // Processors round, and versions of FFmpeg convert, differently: one more or less.
    #expect(jumps[false, default: 0] >= 2)
    #expect(jumps[true, default: 0] * 2 <= jumps[false, default: 0] + 1)
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
