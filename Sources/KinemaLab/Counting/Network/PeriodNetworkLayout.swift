import KinemaNetwork
import KinemaRandom

/// A convolution over time and lag that keeps the plane's size, and where its weights lie.
struct PlaneConvolution: Sendable {
  let inputs: Int
  let outputs: Int
  let kernel: (rows: Int, columns: Int)
  let dilation: (rows: Int, columns: Int)
  /// The place of the weights, as a ``ConvolutionPlan`` takes them.
  var weights = 0
  var biases = 0

  var weightCount: Int { kernel.rows * kernel.columns * inputs * outputs }

  func window() throws -> Window {
    let (rows, columns) = (
      kernel.rows / 2 * dilation.rows, kernel.columns / 2 * dilation.columns
    )
    return try Window(
      kernel: kernel, dilation: dilation,
      edges: .explicit(top: rows, bottom: rows, left: columns, right: columns))
  }

  /// The convolution on planes of this size; its adjoint exchanges inputs and outputs.
  func plan(times: Int, lags: Int, isAdjoint: Bool = false) -> ConvolutionPlan {
    guard
      let plan = try? ConvolutionPlan(
        window: window(), channels: isAdjoint ? outputs : inputs,
        outputs: isAdjoint ? inputs : outputs, input: (times, lags))
    else { preconditionFailure("a convolution keeps the size of any plane") }
    return plan
  }

  /// The layer of the Core ML specification.
  func layer(_ values: [Float]) throws -> Convolution {
    var result: [Float] = []
    result.reserveCapacity(weightCount)
    for output in 0..<outputs {
      for input in 0..<inputs {
        for row in 0..<kernel.rows {
          for column in 0..<kernel.columns {
            let place = ((row * outputs + output) * kernel.columns + column) * inputs + input
            result.append(values[weights + place])
          }
        }
      }
    }
    return try Convolution(
      outputChannels: outputs, kernelChannels: inputs, window: window(), weights: result,
      bias: Array(values[biases..<(biases + outputs)]))
  }
}

/// The tensors of the period network and where they lie among its parameters.
struct PeriodNetworkLayout: Sendable {
  let specification: PeriodNetworkSpecification
  /// The convolutions in order; the first is not residual.
  let convolutions: [PlaneConvolution]
  /// The summary of each lag over all times: the convolution before the mean over time, and the one
  /// after.
  let overview: [PlaneConvolution]
  /// [channels], and one bias.
  let scoreWeights: Int
  let scoreBias: Int
  /// [restUnits, 2 · channels], means first, then maxima; and [restUnits].
  let hiddenWeights: Int
  let hiddenBiases: Int
  /// [restUnits], and one bias.
  let restWeights: Int
  let restBias: Int

  /// Adds the tensors to `parameters`.
  ///
  /// Initial weights are normal with variance 2/n for n inputs (He et al., *Delving Deep into
  /// Rectifiers*, 2015), with half that deviation where they add to a sum, so that depth does not
  /// enlarge it; biases are 0.
  init(_ specification: PeriodNetworkSpecification, in parameters: TrainingParameters, seed: UInt64)
  {
    self.specification = specification
    var generator = SeededGenerator(seed: seed)
    func addWeights(_ name: String, _ count: Int, inputs: Int, factor: Float = 0.5) -> Int {
      let deviation = factor * (2 / Float(inputs)).squareRoot()
      let values = (0..<count).map { _ in deviation * generator.normal() }
      return parameters.add(name, values, decays: true, isChunked: true)
    }
    func addBiases(_ name: String, _ count: Int) -> Int {
      parameters.add(name, [Float](repeating: 0, count: count), isChunked: true)
    }
    func added(_ name: String, _ list: [PlaneConvolution], first: Float) -> [PlaneConvolution] {
      var list = list
      for (index, convolution) in list.enumerated() {
        list[index].weights = addWeights(
          "\(name)\(index).weights", convolution.weightCount,
          inputs: convolution.weightCount / convolution.outputs, factor: index == 0 ? first : 0.5)
        list[index].biases = addBiases("\(name)\(index).biases", convolution.outputs)
      }
      return list
    }
    let channels = specification.channels
    let first = PlaneConvolution(
      inputs: specification.inputChannels, outputs: channels, kernel: (5, 3), dilation: (1, 1))
    let residual = specification.dilations.map {
      PlaneConvolution(
        inputs: channels, outputs: channels, kernel: (5, 5), dilation: ($0.times, $0.lags))
    }
    convolutions = added("convolution", [first] + residual, first: 1)
    let lines = [1, 3].map {
      PlaneConvolution(inputs: channels, outputs: channels, kernel: (1, $0), dilation: (1, 1))
    }
    overview = added("overview", lines, first: 0.5)
    scoreWeights = addWeights("score.weights", channels, inputs: channels)
    scoreBias = addBiases("score.bias", 1)
    let units = specification.restUnits
    hiddenWeights = addWeights(
      "hidden.weights", units * 2 * channels, inputs: 2 * channels, factor: 1)
    hiddenBiases = addBiases("hidden.biases", units)
    restWeights = addWeights("rest.weights", units, inputs: units)
    restBias = addBiases("rest.bias", 1)
    parameters.seal()
  }
}
