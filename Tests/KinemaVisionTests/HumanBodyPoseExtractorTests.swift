import Foundation
import KinemaPose
import KinemaStreams
import KinemaTestSupport
import KinemaVideo
import KinemaVision
import Testing

@Suite(.enabled(if: SharedData.isPresent, SharedData.reason))
struct HumanBodyPoseExtractorTests {
  @Test("a pose has the 18 joints of the body, upright, with the person's right on the right side")
  func joints() async throws {
    // A person who stands and faces the camera.
    let frame = try #require(try await Clip("ulisses_jacks.mp4").frames([6])[6])
    let poses = try await HumanBodyPoseExtractor().applied(to: frame)
    let pose = try #require(poses.first)
    #expect(poses.count == 1)
    #expect(pose.personID == 1)
    #expect(pose.confidence > 0.9)
    #expect(Set(pose.keypoints.keys) == Set(JointKey.body))
    func point(_ key: JointKey) throws -> JointPoint { try #require(pose.keypoints[key]) }
    let (nose, neck, hip) = (try point(.nose), try point(.neck), try point(.leftHip))
    #expect(nose.position.y > neck.position.y && neck.position.y > hip.position.y)
    #expect(try point(.leftAnkle).position.y < hip.position.y)
    #expect(try point(.rightShoulder).position.x < point(.leftShoulder).position.x)
    #expect(pose.keypoints.values.allSatisfy { (0...1).contains($0.confidence) })
    // The neck is the mid-point of the shoulders with the lower confidence.
    let shoulders = (try point(.leftShoulder), try point(.rightShoulder))
    let middle = (shoulders.0.position + shoulders.1.position) / 2
    #expect(abs(neck.position.x - middle.x) < 1e-5 && abs(neck.position.y - middle.y) < 1e-5)
    #expect(neck.confidence == min(shoulders.0.confidence, shoulders.1.confidence))
  }

  @Test("joints outside the frame are less confident than the drawing threshold")
  func jointsOutside() async throws {
    // Push-ups seen from the front: the upper body only.
    let extractor = HumanBodyPoseExtractor()
    var outside = 0
    try await Clip("alondra_pushups.mp4").forEachFrame { index, frame in
      for joint in try await extractor.applied(to: frame).flatMap(\.keypoints.values) {
        let place = joint.position
        guard !(0...1).contains(place.x) || !(0...1).contains(place.y) else { continue }
        outside += 1
        #expect(joint.confidence <= 0.1)
      }
      return index < 9
    }
    #expect(outside > 0)
  }

  @Test(
    "a clip has a pose in at least as many frames as MediaPipe finds one",
    arguments: [
      "treadtv_starfish.mp4", "kalin_sit.mp4", "kalin_walk.mp4", "alejandra_walk.mp4",
      "amith_reverse_lunges.mp4", "rohit_squat.mp4",
    ])
  func frameCount(name: String) async throws {
    let expected = try #require(MediaPipePose.frameCounts().first { $0.clip == name })
    let extractor = HumanBodyPoseExtractor()
    var (frames, found) = (0, 0)
    for try await frame in try await VideoReader.read(contentsOf: SharedData.url("clips/\(name)")) {
      frames += 1
      found += try await extractor.applied(to: frame).feature.isEmpty ? 0 : 1
    }
    #expect(frames == expected.frames)
    #expect(found >= expected.found)
  }

  @Test("the same frames give the same poses again")
  func determinism() async throws {
    let frames = try await Clip("treadtv_starfish.mp4").stampedFrames(24)
    let (first, second) = (HumanBodyPoseExtractor(), HumanBodyPoseExtractor())
    for frame in frames {
      let poses = try await (first.applied(to: frame), second.applied(to: frame))
      #expect(poses.0 == poses.1)
      #expect(!poses.0.feature.isEmpty)
    }
  }

  @Test("two people plain to see are reported at once and keep their ids; furniture has none")
  func twoPeople() async throws {
    let extractor = HumanBodyPoseExtractor()
    var ids: [[Int]] = []
    try await Clip("pyskl_ntu_pair.avi").forEachFrame { index, frame in
      ids.append(try await extractor.applied(to: frame).compactMap(\.personID))
      return index < 59
    }
    #expect(ids.first == [1, 2])
    #expect(ids.last == [1, 2])
    #expect(Set(ids.joined()) == [1, 2])
  }

  @Test("at most one person is tracked on request")
  func limit() async throws {
    let extractor = HumanBodyPoseExtractor(configuration: .init(maximumPersonCount: 1))
    try await Clip("pyskl_ntu_pair.avi").forEachFrame { index, frame in
      let ids = try await extractor.applied(to: frame).map(\.personID)
      #expect(ids == [1])
      return index < 23
    }
  }

  @Test("ids are not used again after a reset or in another clip")
  func freshIdentifiers() async throws {
    let frames = try await Clip("treadtv_starfish.mp4").stampedFrames(2)
    let extractor = HumanBodyPoseExtractor()
    #expect(try await extractor.applied(to: frames[0]).feature.map(\.personID) == [1])
    await extractor.reset()
    #expect(try await extractor.applied(to: frames[1]).feature.map(\.personID) == [2])
    // Earlier than the frame before: a clip begins.
    #expect(try await extractor.applied(to: frames[0]).feature.map(\.personID) == [3])
    var other = frames[1]
    other.id.source = "another clip"
    #expect(try await extractor.applied(to: other).feature.map(\.personID) == [4])
  }

  @Test("a person who is absent for less than a second has the same id")
  func shortAbsence() async throws {
    let frames = try await Clip("treadtv_starfish.mp4").stampedFrames(20)
    let black = Frame(width: frames[0].feature.width, height: frames[0].feature.height)
    let extractor = HumanBodyPoseExtractor()
    for (index, frame) in frames.enumerated() {
      var frame = frame
      let isGone = (6..<12).contains(index)
      if isGone { frame.feature = black }
      #expect(
        try await extractor.applied(to: frame).feature.map(\.personID) == (isGone ? [] : [1]))
    }
  }

