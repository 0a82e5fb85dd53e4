import KinemaNetwork
import Testing

@Suite("AdamW")
struct AdamWTests {
  private let workers = Workers(count: 1)

  /// A weight that decays and a bias that does not, with their places.
  private static func parameters() -> (all: TrainingParameters, weight: Int, bias: Int) {
    let parameters = TrainingParameters()
    let weight = parameters.add("weight", [1], decays: true)
    let bias = parameters.add("bias", [0.5])
    parameters.seal()
    return (parameters, weight, bias)
  }

  @Test("two steps give the numbers computed by hand")
  func steps() {
    let (parameters, weight, bias) = Self.parameters()
    var slopes = parameters.slopes
    (slopes[weight], slopes[bias]) = (0.5, 0.5)
    parameters.slopes = slopes
    parameters.update(AdamW(weightDecay: 0.01), step: 1, learningRate: 0.1, workers)
    // m̂ / √v̂ = 0.5 / 0.5: 1 − 0.1·(0.01 + 1), and 0.5 − 0.1 without decay.
    #expect(abs(parameters.values[weight] - 0.899) < 1e-6)
    #expect(abs(parameters.values[bias] - 0.4) < 1e-6)
    slopes[weight] = -0.5
    parameters.slopes = slopes
    parameters.update(AdamW(weightDecay: 0.01), step: 2, learningRate: 0.1, workers)
    // m̂ = (0.9·0.05 − 0.1·0.5) / 0.19, v̂ = 0.25: 0.899·0.999 + 0.1·0.005 / 0.19 / 0.5.
    #expect(abs(parameters.values[weight] - 0.903_364_2) < 1e-6)
  }

  @Test("only gradients longer than the limit are shortened")
  func clipping() {
    let (parameters, weight, bias) = Self.parameters()
    for (factor, expected) in [(Float(0.1), (Float(0.3), Float(0.4))), (0.5, (0.6, 0.8))] {
      var slopes = parameters.slopes
      (slopes[weight], slopes[bias]) = (3, 4)
      parameters.slopes = slopes
      parameters.scaleGradients(by: factor, limit: 1)
      #expect(abs(parameters.slopes[weight] - expected.0) < 1e-6)
      #expect(abs(parameters.slopes[bias] - expected.1) < 1e-6)
    }
  }

  @Test("numbers out of range are refused")
  func refusals() {
    var optimizer = AdamW()
    optimizer.beta2 = 1
    #expect(throws: NetworkError.self) {
      try NetworkTrainer(
        TrainableNetworkSpecification(.tcn, windowSize: 9, classCount: 2),
        options: NetworkTrainingOptions(batchSize: 2, optimizer: optimizer))
    }
  }
}
