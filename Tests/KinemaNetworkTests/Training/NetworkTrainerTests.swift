import KinemaNetwork
import KinemaTestSupport
import Testing

@Suite("Training")
struct NetworkTrainerTests {
  private static func trainer(
    _ architecture: TrainingArchitecture, windowSize: Int = 20, batchSize: Int = 12,
    threads: Int = 1, precision: NetworkTrainingOptions.Precision = .float32
  ) throws -> NetworkTrainer {
    try NetworkTrainer(
      TrainableNetworkSpecification(
        architecture, windowSize: windowSize, classCount: 3),
      options: NetworkTrainingOptions(
        batchSize: batchSize, seed: 5, precision: precision, threadCount: threads))
  }

  /// Windows whose class is the joint that moves most, and their classes.
  private static func batch(
    _ count: Int, windowSize: Int, seed: UInt64
  ) -> (windows: [Float], labels: [Int]) {
    var values = Values(seed: seed)
    var windows = values.next(count * windowSize * 54).map { $0 * 0.1 + 0.5 }
    let labels = (0..<count).map { $0 % 3 }
    for sample in 0..<count {
      for frame in 0..<windowSize {
        let place = (sample * windowSize + frame) * 54 + labels[sample] * 4
        windows[place] += frame / 3 % 2 == 0 ? 0.3 : -0.3
      }
    }
    return (windows, labels)
  }

  @Test(
    "the exported graph predicts what the trainer predicts",
    arguments: TrainingArchitecture.allCases, [15, 30, 61, 128])
  func export(_ architecture: TrainingArchitecture, _ windowSize: Int) throws {
    let trainer = try Self.trainer(architecture, windowSize: windowSize, batchSize: 4)
    for step in 0..<3 {
      let batch = Self.batch(4, windowSize: windowSize, seed: UInt64(step))
      _ = try trainer.step(windows: batch.windows, labels: batch.labels, learningRate: 1e-3)
    }
    var windows = Self.batch(5, windowSize: windowSize, seed: 9).windows
    let size = windowSize * 54
    for index in (2 * size)..<(3 * size) { windows[index] = 0 }
    let expected = try trainer.probabilities(of: windows)
    #expect(expected.count == 15)
    #expect(expected.allSatisfy { $0.isFinite })
    let network = try Network(try trainer.graph(), outputs: [NetworkTrainer.outputName])
    let workspace = Workspace(network)
    for sample in 0..<5 {
      workspace.run(Array(windows[(sample * size)..<((sample + 1) * size)]))
      let difference = LayerRun.difference(
        workspace.output(0), Array(expected[(sample * 3)..<((sample + 1) * 3)]))
      #expect(difference < 1e-5)
    }
  }

  @Test("what is added to a class's score multiplies its odds, in the trainer and in the graph")
  func scores() throws {
    let trainer = try Self.trainer(.tcn)
    let windows = Self.batch(1, windowSize: 20, seed: 3).windows
    let before = try trainer.probabilities(of: windows)
    trainer.addToScores([0.6931472, 0, 0])
    let after = try trainer.probabilities(of: windows)
    #expect(abs(after[0] / after[1] - 2 * before[0] / before[1]) < 1e-4)
    #expect(abs(after[2] / after[1] - before[2] / before[1]) < 1e-4)
    let workspace = Workspace(
      try Network(try trainer.graph(), outputs: [NetworkTrainer.outputName]))
    workspace.run(windows)
    #expect(LayerRun.difference(workspace.output(0), after) < 1e-5)
  }

  @Test("a hand's joints fit the compact network")
  func hand() throws {
    let trainer = try NetworkTrainer(
      TrainableNetworkSpecification(
        architecture: .tcn, windowSize: 20, pointCount: 21, classCount: 2),
      options: NetworkTrainingOptions(batchSize: 2))
    var values = Values(seed: 1)
    let windows = values.next(2 * 20 * 63)
    _ = try trainer.step(windows: windows, labels: [0, 1], learningRate: 1e-3)
    let workspace = Workspace(
      try Network(try trainer.graph(), outputs: [NetworkTrainer.outputName]))
    workspace.run(Array(windows.prefix(20 * 63)))
    let expected = try trainer.probabilities(of: Array(windows.prefix(20 * 63)))
    #expect(LayerRun.difference(workspace.output(0), expected) < 1e-5)
  }

