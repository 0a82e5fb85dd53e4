import KinemaLab
import KinemaNetwork
import KinemaRandom
import Testing

@Suite struct PeriodNetworkTests {
  /// A network small enough for finite differences, with each of the dilations of the real one.
  private static let specification = PeriodNetworkSpecification(
    inputChannels: 3, channels: 4, lagCount: 9, restUnits: 5,
    dilations: [.init(times: 1, lags: 1), .init(times: 2, lags: 2), .init(times: 8, lags: 2)])
  private static let loss = PeriodNetworkLoss(
    lags: (0..<9).map { (lag: Int) -> Float in
      let octave = Float(1 << (lag / 2))
      return 0.3 * octave * (lag % 2 == 0 ? 1 : 1.4142)
    },
    timeStep: 2 / 15)

  private static func trainer(threads: Int = 1, seed: UInt64 = 3) -> PeriodNetworkTrainer {
    PeriodNetworkTrainer(
      specification, loss: loss, options: .init(seed: seed, threadCount: threads))
  }

  private static func sample(_ seed: UInt64, times: Int = 13) -> PeriodNetworkSample {
    var generator = SeededGenerator(seed: seed)
    let planes = (0..<(specification.inputChannels * times * specification.lagCount)).map { _ in
      generator.normal()
    }
    let periods = (0..<times).map { time in time < 4 ? 0 : time == 9 ? -1 : Float(0.8) }
    return PeriodNetworkSample(planes: planes, periods: periods, count: 2.5)
  }

  @Test("The gradient of every tensor is that of finite differences")
  func gradients() {
    let trainer = Self.trainer()
    let sample = Self.sample(5)
    var weights = trainer.weights
    // Biases off zero, so that no unit sits on its kink.
    var generator = SeededGenerator(seed: 9)
    for index in trainer.tensors.flatMap(\.range) { weights[index] += 0.05 * generator.normal() }
    trainer.weights = weights
    let gradient = trainer.gradient(of: sample).gradient
    for (tensor, name) in trainer.tensors.map({ ($0.range, $0.name) }) {
      var (product, own, other) = (0.0, 0.0, 0.0)
      for index in stride(
        from: tensor.lowerBound, to: tensor.upperBound, by: max(1, tensor.count / 40))
      {
        let step: Float = 4e-3
        var moved = weights
        moved[index] += step
        trainer.weights = moved
        let above = trainer.gradient(of: sample).loss
        moved[index] -= 2 * step
        trainer.weights = moved
        let below = trainer.gradient(of: sample).loss
        let measured = Double(above - below) / Double(2 * step)
        let computed = Double(gradient[index])
        product += measured * computed
        own += computed * computed
        other += measured * measured
      }
      // The angle and the length over the tensor: single kinks of ReLU may be crossed.
      #expect(product > 0.995 * (own * other).squareRoot(), "\(name)")
      #expect(abs((own / other).squareRoot() - 1) < 0.03, "\(name)")
    }
  }

  @Test("The number of threads changes nothing")
  func threads() {
    let one = Self.trainer(threads: 1)
    let three = Self.trainer(threads: 3)
    for step in 0..<4 {
      for trainer in [one, three] {
        _ = trainer.step(count: 5, learningRate: 1e-3) {
          Self.sample(UInt64(step * 5 + $0), times: 8 + 3 * $0)
        }
      }
    }
    #expect(one.weights == three.weights)
    #expect(one.averages == three.averages)
  }

  @Test("The loss of a few sequences falls in training")
  func learning() {
    let trainer = Self.trainer()
    let first = trainer.step(count: 3, learningRate: 3e-3) { Self.sample(UInt64($0)) }
    var last = first
    for _ in 0..<60 {
      last = trainer.step(count: 3, learningRate: 3e-3) { Self.sample(UInt64($0)) }
    }
    #expect(last < 0.7 * first)
  }

  @Test(
    "The network that is written gives the probabilities that were trained", arguments: [1, 24])
  func graph(times: Int) throws {
    let trainer = Self.trainer()
    _ = trainer.step(count: 3, learningRate: 1e-2) { Self.sample(UInt64($0)) }
    let sample = Self.sample(77, times: times)
    let expected = trainer.probabilities(sample.planes)
    let workspace = Workspace(
      try Network(trainer.graph(times: times), outputs: ["periods"]))
    workspace.run(sample.planes)
    let states = Self.specification.stateCount
    let values = workspace.output(0)
    #expect(values.count == expected.count)
    for time in 0..<times {
      for state in 0..<states {
        #expect(
          abs(values[state * times + time] - expected[time * states + state]) < 1e-5)
      }
    }
  }

  @Test("A sequence without known periods has no gradient")
  func unknown() {
    let trainer = Self.trainer()
    var sample = Self.sample(1)
    sample.periods = sample.periods.map { _ in -1 }
    sample.count = nil
    let (loss, gradient) = trainer.gradient(of: sample)
    #expect(loss == 0)
    #expect(gradient.allSatisfy { $0 == 0 })
  }
}
