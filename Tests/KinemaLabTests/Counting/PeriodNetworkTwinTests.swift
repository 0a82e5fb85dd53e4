import Foundation
import KinemaLab
import KinemaNetwork
import KinemaRandom
import Testing

/// The network of periods and its loss against their formulas, in Float64 and without any shortcut.
@Suite("The network of periods and its formulas")
struct PeriodNetworkTwinTests {
  private static let specification = PeriodNetworkSpecification(
    inputChannels: 2, channels: 3, lagCount: 7, restUnits: 4,
    dilations: [.init(times: 1, lags: 1), .init(times: 2, lags: 2), .init(times: 4, lags: 2)])
  /// Three lags an octave.
  private static let lags = (0..<7).map { 0.4 * pow(2, Float($0) / 3) }

  private static func trainer(_ loss: PeriodNetworkLoss? = nil) -> PeriodNetworkTrainer {
    let trainer = PeriodNetworkTrainer(
      specification, loss: loss ?? PeriodNetworkLoss(lags: lags, timeStep: 2 / 15),
      options: .init(seed: 4, threadCount: 1))
    // Biases and the like away from 0.
    var generator = SeededGenerator(seed: 8)
    var weights = trainer.weights
    for index in trainer.tensors.flatMap(\.range) { weights[index] += 0.1 * generator.normal() }
    trainer.weights = weights
    return trainer
  }

  private static func planes(times: Int) -> [Float] {
    var generator = SeededGenerator(seed: 6)
    return (0..<(2 * times * 7)).map { _ in generator.normal() }
  }

  @Test("probabilities are those of the formula", arguments: [1, 2, 5, 19])
  func probabilities(times: Int) {
    let trainer = Self.trainer()
    let planes = Self.planes(times: times)
    let twin = Twin(trainer, times: times).probabilities(planes)
    let found = trainer.probabilities(planes)
    #expect(found.count == times * 8 && twin.count == times * 8)
    for (one, other) in zip(found, twin) { #expect(abs(Double(one) - other) < 1e-5) }
    for time in 0..<times {
      #expect(abs(found[(time * 8)..<(time * 8 + 8)].reduce(0, +) - 1) < 1e-5)
    }
  }

  @Test(
    "the loss is the cross entropy with the spread period, and the relative error of the count",
    arguments: [0, 0.5, 2] as [Float], [nil, 0, 3.5] as [Float?])
  func loss(countWeight: Float, count: Float?) {
    let trainer = Self.trainer(
      PeriodNetworkLoss(lags: Self.lags, timeStep: 2 / 15, spread: 0.8, countWeight: countWeight))
    // Rest, unknown, on a lag, between two, and beyond both ends.
    let periods: [Float] = [0, -1, Self.lags[3], 1.1, 0.1, 9, 0]
    let planes = Self.planes(times: periods.count)
    let sample = PeriodNetworkSample(planes: planes, periods: periods, count: count)
    let found = Double(trainer.gradient(of: sample).loss)

    let probabilities = Twin(trainer, times: periods.count).probabilities(planes)
    var expected = 0.0
    for (time, period) in periods.enumerated() where period >= 0 {
      let row = probabilities[(time * 8)..<(time * 8 + 8)].map(log)
      guard period > 0 else {
        expected -= row[0] / 6
        continue
      }
      // Where the period lies among the lags, in thirds of an octave.
      let place = min(max(3 * log2(Double(period) / 0.4), 0), 6)
      let shares = (0..<7).map { lag -> Double in
        let away = (Double(lag) - place) / 0.8
        return abs(away) < 4 ? exp(-away * away / 2) : 0
      }
      let total = shares.reduce(0, +)
      for lag in 0..<7 { expected -= shares[lag] / total * row[lag + 1] / 6 }
    }
    if let count {
      var counted = 0.0
      for time in periods.indices {
        for lag in 0..<7 {
          counted += probabilities[time * 8 + lag + 1] * 2 / 15 / Double(Self.lags[lag])
        }
      }
      let error = abs(counted - Double(count)) / Double(count + 1)
      expected += Double(countWeight) * error
    }
    #expect(abs(found - expected) < 1e-4 * max(1, expected))
  }

  @Test("the averages of the weights follow them, faster at first")
  func averages() {
    var options = PeriodNetworkTrainer.Options(seed: 4, threadCount: 1)
    options.averaging = 0.3
    let trainer = PeriodNetworkTrainer(
      Self.specification, loss: PeriodNetworkLoss(lags: Self.lags, timeStep: 2 / 15),
      options: options)
    var expected = trainer.averages
    for step in 1...5 {
      _ = trainer.step(count: 1, learningRate: 0.01) { _ in
        PeriodNetworkSample(
          planes: Self.planes(times: 4), periods: [0, 0.5, 0.5, 0.5], count: nil)
      }
      let keep = min(0.3, Float(1 + step) / Float(10 + step))
      for (index, weight) in trainer.weights.enumerated() {
        expected[index] += (1 - keep) * (weight - expected[index])
      }
      #expect(zip(trainer.averages, expected).allSatisfy { abs($0 - $1) < 1e-6 })
    }
    #expect(Set([trainer.averages, trainer.weights]).count == 2)
  }
}

/// The formula of ``PeriodNetworkSpecification``, layer by layer.
private struct Twin {
  /// Planes [channels][times][lags].
  private typealias Planes = [[[Double]]]

