import Foundation
import KinemaNetwork
import KinemaTestSupport
import Testing

@Suite("Gradients of training")
struct TrainingGradientTests {
  /// A small network that has every kind of part.
  struct Case: CustomTestStringConvertible, Sendable {
    let architecture: TrainingArchitecture
    let windowSize: Int
    let taps: Int
    let blocks: [TrainingPlan.Block]
    let shapes: [(channels: Int, stride: Int, hasResidual: Bool)]
    let graph: [[PointGraph.Part]]

    init(
      _ architecture: TrainingArchitecture, windowSize: Int, taps: Int,
      _ shapes: [(channels: Int, stride: Int, hasResidual: Bool)], transforms: [Bool],
      graph: [[PointGraph.Part]] = TestGraph.large
    ) {
      self.graph = graph
      self.architecture = architecture
      self.windowSize = windowSize
      self.taps = taps
      self.shapes = shapes
      blocks = zip(shapes, transforms).map { shape, transforms in
        .init(
          channels: shape.channels, stride: shape.stride, hasResidual: shape.hasResidual,
          transforms: transforms)
      }
    }

    var testDescription: String {
      "\(architecture) of \(windowSize) frames, \(blocks.map(\.description))"
    }
  }

  private static let shapes = [(8, 1, false), (8, 1, true), (16, 2, true), (20, 1, true)]

  static let cases = [
    Case(.stgcn, windowSize: 11, taps: 9, shapes, transforms: [false, false, false, false]),
    Case(.stgcn, windowSize: 11, taps: 9, shapes, transforms: [true, true, true, true]),
    Case(.stgcn, windowSize: 12, taps: 9, shapes, transforms: [false, true, true, false]),
    // Too long for one tile.
    Case(
      .stgcn, windowSize: 83, taps: 9, [(4, 1, false), (4, 2, true)], transforms: [true, true]),
    // Another graph: other points, parts and factors.
    Case(
      .stgcn, windowSize: 10, taps: 5, [(4, 1, false), (8, 2, true)], transforms: [true, false],
      graph: TestGraph.ring),
    Case(
      .tcn, windowSize: 19, taps: 5,
      [(16, 2, false), (16, 1, true), (24, 2, false), (24, 1, true)],
      transforms: [false, false, false, false]),
    Case(
      .tcn, windowSize: 16, taps: 5,
      [(64, 2, false), (64, 1, true), (64, 2, false), (64, 1, true)],
      transforms: [false, false, false, false]),
  ]

