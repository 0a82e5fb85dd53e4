import KinemaNetwork
import KinemaTestSupport
import Testing

/// The mean of a training's weights, and the statistics that go with it.
@Suite("Mean weights")
struct MeanWeightsTests {
  private static let windowSize = 10

  private static func trainer(
    _ architecture: TrainingArchitecture = .tcn
  ) throws -> NetworkTrainer {
    try NetworkTrainer(
      TrainableNetworkSpecification(architecture, windowSize: windowSize, classCount: 3),
      options: NetworkTrainingOptions(batchSize: 6, seed: 5))
  }

  private static func windows(_ seed: UInt64, count: Int = 6) -> [Float] {
    var values = Values(seed: seed)
    return values.next(count * windowSize * 54).map { $0 * 0.2 + 0.5 }
  }

  private static func step(_ trainer: NetworkTrainer, _ seed: UInt64) throws {
    _ = try trainer.step(
      windows: windows(seed), labels: [0, 1, 2, 2, 1, 0], learningRate: 1e-2)
  }

  @Test("the mean is that of the weights that were added, which are then forgotten")
  func mean() throws {
    let trainer = try Self.trainer()
    #expect(!trainer.takeMeanWeights())
    var sums = [Double](repeating: 0, count: trainer.weights.count)
    for seed in 1...4 as ClosedRange<UInt64> {
      try Self.step(trainer, seed)
      trainer.addWeightsToMean()
      for (index, weight) in trainer.weights.enumerated() { sums[index] += Double(weight) }
    }
    let last = trainer.weights
    #expect(trainer.takeMeanWeights())
    // One condition each: printing the differences of such arrays would take too long.
    #expect(Set([trainer.weights, sums.map { Float($0 / 4) }]).count == 1)
    #expect(Set([trainer.weights, last]).count == 2)
    #expect(!trainer.takeMeanWeights())
  }

  @Test("a restored state goes on with the sum of weights bit by bit")
  func state() throws {
    let first = try Self.trainer()
    for seed in 1...3 as ClosedRange<UInt64> {
      try Self.step(first, seed)
      first.addWeightsToMean()
    }
    let second = try Self.trainer()
    try second.restore(first.state())
    for trainer in [first, second] {
      try Self.step(trainer, 4)
      trainer.addWeightsToMean()
      #expect(trainer.takeMeanWeights())
    }
    // One condition each: printing the differences of such arrays would take too long.
    #expect(Set([first.weights, second.weights]).count == 1)
    #expect(Set([first.state(), second.state()]).count == 1)
    // A state without a sum leaves none behind.
    second.addWeightsToMean()
    try second.restore(first.state())
    #expect(!second.takeMeanWeights())
  }

  @Test("a sum of weights that is cut off or counts none is refused, and changes nothing")
  func damagedState() throws {
    let trainer = try Self.trainer()
    let plain = trainer.state()
    trainer.addWeightsToMean()
    let state = trainer.state()
    #expect(state.count == plain.count + 8 + 8 * trainer.weights.count)
    var empty = state
    for index in plain.count..<(plain.count + 8) { empty[index] = 0 }
    for damaged in [Array(state.dropLast(8)), state + [0], empty, Array(state[...plain.count])] {
      #expect(throws: NetworkError.self) { try trainer.restore(damaged) }
    }
    #expect(Set([trainer.state(), state]).count == 1)
  }

  @Test("measured statistics are the mean of those of the batches")
  func statistics() throws {
    let trainer = try Self.trainer(.stgcn)
    let batches = [Self.windows(1), Self.windows(2), Self.windows(3, count: 4)]
    for (index, windows) in batches.enumerated() { try trainer.measure(windows, after: index) }
    let graph = try trainer.graph()
    let layer = graph.nodes.first { $0.name == "input.normalization" }?.layer
    let normalization = try #require(layer as? BatchNormalization)
    for feature in 0..<54 {
      var (mean, variance) = (0.0, 0.0)
      for windows in batches {
        let values = stride(from: feature, to: windows.count, by: 54).map { Double(windows[$0]) }
        let own = values.reduce(0, +) / Double(values.count)
        let squares = values.reduce(0) { $0 + ($1 - own) * ($1 - own) }
        mean += own / 3
        // As PyTorch, the running variance is that of a sample: by one less than the values.
        variance += squares / Double(values.count - 1) / 3
      }
      #expect(abs(Double(normalization.mean[feature]) - mean) < 1e-5)
      #expect(abs(Double(normalization.variance[feature]) - variance) < 1e-4 * variance)
    }
    #expect(throws: NetworkError.self) { try trainer.measure([1, 2], after: 0) }
  }

  @Test("measuring changes no weight, and no step is counted")
  func measuring() throws {
    let trainer = try Self.trainer()
    try Self.step(trainer, 1)
    let (weights, steps) = (trainer.weights, trainer.stepCount)
    let before = try trainer.probabilities(of: Self.windows(9))
    try trainer.measure(Self.windows(2), after: 0)
    #expect(Set([trainer.weights, weights]).count == 1)
    #expect(trainer.stepCount == steps)
    #expect(try trainer.probabilities(of: Self.windows(9)) != before)
  }

  @Test("a network with other names computes the same")
  func names() throws {
    let trainer = try Self.trainer(.stgcn)
    let graph = try trainer.graph()
    let renamed = graph.renamed { "own/\($0)" }
    #expect(renamed.inputName == "own/" + graph.inputName)
    #expect(renamed.nodes.map(\.name) == graph.nodes.map { "own/" + $0.name })
    let window = Self.windows(3, count: 1)
    func output(_ graph: Graph, _ name: String) throws -> [Float] {
      let workspace = Workspace(try Network(graph, outputs: [name]))
      workspace.run(window)
      return workspace.output(0)
    }
    #expect(
      try output(renamed, "own/" + NetworkTrainer.outputName)
        == output(graph, NetworkTrainer.outputName))
    #expect(throws: NetworkError.self) {
      try output(renamed, NetworkTrainer.outputName)
    }
  }
}
