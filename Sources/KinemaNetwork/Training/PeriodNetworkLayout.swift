/// Where each of the network's weights lies in one long row.
struct PeriodNetworkLayout: Sendable {
  let specification: PeriodNetworkSpecification
  /// The convolutions in order; the first is the one that is not residual.
  let convolutions: [LagConvolution]
  let convolutionWeights: [Range<Int>]
  let convolutionBiases: [Range<Int>]
  /// What is told of each lag at all times: the convolution whose mean over the times is taken, and
  /// that of the mean.
  let overview: [LagConvolution]
  let overviewWeights: [Range<Int>]
  let overviewBiases: [Range<Int>]
  /// [channels], and one bias.
  let scoreWeights: Range<Int>
  let scoreBias: Range<Int>
  /// [restUnits, 2 · channels]: means first, then maxima.
  let hiddenWeights: Range<Int>
  let hiddenBiases: Range<Int>
  /// [restUnits], and one bias.
  let restWeights: Range<Int>
  let restBias: Range<Int>
  let count: Int

  init(_ specification: PeriodNetworkSpecification) {
    self.specification = specification
    var end = 0
    func next(_ count: Int) -> Range<Int> {
      defer { end += count }
      return end..<(end + count)
    }
    let channels = specification.channels
    convolutions =
      [
        LagConvolution(
          inputs: specification.inputChannels, outputs: channels, lagCount: specification.lagCount,
          kernel: (5, 3), dilation: (1, 1))
      ]
      + specification.dilations.map {
        LagConvolution(
          inputs: channels, outputs: channels, lagCount: specification.lagCount, kernel: (5, 5),
          dilation: ($0.times, $0.lags))
      }
    convolutionWeights = convolutions.map { next($0.weightCount) }
    convolutionBiases = convolutions.map { _ in next(channels) }
    overview = [1, 3].map {
      LagConvolution(
        inputs: channels, outputs: channels, lagCount: specification.lagCount, kernel: (1, $0),
        dilation: (1, 1))
    }
    overviewWeights = overview.map { next($0.weightCount) }
    overviewBiases = overview.map { _ in next(channels) }
    scoreWeights = next(channels)
    scoreBias = next(1)
    hiddenWeights = next(specification.restUnits * 2 * channels)
    hiddenBiases = next(specification.restUnits)
    restWeights = next(specification.restUnits)
    restBias = next(1)
    count = end
  }

  /// Weights to begin with: normal with variance 2/n for n inputs (He et al., *Delving Deep into
  /// Rectifiers*, 2015), those of residual convolutions a half of that so that depth does not blow
  /// up the sums; biases of nought.
  func initialWeights(seed: UInt64) -> [Float] {
    var generator = SplitMix(seed: seed)
    var weights = [Float](repeating: 0, count: count)
    func fill(_ range: Range<Int>, inputs: Int, factor: Float = 1) {
      let deviation = factor * (2 / Float(inputs)).squareRoot()
      for index in range { weights[index] = deviation * generator.normal() }
    }
    for (index, convolution) in convolutions.enumerated() {
      fill(
        convolutionWeights[index], inputs: convolution.depth * convolution.kernel.rows,
        factor: index == 0 ? 1 : 0.5)
    }
    for (range, convolution) in zip(overviewWeights, overview) {
      fill(range, inputs: convolution.depth, factor: 0.5)
    }
    fill(scoreWeights, inputs: specification.channels, factor: 0.5)
    fill(hiddenWeights, inputs: 2 * specification.channels)
    fill(restWeights, inputs: specification.restUnits, factor: 0.5)
    return weights
  }

  /// All of them, in order but for the biases, which come behind the weights.
  var tensors: [Range<Int>] {
    convolutionWeights + convolutionBiases + overviewWeights + overviewBiases + [
      scoreWeights, scoreBias, hiddenWeights, hiddenBiases, restWeights, restBias,
    ]
  }

  /// The weights that decay pulls on: all but the biases.
  var decays: [Bool] {
    var result = [Bool](repeating: true, count: count)
    for range in convolutionBiases + overviewBiases + [scoreBias, hiddenBiases, restBias] {
      for index in range { result[index] = false }
    }
    return result
  }
}

/// Random numbers for initial weights (SplitMix64: Steele, Lea and Flood, *Fast Splittable
/// Pseudorandom Number Generators*, OOPSLA 2014).
struct SplitMix {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Nearly normal, with mean 0 and standard deviation 1: twelve uniform numbers added up.
  mutating func normal() -> Float {
    (0..<12).reduce(-6) { sum, _ in sum + Float(next() >> 40) * 0x1p-24 }
  }
}
