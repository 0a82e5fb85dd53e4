import Foundation
import KinemaPose
import KinemaVideo
import KinemaVision
import Testing

@Suite("A network other than BlazePose")
struct BodyNetworkTests {
  /// Nothing is in its folder.
  private static let runtime = VisionRuntime.handMade()

  @Test("its people are tracked, with the joints whose points it gives")
  func tracking() async throws {
    let extractor = HumanBodyPoseExtractor(runtime: Self.runtime)
    var poses: [Pose] = []
    for step in 0..<40 {
      poses = try await extractor.applied(
        to: Frame(people: [SIMD2(40 + step / 2, 60), SIMD2(120 - step / 4, 60)]))
    }
    #expect(poses.map(\.personID) == [1, 2])
    for (pose, x) in zip(poses, [Float(59), 111]) {
      let joints = Set(pose.keypoints.values.filter { $0.confidence > 0.5 }.map(\.key))
      #expect(
        joints == [
          .nose, .neck, .leftShoulder, .rightShoulder, .leftHip, .rightHip, .leftKnee, .rightKnee,
          .leftAnkle, .rightAnkle,
        ])
      let nose = try #require(pose.keypoints[.nose]).position
      #expect(abs(nose.x - x / 160) < 0.01 && abs(nose.y - (1 - 33 / 120.0)) < 0.01)
    }
  }

  @Test("a person whom others hide is found again, by the colours of a trunk without ears")
  func occlusion() async throws {
    let extractor = HumanBodyPoseExtractor(runtime: Self.runtime)
    var ids: [[Int?]] = []
    for step in 0..<90 {
      let isHidden = (40..<50).contains(step)
      let people = [SIMD2(40, 60)] + (isHidden ? [] : [SIMD2(110, 60)])
      ids.append(try await extractor.applied(to: Frame(people: people)).map(\.personID))
    }
    #expect(ids[39] == [1, 2] && ids[89] == [1, 2])
  }

  @Test("its people are found in a still image")
  func stillImage() async throws {
    let extractor = HumanBodyPoseExtractor(
      configuration: .init(mode: .stillImages), runtime: Self.runtime)
    let poses = try await extractor.applied(to: Frame(people: [SIMD2(40, 60), SIMD2(110, 60)]))
    #expect(poses.count == 2)
  }

  @Test("its name is in the keys of cached poses")
  func key() {
    let subject = PoseSubject.bodies(.init())
    #expect(subject.networkIDs(in: Self.runtime) == ["hand-made", "hand-made"])
    #expect(
      subject.networkIDs(in: VisionRuntime(home: URL(filePath: "/nowhere"))).allSatisfy {
        $0.hasPrefix("BlazePose")
      })
  }
}
