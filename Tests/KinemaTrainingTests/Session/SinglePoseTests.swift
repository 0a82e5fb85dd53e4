import Foundation
import KinemaAction
import KinemaPose
import KinemaSynth
import KinemaTestSupport
import KinemaTraining
import Testing

@Suite("Training on single poses")
struct SinglePoseTests {
  /// A hand whose fingers are stretched or bent, of any size anywhere in the picture.
  private static func hand(isOpen: Bool, using generator: inout SeededGenerator) -> Pose {
    let size = generator.uniform(0.05...0.3)
    let place = SIMD2(generator.uniform(0.3...0.7), generator.uniform(0.2...0.6))
    var pose = Pose(from: [:], confidence: 0.9)
    for (index, key) in JointKey.hand.enumerated() {
      let (finger, joint) = ((index + 3) / 4 - 1, (index + 3) % 4)
      let length = isOpen ? 1 + Float(joint) * 0.25 : 1 - Float(joint) * 0.2
      let noise = SIMD2(generator.uniform(-0.03...0.03), generator.uniform(-0.03...0.03))
      let local = index == 0 ? .zero : SIMD2(Float(finger - 2) * 0.2, length)
      pose.keypoints[key] = JointPoint(
        key, position: place + (local + noise) * size, confidence: 0.9)
    }
    return pose
  }

  private static func examples(_ count: Int, seed: UInt64) -> [ActionExample] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { index in
      let isOpen = index.isMultiple(of: 2)
      let frame = PoseSequence.Frame(time: 0, poses: [hand(isOpen: isOpen, using: &generator)])
      return ActionExample(
        label: isOpen ? "open" : "fist", file: "\(index).jpg", videoID: "\(seed)-\(index)",
        timeRange: 0..<1, poses: PoseSequence(frames: [frame], joints: JointKey.hand))
    }
  }

  @Test("a classifier of one frame reads the shape of a hand, wherever and however large it is")
  func shape() async throws {
    var parameters = ActionClassifierParameters.singlePoses
    parameters.validation = nil
    parameters.maximumIterations = 40
    let session = try ActionClassifierTrainingSession(
      training: Self.examples(60, seed: 1), parameters: parameters)
    #expect(session.trainingWindowCount == 60)
    let model = try #require(try await session.run())
    let classifier = try model.classifier()
    #expect(classifier.windowSize == 1 && classifier.joints == JointKey.hand)
    let evaluation = try ActionClassifierEvaluation(
      classifier: classifier, examples: Self.examples(40, seed: 2))
    #expect(evaluation.videos.accuracy >= 0.95)
  }

  @Test("a network that reads motion alone is refused for one frame")
  func motion() {
    var parameters = ActionClassifierParameters.singlePoses
    parameters.algorithm = .tcn
    let error = expectError(TrainingError.self) { try parameters.check() }
    #expect(error?.message.contains("has no motion") == true)
  }

  @Test("an example without a hand is none to learn from")
  func withoutHand() throws {
    var examples = Self.examples(20, seed: 3)
    examples[4].poses.frames[0].poses = []
    var parameters = ActionClassifierParameters.singlePoses
    parameters.validation = nil
    let session = try ActionClassifierTrainingSession(training: examples, parameters: parameters)
    #expect(session.trainingWindowCount == 19)
  }
}
