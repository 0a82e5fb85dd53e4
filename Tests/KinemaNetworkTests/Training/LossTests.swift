import Foundation
import KinemaNetwork
import KinemaTestSupport
import Testing

/// The loss of a training: label smoothing, dropout and the head.
@Suite("Losses of training")
struct LossTests {
  private static let windowSize = 12

  private static func trainer(
    smoothing: Float = 0, dropout: Float = 0, seed: UInt64 = 3, classes: Int = 3
  ) throws -> NetworkTrainer {
    try NetworkTrainer(
      TrainableNetworkSpecification(
        .tcn, windowSize: windowSize, classCount: classes),
      options: NetworkTrainingOptions(
        batchSize: 6, seed: seed, labelSmoothing: smoothing, dropout: dropout))
  }

  private static func windows(_ count: Int, seed: UInt64 = 7) -> [Float] {
    var values = Values(seed: seed)
    return values.next(count * windowSize * 54).map { $0 * 0.2 + 0.5 }
  }

  @Test(
    "at a smoothing of s a target is 1 − s and s is spread over all classes",
    arguments: [0, 0.1, 0.5])
  func smoothing(_ share: Double) throws {
    let (windows, labels) = (Self.windows(6), [0, 1, 2, 0, 1, 2])
    func loss(_ smoothing: Double, of labels: [Int]) throws -> Double {
      let trainer = try Self.trainer(smoothing: Float(smoothing))
      return Double(try trainer.step(windows: windows, labels: labels, learningRate: 0).loss)
    }
    // The loss is linear in the target: that of the label, and the mean over all labels.
    let plain = try loss(0, of: labels)
    let all = try (0..<3).map { shift in try loss(0, of: labels.map { ($0 + shift) % 3 }) }
    let expected = (1 - share) * plain + share * all.reduce(0, +) / 3
    #expect(abs(try loss(share, of: labels) - expected) < 1e-5)
  }

  @Test("a network whose classes are alike has the loss log n")
  func uniform() throws {
    for classes in [2, 5] {
      let trainer = try Self.trainer(classes: classes)
      var weights = trainer.weights
      for tensor in trainer.tensors where tensor.name.hasPrefix("head.") {
        for index in tensor.range { weights[index] = 0 }
      }
      trainer.weights = weights
      let result = try trainer.loss(of: Self.windows(4), labels: [0, 1, 0, 1])
      #expect(abs(Double(result.loss) - log(Double(classes))) < 1e-6)
      let probabilities = try trainer.probabilities(of: Self.windows(1))
      #expect(probabilities.allSatisfy { abs($0 - 1 / Float(classes)) < 1e-6 })
    }
  }

  @Test("dropout changes steps, each otherwise, and evaluations not at all")
  func dropout() throws {
    let (windows, labels) = (Self.windows(6), [0, 1, 2, 0, 1, 2])
    func losses(_ dropout: Float, seed: UInt64 = 3) throws -> [Float] {
      let trainer = try Self.trainer(dropout: dropout, seed: seed)
      return try (0..<4).map { _ in
        try trainer.step(windows: windows, labels: labels, learningRate: 0).loss
      }
    }
    #expect(Set(try losses(0)).count == 1)
    #expect(Set(try losses(0.5)).count == 4)
    #expect(try losses(0.5) == losses(0.5))
    let (with, without) = (try Self.trainer(dropout: 0.5), try Self.trainer())
    #expect(try with.probabilities(of: windows) == without.probabilities(of: windows))
  }

  @Test("without a learning rate nothing is learnt but the statistics")
  func noRate() throws {
    let trainer = try Self.trainer()
    let before = trainer.weights
    _ = try trainer.step(windows: Self.windows(6), labels: [0, 1, 2, 0, 1, 2], learningRate: 0)
    #expect(trainer.weights == before && trainer.stepCount == 1)
  }

  @Test("the seed decides the first weights")
  func seeds() throws {
    #expect(try Self.trainer(seed: 1).weights == Self.trainer(seed: 1).weights)
    #expect(try Self.trainer(seed: 1).weights != Self.trainer(seed: 2).weights)
  }

  @Test("a window counts the same in any place and any batch of an evaluation")
  func batches() throws {
    let trainer = try Self.trainer()
    let windows = Self.windows(13)
    let size = Self.windowSize * 54
    let all = try trainer.probabilities(of: windows)
    for sample in [0, 5, 12] {
      let own = try trainer.probabilities(
        of: Array(windows[(sample * size)..<((sample + 1) * size)]))
      #expect(LayerRun.difference(own, Array(all[(sample * 3)..<(sample * 3 + 3)])) < 1e-6)
    }
    for sample in 0..<13 {
      #expect(abs(all[(sample * 3)..<(sample * 3 + 3)].reduce(0, +) - 1) < 1e-5)
    }
  }

  @Test("options out of range are refused with what they are")
  func options() {
    let changes: [(inout NetworkTrainingOptions) -> Void] = [
      { $0.batchSize = 0 }, { $0.batchSize = 5000 }, { $0.threadCount = 0 }, { $0.dropout = 1 },
      { $0.labelSmoothing = -0.1 }, { $0.optimizer.beta1 = 1 }, { $0.optimizer.epsilon = 0 },
      { $0.optimizer.weightDecay = .infinity }, { $0.dropout = .nan },
    ]
    for change in changes {
      var options = NetworkTrainingOptions(batchSize: 4)
      change(&options)
      #expect(throws: NetworkError.self) {
        try NetworkTrainer(
          TrainableNetworkSpecification(.tcn, windowSize: 9, classCount: 2),
          options: options)
      }
    }
  }
}
