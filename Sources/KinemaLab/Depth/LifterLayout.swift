import KinemaDepth
import KinemaNetwork
import KinemaRandom

/// The lifter's network: a layer that widens, and blocks of two layers that add to what they read.
///
/// As in *A simple yet effective baseline for 3d human pose estimation* (Martinez and others, ICCV 2017),
/// without normalisation.
struct LifterLayout: Sendable {
  /// A matrix product with its biases: y = W·x + b, W of [outputs, inputs].
  struct Product: Sendable {
    let inputs, outputs: Int
    let weights, biases: Int
  }

  let width: Int
  let first: Product
  let blocks: [(Product, Product)]
  let last: Product

  static let inputName = "joints"

  /// Adds the tensors to `parameters`.
  ///
  /// Weights begin as those of *Delving Deep into Rectifiers* (He and others, 2015), a block's second ones
  /// smaller, so that depth does not enlarge their sum.
  init(width: Int, blockCount: Int, in parameters: TrainingParameters, seed: UInt64) {
    self.width = width
    var generator = SeededGenerator(seed: seed)
    func product(_ name: String, _ inputs: Int, _ outputs: Int, factor: Float) -> Product {
      let deviation = factor * (2 / Float(inputs)).squareRoot()
      let values = (0..<(inputs * outputs)).map { _ in deviation * generator.normal() }
      let weights = parameters.add("\(name).weights", values, decays: true, isChunked: true)
      let biases = parameters.add(
        "\(name).biases", [Float](repeating: 0, count: outputs), isChunked: true)
      return Product(inputs: inputs, outputs: outputs, weights: weights, biases: biases)
    }
    first = product("first", LiftWindow.inputCount, width, factor: 1)
    blocks = (0..<blockCount).map { block in
      (
        product("block\(block).widen", width, width, factor: 1),
        product("block\(block).add", width, width, factor: 0.3)
      )
    }
    last = product("last", width, LiftOutput.count, factor: 0.1)
    parameters.seal()
  }

  /// The network as layers of the Core ML specification.
  func graph(_ values: [Float]) throws -> Graph {
    var writer = GraphWriter(input: Self.inputName)
    func layer(_ product: Product) throws -> InnerProduct {
      try InnerProduct(
        inputChannels: product.inputs, outputChannels: product.outputs,
        weights: Array(
          values[product.weights..<(product.weights + product.inputs * product.outputs)]),
        bias: Array(values[product.biases..<(product.biases + product.outputs)]))
    }
    writer.add("first", try layer(first))
    writer.add("firstRectified", Activation(.rectified))
    for (number, block) in blocks.enumerated() {
      let source = writer.current
      writer.add("widen\(number)", try layer(block.0))
      writer.add("widen\(number)Rectified", Activation(.rectified))
      writer.add("add\(number)", try layer(block.1))
      writer.add("sum\(number)", Addition(), from: [source, "add\(number)"])
    }
    writer.add("body", try layer(last))
    return Graph(
      inputName: Self.inputName, inputShape: [1, LiftWindow.inputCount], nodes: writer.nodes)
  }
}