  @Test("all people of still images are found, without ids")
  func stillImages() async throws {
    let frame = try #require(try await Clip("felix_exercise.mp4").frames([40])[40])
    let extractor = HumanBodyPoseExtractor(configuration: .init(mode: .stillImages))
    let poses = try await extractor.applied(to: frame)
    #expect(poses.count == 3)
    #expect(poses.allSatisfy { $0.personID == nil })
    #expect(try await extractor.applied(to: frame) == poses)
  }

  @Test(
    "a picture of any size without people has no poses",
    arguments: HumanBodyPoseExtractor.Mode.allCases)
  func emptyPictures(mode: HumanBodyPoseExtractor.Mode) async throws {
    let extractor = HumanBodyPoseExtractor(configuration: .init(mode: mode))
    for (width, height) in [(1, 1), (3, 500), (640, 2)] {
      #expect(try await extractor.applied(to: Frame(width: width, height: height)).isEmpty)
      await extractor.reset()
    }
  }

  @Test("the fast arithmetic finds the same joints to a few per cent of the torso")
  func fastPrecision() async throws {
    let frame = try #require(try await Clip("ulisses_jacks.mp4").frames([6])[6])
    let full = try await HumanBodyPoseExtractor().applied(to: frame)
    let fast = try await HumanBodyPoseExtractor(configuration: .init(precision: .fast))
      .applied(to: frame)
    for key in JointKey.body {
      let places = try (#require(full.first?.keypoints[key]), #require(fast.first?.keypoints[key]))
      let distance = places.0.position - places.1.position
      #expect(abs(distance.x) < 0.02 && abs(distance.y) < 0.02, "\(key)")
    }
  }

  @Test("the fast arithmetic is there where the processor has bfloat16, and the full one always")
  func availablePrecision() {
    #expect(NetworkPrecision.full.isAvailable(onProcessorWith: []))
    #expect(!NetworkPrecision.fast.isAvailable(onProcessorWith: ["avx2", "avx512f"]))
    #expect(NetworkPrecision.fast.isAvailable(onProcessorWith: ["avx2", "avx512_bf16"]))
  }

  @Test("the extractor goes into a chain over a sequence")
  func chain() async throws {
    let frames = try await Clip("treadtv_starfish.mp4").stampedFrames(5)
    let stream = AnyTemporalSequence<Frame>(
      AsyncStream { continuation in
        frames.forEach { continuation.yield($0) }
        continuation.finish()
      }, count: frames.count)
    let chain = HumanBodyPoseExtractor()
      .appending(SlidingWindowTransformer<[Pose]>(stride: 1, length: 3))
    var windows = 0
    for try await window in try await chain(stream) {
      #expect(window.feature.allSatisfy { $0.map(\.personID) == [1] })
      windows += 1
    }
    #expect(windows == 3)
  }

  @Test("a task that is cancelled throws")
  func cancellation() async throws {
    let extractor = HumanBodyPoseExtractor()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await extractor.applied(to: Frame(width: 8, height: 8))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