  @Test("every tensor's gradient is the slope of the loss", arguments: cases)
  func slopes(_ example: Case) throws {
    let specification = TrainableNetworkSpecification(
      example.architecture, windowSize: example.windowSize, classCount: 3, graph: example.graph)
    let options = NetworkTrainingOptions(batchSize: 3, seed: 7, dropout: 0)
    let trainer = try NetworkTrainer(
      specification, options: options,
      plan: TrainingPlan(taps: example.taps, blocks: example.blocks, leastChunk: 2))
    var values = Values(seed: 11)
    // Biases and normalisations away from where they begin.
    var weights = trainer.weights
    for tensor in trainer.tensors {
      for index in tensor.range { weights[index] += 0.3 * values.next(1)[0] }
    }
    trainer.weights = weights
    let windows = values.next(3 * example.windowSize * 3 * example.graph.count)
    let labels = [2, 0, 1]
    let gradients = try trainer.gradients(windows: windows, labels: labels)

    let twin = TrainingTwin(
      trainer, taps: example.taps, blocks: example.shapes, parts: example.graph)
    let exact = weights.map(Double.init)
    let middle = twin.loss(weights: exact, windows: windows, labels: labels)
    for tensor in trainer.tensors {
      let gradient = tensor.range.map { Double(gradients[$0]) }
      let length = sqrt(gradient.reduce(0) { $0 + $1 * $1 })
      #expect(length > 0, "\(tensor.name)")
      let random = values.next(gradient.count).map(Double.init)
      let size = sqrt(random.reduce(0) { $0 + $1 * $1 })
      // Its own direction, and a random one, as long as makes its slope about that of the first.
      let directions = [
        gradient.map { $0 / max(length, 1e-30) },
        random.map { $0 / size * sqrt(Double(gradient.count)) },
      ]
      for direction in directions {
        let reach = 1e-7
        func loss(_ sign: Double) -> Double {
          var moved = exact
          for (index, place) in tensor.range.enumerated() {
            moved[place] += sign * reach * direction[index]
          }
          return twin.loss(weights: moved, windows: windows, labels: labels)
        }
        // The slopes on both sides, which differ where a ReLU has its kink between.
        let slopes = [(loss(1) - middle) / reach, (middle - loss(-1)) / reach].sorted()
        let claimed = zip(gradient, direction).reduce(0) { $0 + $1.0 * $1.1 }
        let tolerance = 1e-3 * length
        #expect(
          claimed >= slopes[0] - tolerance && claimed <= slopes[1] + tolerance,
          "\(tensor.name): \(claimed) for \(slopes)")
      }
    }
  }

  @Test("the loss of a step is that of the twin")
  func losses() throws {
    let example = Self.cases[2]
    let specification = TrainableNetworkSpecification(
      .stgcn, windowSize: example.windowSize, classCount: 3)
    let trainer = try NetworkTrainer(
      specification, options: NetworkTrainingOptions(batchSize: 4, seed: 3, dropout: 0),
      plan: TrainingPlan(taps: example.taps, blocks: example.blocks, leastChunk: 2))
    let twin = TrainingTwin(trainer, taps: example.taps, blocks: example.shapes)
    let exact = trainer.weights.map(Double.init)
    var values = Values(seed: 4)
    let windows = values.next(4 * example.windowSize * 54)
    let loss = try trainer.step(windows: windows, labels: [0, 1, 2, 1], learningRate: 0).loss
    #expect(
      abs(Double(loss) - twin.loss(weights: exact, windows: windows, labels: [0, 1, 2, 1])) < 1e-5)
  }

  /// The greatest relative difference of two gradients, tensor by tensor.
  private func difference(_ first: NetworkTrainer, _ left: [Float], _ right: [Float]) -> Double {
    first.tensors.map { tensor in
      let pairs = tensor.range.map { (Double(left[$0]), Double(right[$0])) }
      let error = pairs.reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
      return sqrt(error / max(pairs.reduce(0) { $0 + $1.0 * $1.0 }, 1e-30))
    }.max() ?? .infinity
  }

  @Test("the transform's domain gives the gradients of the direct way at full size")
  func domains() throws {
    let specification = TrainableNetworkSpecification(
      .stgcn, windowSize: 60, classCount: 4)
    let options = NetworkTrainingOptions(batchSize: 5, seed: 2)
    var plan = TrainingPlan.standard(.stgcn)
    let fast = try NetworkTrainer(specification, options: options, plan: plan)
    for index in plan.blocks.indices { plan.blocks[index].transforms = false }
    let plain = try NetworkTrainer(specification, options: options, plan: plan)
    var values = Values(seed: 5)
    let windows = values.next(5 * 60 * 54)
    let labels = [0, 1, 2, 3, 0]
    let left = try plain.gradients(windows: windows, labels: labels)
    let right = try fast.gradients(windows: windows, labels: labels)
    // ReLUs of values next to zero fall on either side.
    #expect(difference(plain, left, right) < 1e-2)
  }

  @Test(
    "products of bfloat16 numbers give about the same gradients",
    .enabled(if: NetworkTrainingOptions.isBFloat16Available),
    arguments: TrainingArchitecture.allCases)
  func bfloat16(_ architecture: TrainingArchitecture) throws {
    let specification = TrainableNetworkSpecification(
      architecture, windowSize: 30, classCount: 4)
    var options = NetworkTrainingOptions(batchSize: 8, seed: 2, dropout: 0)
    let full = try NetworkTrainer(specification, options: options)
    options.precision = .bfloat16
    let half = try NetworkTrainer(specification, options: options)
    var values = Values(seed: 5)
    let windows = values.next(8 * 30 * 54)
    let labels = (0..<8).map { $0 % 4 }
    let left = try full.gradients(windows: windows, labels: labels)
    let right = try half.gradients(windows: windows, labels: labels)
    let difference = difference(full, left, right)
    #expect(difference < 0.3)
    #expect(difference > 0)
  }
}