  private let specification: PeriodNetworkSpecification
  private let tensors: [String: [Double]]
  private let times: Int

  init(_ trainer: PeriodNetworkTrainer, times: Int) {
    specification = trainer.specification
    let weights = trainer.weights
    tensors = Dictionary(
      uniqueKeysWithValues: trainer.tensors.map { tensor in
        (tensor.name, tensor.range.map { Double(weights[$0]) })
      })
    self.times = times
  }

  private subscript(name: String) -> [Double] { tensors[name] ?? [] }

  /// [times][states], flat.
  func probabilities(_ values: [Float]) -> [Double] {
    let lags = specification.lagCount
    let planes: Planes = (0..<specification.inputChannels).map { channel in
      (0..<times).map { time in
        (0..<lags).map { Double(values[(channel * times + time) * lags + $0]) }
      }
    }
    var h = rectified(convolved(planes, "convolution0", rows: 5, columns: 3, dilation: (1, 1)))
    for (index, dilation) in specification.dilations.enumerated() {
      if index == specification.dilations.count - 1 { h = withOverview(h) }
      let change = rectified(
        convolved(
          h, "convolution\(index + 1)", rows: 5, columns: 5,
          dilation: (dilation.times, dilation.lags)))
      h = sum(h, change)
    }
    return (0..<times).flatMap { time in
      let scores = (0..<lags).map { lag in
        self["score.bias"][0]
          + h.indices.reduce(0) { $0 + self["score.weights"][$1] * h[$1][time][lag] }
      }
      let means = h.map { $0[time].reduce(0, +) / Double(lags) }
      let maxima = h.map { $0[time].max() ?? 0 }
      let pooled = means + maxima
      var rest = self["rest.bias"][0]
      for unit in 0..<specification.restUnits {
        let sum = pooled.indices.reduce(self["hidden.biases"][unit]) {
          $0 + self["hidden.weights"][unit * pooled.count + $1] * pooled[$1]
        }
        rest += self["rest.weights"][unit] * max(0, sum)
      }
      let powers = ([rest] + scores).map(exp)
      return powers.map { $0 / powers.reduce(0, +) }
    }
  }

  /// h + ReLU(conv(mean over the times of ReLU(conv(h)))).
  private func withOverview(_ h: Planes) -> Planes {
    let parts = rectified(convolved(h, "overview0", rows: 1, columns: 1, dilation: (1, 1)))
    let means: Planes = parts.map { plane in
      [plane[0].indices.map { lag in plane.reduce(0) { $0 + $1[lag] } / Double(times) }]
    }
    let units = rectified(convolved(means, "overview1", rows: 1, columns: 3, dilation: (1, 1)))
    return sum(h, units.map { Array(repeating: $0[0], count: times) })
  }

  private func rectified(_ planes: Planes) -> Planes {
    planes.map { $0.map { $0.map { max(0, $0) } } }
  }

  private func sum(_ one: Planes, _ other: Planes) -> Planes {
    zip(one, other).map { zip($0, $1).map { zip($0, $1).map(+) } }
  }

  /// A convolution that keeps the plane's size; what is outside is 0.
  private func convolved(
    _ planes: Planes, _ name: String, rows: Int, columns: Int, dilation: (Int, Int)
  ) -> Planes {
    let (weights, biases) = (self[name + ".weights"], self[name + ".biases"])
    return (0..<specification.channels).map { output in
      planes[0].indices.map { time in
        planes[0][0].indices.map { lag in
          var value = biases[output]
          for row in 0..<rows {
            for column in 0..<columns {
              let (t, l) = (
                time + (row - rows / 2) * dilation.0, lag + (column - columns / 2) * dilation.1
              )
              guard planes[0].indices.contains(t), planes[0][0].indices.contains(l) else {
                continue
              }
              for input in planes.indices {
                let place =
                  ((row * specification.channels + output) * columns + column) * planes.count
                value += weights[place + input] * planes[input][t][l]
              }
            }
          }
          return value
        }
      }
    }
  }
}
