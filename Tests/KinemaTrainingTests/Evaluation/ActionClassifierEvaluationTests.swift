import Foundation
import KinemaAction
import KinemaPose
import KinemaTestSupport
import KinemaTraining
import Testing

@Suite("Evaluation")
struct ActionClassifierEvaluationTests {
  /// Six frames up, of which the first window is right and the rest, with two empty frames, sums to
  /// 1 and is classified as down; four frames down; two without a pose.
  private let examples = [
    WristModel.example("up", [1, 1, 1, 1, 0.5, 0.5], file: "videos/up/a.mp4", start: 10),
    WristModel.example("down", [0.1, 0.2, 0, 0.1], file: "videos/down/b.mp4"),
    WristModel.example(
      "down", [0.9, 0.9, 0.9, 0.9, nil, nil, nil, nil], file: "videos/down/c.mp4"),
  ]

  @Test("frames count with their window's label, windows and videos once")
  func counting() throws {
    let evaluation = try ActionClassifierEvaluation(
      classifier: WristModel.classifier(), examples: examples)
    #expect(evaluation.examples.map { $0.windows.map(\.frameCount) } == [[4, 2], [4], [4, 4]])
    #expect(evaluation.frames.counts == [[4, 2, 0], [4, 8, 0], [0, 0, 0]])
    #expect(evaluation.frames.accuracy == 12.0 / 18)
    #expect(evaluation.windows.counts == [[1, 1, 0], [1, 2, 0], [0, 0, 0]])
    #expect(evaluation.windows.accuracy == 3.0 / 5)
    #expect(evaluation.frames.majorityBaseline?.label == "down")
    #expect(evaluation.emptyFiles.isEmpty)
  }

  @Test("an example is classified by the mean of its windows, weighted by frames")
  func means() throws {
    let evaluation = try ActionClassifierEvaluation(
      classifier: WristModel.classifier(), examples: [examples[0]])
    let example = evaluation.examples[0]
    func up(_ sum: Double) -> Double { 1 / (1 + exp(-4 * (sum - 2))) }
    let expected = (up(4) * 4 + up(1) * 2) / 6
    #expect(abs(Double(example.probabilities[0]) - expected) < 1e-5)
    #expect(example.predicted == 0)
    #expect(evaluation.videos.accuracy == 1)
    let loss = -(log(up(4)) + log(up(1))) / 2
    #expect(abs(evaluation.logLoss - loss) < 1e-4)
  }

  @Test("windows have the times of the video and the share of frames with a person")
  func times() throws {
    let evaluation = try ActionClassifierEvaluation(
      classifier: WristModel.classifier(), examples: examples)
    let ranges = evaluation.examples[0].windows.map(\.timeRange)
    #expect(abs(ranges[0].lowerBound - 10) < 1e-9)
    #expect(abs(ranges[0].upperBound - 10.4) < 1e-9)
    #expect(abs(ranges[1].upperBound - 10.6) < 1e-9)
    #expect(evaluation.examples[2].windows.map(\.poseShare) == [1, 0])
  }

  @Test("the worst mistake has the highest confidence")
  func mistakes() throws {
    let evaluation = try ActionClassifierEvaluation(
      classifier: WristModel.classifier(), examples: examples)
    let mistakes = evaluation.mistakes()
    #expect(mistakes.map(\.file) == ["videos/down/c.mp4", "videos/up/a.mp4"])
    #expect(mistakes[0].label == "down")
    #expect(mistakes[0].predicted == "up")
    #expect(mistakes[0].confidence > mistakes[1].confidence)
    #expect(abs(mistakes[1].confidence + mistakes[1].truthProbability - 1) < 1e-5)
    #expect(evaluation.mistakes(limit: 1).count == 1)
  }

  @Test("a wrong window that is mostly padding follows the full ones, however confident it is")
  func paddedMistakes() throws {
    let evaluation = try ActionClassifierEvaluation(
      classifier: WristModel.classifier(),
      examples: [WristModel.example("up", [0.3, 0.3, 0.3, 0.3, 0])])
    let mistakes = evaluation.mistakes()
    #expect(mistakes.map(\.timeRange.lowerBound) == [0, 0.4])
    #expect(mistakes[0].confidence < mistakes[1].confidence)
  }

  @Test("with a shorter stride each frame still counts once")
  func stride() throws {
    let evaluation = try ActionClassifierEvaluation(
      classifier: WristModel.classifier(), examples: [examples[0]], options: .init(stride: 1))
    #expect(evaluation.examples[0].windows.map(\.frameCount) == [1, 1, 4])
    #expect(evaluation.frames.total == 6)
  }

  @Test("labels that the model lacks are refused by name, or mapped to a given one")
  func unknownLabels() throws {
    let model = try WristModel.classifier()
    let strangers = examples + [WristModel.example("waving", [0.5, 0.4, 0.4, 0.4])]
    let refusal = expectError(TrainingError.self) {
      try ActionClassifierEvaluation(classifier: model, examples: strangers)
    }
    #expect(refusal?.code == .badData)
    #expect(refusal?.message.contains("“waving”") == true)
    let evaluation = try ActionClassifierEvaluation(
      classifier: model, examples: strangers, options: .init(otherLabel: "other"))
    #expect(evaluation.examples[3].label == "waving")
    #expect(evaluation.labels[evaluation.examples[3].truth] == "other")
    #expect(throws: TrainingError.self) {
      try ActionClassifierEvaluation(
        classifier: model, examples: strangers, options: .init(otherLabel: "else"))
    }
  }

  @Test("examples without frames, other joints and empty data are reported")
  func unusable() throws {
    let model = try WristModel.classifier()
    let empty = WristModel.example("up", [], file: "empty.mp4")
    let evaluation = try ActionClassifierEvaluation(
      classifier: model, examples: examples + [empty])
    #expect(evaluation.emptyFiles == ["empty.mp4"])
    #expect(evaluation.videos.total == 3)
    #expect(throws: TrainingError.self) {
      try ActionClassifierEvaluation(classifier: model, examples: [empty])
    }
    var hand = examples[0]
    hand.poses.joints = JointKey.hand
    #expect(throws: TrainingError.self) {
      try ActionClassifierEvaluation(classifier: model, examples: [hand])
    }
  }
}