  @Test("a graph of any points and parts is trained on, and exported as it is")
  func graph() throws {
    let trainer = try NetworkTrainer(
      TrainableNetworkSpecification(.stgcn, windowSize: 12, classCount: 2, graph: TestGraph.ring),
      options: NetworkTrainingOptions(batchSize: 3))
    var values = Values(seed: 1)
    let windows = values.next(3 * 12 * 15)
    for _ in 0..<3 {
      _ = try trainer.step(windows: windows, labels: [0, 1, 1], learningRate: 1e-2)
    }
    let workspace = Workspace(
      try Network(try trainer.graph(), outputs: [NetworkTrainer.outputName]))
    workspace.run(Array(windows.prefix(12 * 15)))
    let expected = try trainer.probabilities(of: Array(windows.prefix(12 * 15)))
    #expect(LayerRun.difference(workspace.output(0), expected) < 1e-5)
  }

  @Test("graphs of which no network can be made are refused")
  func badGraphs() {
    let far = PointGraph.Part([2], factor: 1)
    let own = PointGraph.Part([0], factor: 1)
    let none = PointGraph.Part([], factor: 1)
    for parts in [[], [[own]], [[own, own], [own]], [[own, none]], [[own, far]]] {
      #expect(throws: NetworkError.self, "\(parts)") {
        try NetworkTrainer(
          TrainableNetworkSpecification(.stgcn, windowSize: 9, classCount: 2, graph: parts),
          options: NetworkTrainingOptions(batchSize: 2))
      }
    }
  }

  @Test("a temperature divides the scores", arguments: TrainingArchitecture.allCases)
  func temperature(_ architecture: TrainingArchitecture) throws {
    let trainer = try Self.trainer(architecture)
    let window = Self.batch(1, windowSize: 20, seed: 1).windows
    func run(_ temperature: Float) throws -> [Float] {
      let workspace = Workspace(
        try Network(
          try trainer.graph(temperature: temperature), outputs: [NetworkTrainer.outputName]))
      workspace.run(window)
      return workspace.output(0)
    }
    let plain = try run(1)
    let powers = plain.map { $0 * $0 }
    let total = powers.reduce(0, +)
    let sharper = try run(0.5)
    #expect(LayerRun.difference(sharper, powers.map { $0 / total }) < 1e-5)
    #expect(throws: NetworkError.self) { try trainer.graph(temperature: 0) }
  }

  @Test(
    "any number of threads gives the same bits", arguments: TrainingArchitecture.allCases,
    NetworkTrainingOptions.Precision.allCases)
  func threads(
    _ architecture: TrainingArchitecture, _ precision: NetworkTrainingOptions.Precision
  ) throws {
    guard precision == .float32 || NetworkTrainingOptions.isBFloat16Available else { return }
    let states = try [1, 2, 3].map { threads in
      let trainer = try Self.trainer(architecture, threads: threads, precision: precision)
      for step in 0..<4 {
        // The last batches are smaller.
        let batch = Self.batch(step < 2 ? 12 : 12 - step, windowSize: 20, seed: UInt64(step))
        _ = try trainer.step(windows: batch.windows, labels: batch.labels, learningRate: 1e-3)
      }
      return trainer.state()
    }
    // One condition: printing the differences of such arrays would take too long.
    #expect(Set(states).count == 1)
  }

  @Test("a restored state continues bit by bit", arguments: TrainingArchitecture.allCases)
  func restoring(_ architecture: TrainingArchitecture) throws {
    let first = try Self.trainer(architecture)
    let batch = Self.batch(12, windowSize: 20, seed: 3)
    for _ in 0..<2 {
      _ = try first.step(windows: batch.windows, labels: batch.labels, learningRate: 1e-3)
    }
    let second = try Self.trainer(architecture)
    try second.restore(first.state())
    for trainer in [first, second] {
      _ = try trainer.step(windows: batch.windows, labels: batch.labels, learningRate: 1e-3)
    }
    #expect(Set([first.state(), second.state()]).count == 1)
    #expect(second.stepCount == 3)
  }

  @Test("mean weights are the mean after the steps, with the statistics of the batches measured")
  func meanWeights() throws {
    let trainer = try Self.trainer(.posture)
    #expect(!trainer.takeMeanWeights())
    var batches: [(windows: [Float], labels: [Int])] = []
    var sums: [Double] = []
    for step in 0..<3 {
      batches.append(Self.batch(12, windowSize: 20, seed: UInt64(step)))
      _ = try trainer.step(
        windows: batches[step].windows, labels: batches[step].labels, learningRate: 1e-2)
      trainer.addWeightsToMean()
      let weights = trainer.weights.map(Double.init)
      sums = sums.isEmpty ? weights : zip(sums, weights).map { $0 + $1 }
    }
    // The sum is part of the state.
    let restored = try Self.trainer(.posture)
    try restored.restore(trainer.state())
    for trainer in [trainer, restored] {
      #expect(trainer.takeMeanWeights())
      for (index, batch) in batches.enumerated() {
        try trainer.measure(batch.windows, after: index)
      }
      #expect(Set([trainer.weights, sums.map { Float($0 / 3) }]).count == 1)
      #expect(!trainer.takeMeanWeights())
    }
    #expect(Set([trainer.state(), restored.state()]).count == 1)
    // Nothing of the statistics before is left.
    let probabilities = try trainer.probabilities(of: batches[0].windows)
    _ = try restored.step(
      windows: batches[0].windows, labels: batches[0].labels, learningRate: 1e-9)
    for (index, batch) in batches.enumerated() {
      try restored.measure(batch.windows, after: index)
    }
    let again = try restored.probabilities(of: batches[0].windows)
    #expect(LayerRun.difference(again, probabilities) < 1e-4)
    #expect(throws: NetworkError.self) { try trainer.measure([], after: 0) }
  }

  @Test("a damaged state is refused and changes nothing")
  func damagedState() throws {
    let trainer = try Self.trainer(.tcn)
    let state = trainer.state()
    let other = try Self.trainer(.stgcn).state()
    var renamed = state
    renamed[3] ^= 1
    for damaged in [[], Array(state.dropLast()), state + [0], other, renamed] {
      #expect(throws: NetworkError.self) { try trainer.restore(damaged) }
    }
    #expect(Set([trainer.state(), state]).count == 1)
  }

  @Test("separable classes are learned", arguments: TrainingArchitecture.allCases)
  func learning(_ architecture: TrainingArchitecture) throws {
    let trainer = try Self.trainer(architecture, threads: 2)
    var losses: [Float] = []
    for step in 0..<(architecture == .stgcn ? 60 : 150) {
      let batch = Self.batch(12, windowSize: 20, seed: UInt64(step))
      losses.append(
        try trainer.step(windows: batch.windows, labels: batch.labels, learningRate: 3e-3).loss)
    }
    let (first, last) = (losses.prefix(5).reduce(0, +), losses.suffix(5).reduce(0, +))
    #expect(last < 0.5 * first)
    let validation = Self.batch(30, windowSize: 20, seed: 999)
    let result = try trainer.loss(of: validation.windows, labels: validation.labels)
    #expect(result.correctCount >= 28)
    #expect(result.loss < 0.5)
  }

  @Test("the loss of an evaluation is the mean of −log p of the labels")
  func evaluation() throws {
    let trainer = try Self.trainer(.tcn, batchSize: 4)
    let batch = Self.batch(7, windowSize: 20, seed: 6)
    let probabilities = try trainer.probabilities(of: batch.windows)
    let result = try trainer.loss(of: batch.windows, labels: batch.labels)
    var right = 0
    for (sample, label) in batch.labels.enumerated() {
      let row = probabilities[(sample * 3)..<(sample * 3 + 3)]
      if row.max() == row[sample * 3 + label] { right += 1 }
    }
    #expect(result.correctCount == right)
    #expect(result.loss > 0)
    #expect(try trainer.probabilities(of: []).isEmpty)
  }

  @Test("what does not fit is refused")
  func refusals() throws {
    let trainer = try Self.trainer(.tcn, batchSize: 2)
    let window = [Float](repeating: 0, count: 20 * 54)
    let calls: [() throws -> Void] = [
      { _ = try trainer.step(windows: [], labels: [], learningRate: 1) },
      {
        _ = try trainer.step(windows: window + window + window, labels: [0, 0, 0], learningRate: 1)
      },
      { _ = try trainer.step(windows: window, labels: [3], learningRate: 1) },
      { _ = try trainer.step(windows: window, labels: [0, 1], learningRate: 1) },
      { _ = try trainer.step(windows: Array(window.dropLast()), labels: [0], learningRate: 1) },
      {
        _ = try trainer.step(
          windows: window.map { _ in .nan }, labels: [0], learningRate: 1)
      },
    ]
    let before = trainer.state()
    for call in calls { #expect(throws: NetworkError.self) { try call() } }
    #expect(Set([trainer.state(), before]).count == 1)
    let wrong = [
      TrainableNetworkSpecification(.stgcn, windowSize: 0, classCount: 2),
      TrainableNetworkSpecification(
        architecture: .stgcn, windowSize: 9, pointCount: 21, classCount: 2,
        graph: PointGraph(TestGraph.large)),
      TrainableNetworkSpecification(.tcn, windowSize: 9, classCount: 1),
      TrainableNetworkSpecification(
        architecture: .stgcn, windowSize: 9, pointCount: 18, classCount: 2),
      TrainableNetworkSpecification(.tcn, windowSize: 9, classCount: 2, graph: []),
    ]
    for specification in wrong {
      #expect(throws: NetworkError.self) {
        try NetworkTrainer(specification, options: NetworkTrainingOptions(batchSize: 2))
      }
    }
  }

  @Test(
    "a network that takes over the layers of another one's file gives the same probabilities",
    arguments: [TrainingArchitecture.tcn, .posture])
  func transfer(architecture: TrainingArchitecture) throws {
    let source = try Self.trainer(architecture)
    let (windows, labels) = Self.batch(12, windowSize: 20, seed: 3)
    for _ in 0..<5 { _ = try source.step(windows: windows, labels: labels, learningRate: 0.01) }
    let target = try NetworkTrainer(
      TrainableNetworkSpecification(architecture, windowSize: 20, classCount: 3),
      options: NetworkTrainingOptions(batchSize: 12, seed: 6))
    try target.adopt(source.graph(), classes: [0, 1, 2])
    for (one, other) in zip(
      try source.probabilities(of: windows), try target.probabilities(of: windows))
    {
      #expect(abs(one - other) < 1e-4)
    }
    let graph = try Self.trainer(.stgcn).graph()
    #expect(throws: NetworkError.self) { try target.adopt(graph, classes: [nil, nil, nil]) }
  }

  @Test("layers with a learning rate of 0 stay what they are; the last one learns")
  func frozenBody() throws {
    var options = NetworkTrainingOptions(batchSize: 12, seed: 6)
    options.bodyFactor = 0
    let trainer = try NetworkTrainer(
      TrainableNetworkSpecification(.tcn, windowSize: 20, classCount: 3),
      options: options)
    let before = trainer.weights
    let (windows, labels) = Self.batch(12, windowSize: 20, seed: 3)
    _ = try trainer.step(windows: windows, labels: labels, learningRate: 0.01)
    for tensor in trainer.tensors {
      let isSame = trainer.weights[tensor.range] == before[tensor.range]
      #expect(isSame == !tensor.name.hasPrefix("head."), "\(tensor.name)")
    }
  }
}
