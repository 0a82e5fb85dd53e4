import KinemaDepth
package import KinemaNetwork
import KinemaPose
import KinemaRandom

/// The lifter's network: each moment becomes a token, blocks mix the tokens and change each, and what they have
/// become is read together.
///
/// Blocks as in *MLP-Mixer: An all-MLP Architecture for Vision* (Tolstikhin and others, NeurIPS 2021), with
/// rectified units and without normalisation; then residual layers as in *A simple yet effective baseline for
/// 3d human pose estimation* (Martinez and others, ICCV 2017).
package struct LifterLayout: Sendable {
  /// How large the network is.
  package struct Size: Sendable {
    /// The numbers of a token.
    var width: Int
    var blockCount: Int
    /// The units between two mixings of the tokens.
    var mixingWidth: Int
    /// The numbers that all tokens become.
    var headWidth: Int
    var headCount: Int

    package init(
      width: Int, blockCount: Int, mixingWidth: Int, headWidth: Int, headCount: Int
    ) {
      (self.width, self.blockCount, self.mixingWidth) = (width, blockCount, mixingWidth)
      (self.headWidth, self.headCount) = (headWidth, headCount)
    }
  }

  /// A matrix product with its biases: y = W·x + b, W of [outputs, inputs].
  struct Product: Sendable {
    let inputs, outputs: Int
    let weights, biases: Int
  }

  /// Two products with rectified units between them, added to what they read.
  typealias Residual = (Product, Product)

  let size: Size
  /// From the joints of a moment and where the body is to a token.
  let embed: Product
  /// What is added to the tokens, `[tokens, width]`.
  let places: Int
  /// `mix` works on the tokens of each number, `change` on the numbers of each token.
  let blocks: [(mix: Residual, change: Residual)]
  let gather: Product
  let head: [Residual]
  let last: Product

  static let tokenCount = LiftWindow.offsets.count
  /// The numbers of a moment, and those beside all moments.
  static let momentSize = 3 * BodyJoint.count
  static let sharedSize = LiftWindow.inputCount - tokenCount * momentSize

  static let inputName = "joints"

  /// Adds the tensors to `parameters`.
  ///
  /// Weights begin as those of *Delving Deep into Rectifiers* (He and others, 2015), a block's second ones
  /// smaller, so that depth does not enlarge their sum.
  package init(_ size: Size, in parameters: TrainingParameters, seed: UInt64) {
    self.size = size
    var generator = SeededGenerator(seed: seed)
    func product(_ name: String, _ inputs: Int, _ outputs: Int, factor: Float) -> Product {
      let deviation = factor * (2 / Float(inputs)).squareRoot()
      let values = (0..<(inputs * outputs)).map { _ in deviation * generator.normal() }
      let weights = parameters.add("\(name).weights", values, decays: true, isChunked: true)
      let biases = parameters.add(
        "\(name).biases", [Float](repeating: 0, count: outputs), isChunked: true)
      return Product(inputs: inputs, outputs: outputs, weights: weights, biases: biases)
    }
    func residual(_ name: String, _ width: Int, _ middle: Int) -> Residual {
      (
        product("\(name).widen", width, middle, factor: 1),
        product("\(name).add", middle, width, factor: 0.3)
      )
    }
    let (width, tokens) = (size.width, Self.tokenCount)
    embed = product("embed", Self.momentSize + Self.sharedSize, width, factor: 0.7)
    let values = (0..<(tokens * width)).map { _ in 0.1 * generator.normal() }
    places = parameters.add("places", values, decays: true, isChunked: true)
    blocks = (0..<size.blockCount).map { block in
      (
        residual("block\(block).mix", tokens, size.mixingWidth),
        residual("block\(block).change", width, 2 * width)
      )
    }
    gather = product("gather", tokens * width, size.headWidth, factor: 1)
    head = (0..<size.headCount).map { residual("head\($0)", size.headWidth, size.headWidth) }
    last = product("last", size.headWidth, LiftOutput.count, factor: 0.1)
    parameters.seal()
  }
}
