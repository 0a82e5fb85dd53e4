import KinemaNetwork
import KinemaTestSupport
import Testing

/// A network takes over the layers of another one that was trained before.
@Suite("Adopted layers")
struct AdoptionTests {
  private static func trainer(
    _ architecture: TrainingArchitecture, classes: Int = 3, windowSize: Int = 20,
    joints: Int = 18, seed: UInt64 = 5
  ) throws -> NetworkTrainer {
    try NetworkTrainer(
      TrainableNetworkSpecification(
        architecture: architecture, windowSize: windowSize, pointCount: joints,
        classCount: classes, graph: PointGraph(TestGraph.large)),
      options: NetworkTrainingOptions(batchSize: 6, seed: seed))
  }

  /// A network that has learned for a while, so that its statistics are its own.
  private static func trained(_ architecture: TrainingArchitecture) throws -> NetworkTrainer {
    let trainer = try trainer(architecture)
    for step in 0..<4 {
      _ = try trainer.step(
        windows: windows(6, seed: UInt64(step)), labels: [0, 1, 2, 0, 1, 2], learningRate: 1e-3)
    }
    return trainer
  }

  private static func windows(_ count: Int, seed: UInt64) -> [Float] {
    var values = Values(seed: seed)
    return values.next(count * 20 * 54).map { $0 * 0.2 + 0.5 }
  }

  private static let compact = TrainingArchitecture.allCases.filter { $0 != .stgcn }

  @Test("a network with the same classes predicts what the other one does", arguments: compact)
  func same(_ architecture: TrainingArchitecture) throws {
    let other = try Self.trained(architecture)
    let trainer = try Self.trainer(architecture, seed: 77)
    let windows = Self.windows(4, seed: 9)
    let before = try trainer.probabilities(of: windows)
    try trainer.adopt(try other.graph(), classes: [0, 1, 2])
    let expected = try other.probabilities(of: windows)
    #expect(LayerRun.difference(before, expected) > 1e-3)
    #expect(LayerRun.difference(try trainer.probabilities(of: windows), expected) < 1e-5)
  }

  @Test("classes keep their odds in another order, and beside a new one", arguments: compact)
  func classes(_ architecture: TrainingArchitecture) throws {
    let other = try Self.trained(architecture)
    let trainer = try Self.trainer(architecture, classes: 4, seed: 77)
    try trainer.adopt(try other.graph(), classes: [2, nil, 0, 1])
    let windows = Self.windows(1, seed: 9)
    let expected = try other.probabilities(of: windows)
    let found = try trainer.probabilities(of: windows)
    #expect(abs(found[0] / found[2] - expected[2] / expected[0]) < 1e-3 * expected[2] / expected[0])
    #expect(abs(found[3] / found[2] - expected[1] / expected[0]) < 1e-3 * expected[1] / expected[0])
    #expect(found.allSatisfy { $0 > 0 } && abs(found.reduce(0, +) - 1) < 1e-5)
  }

  @Test("an adopted network learns on from where it is", arguments: compact)
  func learning(_ architecture: TrainingArchitecture) throws {
    let trainer = try Self.trainer(architecture, seed: 77)
    try trainer.adopt(try Self.trained(architecture).graph(), classes: [0, 1, 2])
    let (windows, labels) = (Self.windows(6, seed: 2), [0, 1, 2, 0, 1, 2])
    let first = try trainer.step(windows: windows, labels: labels, learningRate: 1e-3).loss
    var last = first
    for _ in 0..<30 {
      last = try trainer.step(windows: windows, labels: labels, learningRate: 1e-3).loss
    }
    #expect(last < first)
  }

  @Test("layers of another network are refused, and nothing is changed", arguments: compact)
  func refusals(_ architecture: TrainingArchitecture) throws {
    let trainer = try Self.trainer(architecture)
    let state = trainer.state()
    let graph = try Self.trained(architecture).graph()
    let others = try Self.compact.filter { $0 != architecture }.map { try Self.trainer($0).graph() }
    let hand = try Self.trainer(architecture, joints: 21).graph()
    for other in others + [hand, try Self.trainer(.stgcn).graph()] {
      #expect(throws: NetworkError.self) { try trainer.adopt(other, classes: [0, 1, 2]) }
    }
    for classes in [[0, 1], [0, 1, 2, 3], [0, 1, 3]] as [[Int?]] {
      #expect(throws: NetworkError.self) { try trainer.adopt(graph, classes: classes) }
    }
    #expect(trainer.state() == state)
  }

  @Test("the graph network takes over nothing")
  func spatial() throws {
    let trainer = try Self.trainer(.stgcn)
    let graph = try Self.trainer(.tcn).graph()
    #expect(throws: NetworkError.self) { try trainer.adopt(graph, classes: [0, 1, 2]) }
  }
}
