import Foundation
import KinemaPose
import KinemaStreams
import KinemaTestSupport
import KinemaVideo
import KinemaVision
import Testing

@Suite(.enabled(if: SharedData.isPresent, SharedData.reason))
struct HumanHandPoseExtractorTests {
  /// A person who faces the camera; the left hand hangs down, the right one signs after a second.
  private static let twoHands = "intel_asl_no.mkv"

  @Test("a pose has the 21 joints of a hand, upright, and says which hand it is")
  func joints() async throws {
    let extractor = HumanHandPoseExtractor()
    var last: [Pose] = []
    for frame in try await Clip(Self.twoHands).stampedFrames(41) {
      last = try await extractor.applied(to: frame).feature
    }
    #expect(last.count == 2)
    let right = try #require(last.first { $0.chirality == .right })
    let left = try #require(last.first { $0.chirality == .left })
    for pose in [left, right] {
      #expect(Set(pose.keypoints.keys) == Set(JointKey.hand))
      #expect(pose.confidence >= 0.5)
      #expect(pose.keypoints.values.allSatisfy { (0...1).contains($0.confidence) })
    }
    // The camera sees the person's right on its left.
    let wrists = (try #require(right.keypoints[.wrist]), try #require(left.keypoints[.wrist]))
    #expect(wrists.0.position.x < wrists.1.position.x)
    // The signing hand points upwards.
    #expect(try #require(right.keypoints[.middleMCP]).position.y > wrists.0.position.y)
  }

  @Test(
    "a clip has a hand in at least as many frames as MediaPipe finds one",
    arguments: MediaPipeHandCounts.short)
  func frameCount(expected: MediaPipeHandCounts) async throws { try await expected.check() }

  @Test("hands keep their ids and their sides while they are seen")
  func identifiers() async throws {
    let extractor = HumanHandPoseExtractor()
    var sides: [Int: Set<Chirality?>] = [:]
    var frameCounts: [Int: Int] = [:]
    for frame in try await Clip(Self.twoHands).stampedFrames(66) {
      let poses = try await extractor.applied(to: frame).feature
      #expect(poses.map(\.personID) == poses.map(\.personID).sorted { ($0 ?? 0) < ($1 ?? 0) })
      for pose in poses {
        let id = try #require(pose.personID)
        frameCounts[id, default: 0] += 1
        sides[id, default: []].insert(pose.chirality)
      }
    }
    let lasting = frameCounts.filter { $0.value >= 25 }.keys
    #expect(frameCounts.count <= 3)
    #expect(lasting.count == 2)
    #expect(lasting.allSatisfy { sides[$0]?.count == 1 })
  }

  @Test("the same frames give the same poses again, and ids are not used again after a reset")
  func determinism() async throws {
    let frames = try await Clip(Self.twoHands).stampedFrames(12)
    let (first, second) = (HumanHandPoseExtractor(), HumanHandPoseExtractor())
    var known: Set<Int> = []
    for frame in frames {
      let poses = try await (first.applied(to: frame), second.applied(to: frame))
      #expect(poses.0 == poses.1)
      known.formUnion(poses.0.feature.compactMap(\.personID))
    }
    #expect(!known.isEmpty)
    await first.reset()
    let fresh = try await first.applied(to: frames[11]).feature.compactMap(\.personID)
    #expect(!fresh.isEmpty && known.isDisjoint(with: fresh))
  }

  @Test("at most one hand is tracked on request")
  func limit() async throws {
    let extractor = HumanHandPoseExtractor(configuration: .init(maximumHandCount: 1))
    for frame in try await Clip(Self.twoHands).stampedFrames(20) {
      #expect(try await extractor.applied(to: frame).feature.count <= 1)
    }
  }

  @Test("hands in still pictures have no id, and a side")
  func stillImages() async throws {
    let frame = try #require(try await Clip(Self.twoHands).frames([40])[40])
    let extractor = HumanHandPoseExtractor(configuration: .init(mode: .stillImages))
    let poses = try await extractor.applied(to: frame)
    #expect(poses.count == 2)
    #expect(poses.allSatisfy { $0.personID == nil })
    #expect(Set(poses.map(\.chirality)) == [.left, .right])
    #expect(try await extractor.applied(to: frame) == poses)
  }

  @Test(
    "a picture of any size without hands has none",
    arguments: HumanHandPoseExtractor.Mode.allCases)
  func emptyPictures(mode: HumanHandPoseExtractor.Mode) async throws {
    let extractor = HumanHandPoseExtractor(configuration: .init(mode: mode))
    for (width, height) in [(1, 1), (3, 500), (640, 480)] {
      let frame = Frame(width: width, height: height)
      for _ in 0..<3 { #expect(try await extractor.applied(to: frame).isEmpty) }
      await extractor.reset()
    }
  }

  @Test("joints have the hand's confidence, and less outside the frame")
  func confidences() async throws {
    // The hand that hangs down reaches out of the picture.
    let whole = try #require(try await Clip(Self.twoHands).frames([40])[40])
    let still = HumanHandPoseExtractor(configuration: .init(mode: .stillImages))
    for pose in try await still.applied(to: whole) {
      let expected = exp(-1.3 * (1 - pose.confidence).squareRoot())
      for joint in pose.keypoints.values {
        let place = joint.position
        let isInside = (0...1).contains(place.x) && (0...1).contains(place.y)
        #expect(abs(joint.confidence - expected * (isInside ? 1 : 0.3)) < 1e-5)
      }
    }
  }

  @Test("the fast arithmetic finds the same hands to a few per cent of their size")
  func fastPrecision() async throws {
    let frame = try #require(try await Clip(Self.twoHands).frames([40])[40])
    let full = try await HumanHandPoseExtractor().applied(to: frame)
    let fast = try await HumanHandPoseExtractor(configuration: .init(precision: .fast))
      .applied(to: frame)
    #expect(full.count == fast.count && !full.isEmpty)
    for (one, other) in zip(full, fast) {
      for key in JointKey.hand {
        let places = try (#require(one.keypoints[key]), #require(other.keypoints[key]))
        let distance = places.0.position - places.1.position
        #expect(abs(distance.x) < 0.02 && abs(distance.y) < 0.02, "\(key)")
      }
    }
  }
}
