import KinemaNetwork

/// The memory of one thread for running the period network forward and backward on one sequence.
///
/// Forward it is the network of layers that predicts; backward it reads what those layers made.
final class PeriodNetworkPass {
  /// The blobs that are read after a run, in the order of the outputs.
  private struct Blobs {
    let workspace: Workspace
    private let names: [String: Int]

    init(_ network: Network, _ outputs: [String], in memory: FloatMemory) {
      workspace = Workspace(network, in: memory)
      names = Dictionary(uniqueKeysWithValues: zip(outputs, outputs.indices))
    }

    subscript(name: String) -> UnsafeMutablePointer<Float> {
      guard let index = names[name] else { preconditionFailure("there is no tensor “\(name)”") }
      return workspace.blob(index)
    }
  }

  private let layout: PeriodNetworkLayout
  private let outputs: [String]
  private var times = 0
  private var blobs: Blobs?
  private var memory = FloatMemory(0)
  /// The gradient of a blob, that before its ReLU, and scratch.
  private var gradients = FloatMemory(0)

  init(_ layout: PeriodNetworkLayout) {
    self.layout = layout
    let last = layout.convolutions.count - 1
    outputs =
      (0...last).map { "rectified\($0)" } + (1...last).map { "sum\($0)" } + [
        "overview", "overviewPartsRectified", "overviewMean", "overviewRectified", "pooled",
        "restRectified", PeriodNetworkLayout.outputName,
      ]
  }

  private var lags: Int { layout.specification.lagCount }
  private var channels: Int { layout.specification.channels }
  private var plane: Int { times * lags }

  /// Runs the network on [inputChannels, times, lags]; gives the probabilities, [times, states].
  func forward(_ planes: [Float], times: Int, weights: [Float]) -> [Float] {
    self.times = times
    guard
      let network = try? Network(layout.graph(weights, times: times), outputs: outputs)
    else { preconditionFailure("the period network takes no sequence of \(times) times") }
    if memory.count < network.arenaCount { memory = FloatMemory(network.arenaCount) }
    let blobs = Blobs(network, outputs, in: memory)
    self.blobs = blobs
    blobs.workspace.run(planes)
    let states = layout.specification.stateCount
    let probabilities = blobs[PeriodNetworkLayout.outputName]
    return (0..<times).flatMap { time in
      (0..<states).map { probabilities[$0 * times + time] }
    }
  }

  /// The gradient of the weights after a run, from that of the scores, [times, states]; overwrites
  /// what was there.
  ///
  /// - Parameter adjoints: The weights of each convolution's adjoint, the overview's last.
  func backward(
    _ planes: [Float], scoreGradient: [Float], weights: [Float], adjoints: [[Float]],
    into result: UnsafeMutablePointer<Float>
  ) {
    guard let blobs else { preconditionFailure("a run backward follows one forward") }
    let last = layout.convolutions.count - 1
    let count = channels * plane
    let scratchCount = (layout.convolutions + layout.overview).map {
      let plan = $0.plan(times: times, lags: lags)
      let adjoint = $0.plan(times: times, lags: lags, isAdjoint: true)
      return max(plan.gradientScratchCount, adjoint.scratchCount)
    }
    let needed = 2 * count + (scratchCount.max() ?? 0)
    if gradients.count < needed { gradients = FloatMemory(needed) }
    let (gradient, inner) = (gradients.pointer, gradients.pointer + count)
    let scratch = inner + count

    gradientOfHeads(scoreGradient, blobs, last, weights: weights, gradient, into: result)
    for (index, convolution) in layout.convolutions.enumerated().reversed() {
      let output = blobs["rectified\(index)"]
      for place in 0..<count { inner[place] = output[place] > 0 ? gradient[place] : 0 }
      planes.withUnsafeBufferPointer { planes in
        guard let start = planes.baseAddress else { return }
        let source =
          index == 0 ? start : UnsafePointer(blobs[index == last ? "overview" : residual(index)])
        gradientOfWeights(convolution, source, inner, times: times, scratch: scratch, into: result)
      }
      guard index > 0 else { break }
      convolution.plan(times: times, lags: lags, isAdjoint: true).run(
        inner, weights: adjoints[index], into: gradient, scratch: scratch, accumulates: true)
      if index == last {
        gradientOfOverview(
          blobs, blobs[residual(index)], adjoints: adjoints, gradient, scratch: scratch,
          into: result)
      }
    }
  }

  /// The result of the blocks before a residual convolution.
  private func residual(_ index: Int) -> String { index == 1 ? "rectified0" : "sum\(index - 1)" }

  private func gradientOfWeights(
    _ convolution: PlaneConvolution, _ source: UnsafePointer<Float>,
    _ gradient: UnsafePointer<Float>, times: Int, scratch: UnsafeMutablePointer<Float>,
    into result: UnsafeMutablePointer<Float>
  ) {
    for channel in 0..<channels {
      result[convolution.biases + channel] = Self.sum(
        gradient + channel * times * lags, times * lags)
    }
    convolution.plan(times: times, lags: lags).weightGradient(
      source, outputGradient: gradient, into: result + convolution.weights, scratch: scratch)
  }

  /// Adds to `gradient` what passes through the overview of `blob`.
  private func gradientOfOverview(
    _ blobs: Blobs, _ blob: UnsafePointer<Float>, adjoints: [[Float]],
    _ gradient: UnsafeMutablePointer<Float>, scratch: UnsafeMutablePointer<Float>,
    into result: UnsafeMutablePointer<Float>
  ) {
    let (parts, means) = (blobs["overviewPartsRectified"], blobs["overviewMean"])
    let added = blobs["overviewRectified"]
    let overview = layout.overview
    // The gradients take the places of the values that are no longer needed.
    for place in 0..<(channels * lags) {
      let start = gradient + place / lags * plane + place % lags
      var sum: Float = 0
      for time in 0..<times { sum += start[time * lags] }
      added[place] = added[place] > 0 ? sum : 0
    }
    gradientOfWeights(overview[1], means, added, times: 1, scratch: scratch, into: result)
    overview[1].plan(times: 1, lags: lags, isAdjoint: true).run(
      added, weights: adjoints[adjoints.count - 1], into: means, scratch: scratch)
    for channel in 0..<channels {
      let (line, mean) = (parts + channel * plane, means + channel * lags)
      for time in 0..<times {
        for lag in 0..<lags {
          let place = time * lags + lag
          line[place] = line[place] > 0 ? mean[lag] / Float(times) : 0
        }
      }
    }
    gradientOfWeights(overview[0], blob, parts, times: times, scratch: scratch, into: result)
    overview[0].plan(times: times, lags: lags, isAdjoint: true).run(
      parts, weights: adjoints[adjoints.count - 2], into: gradient, scratch: scratch,
      accumulates: true)
  }

  /// Sums in eight lanes, which is faster and more exact than one after the other.
  private static func sum(_ values: UnsafePointer<Float>, _ count: Int) -> Float {
    var lanes = SIMD8<Float>.zero
    var index = 0
    while index + 8 <= count {
      lanes += UnsafeRawPointer(values + index).loadUnaligned(as: SIMD8<Float>.self)
      index += 8
    }
    var total = lanes.sum()
    while index < count {
      total += values[index]
      index += 1
    }
    return total
  }

  // MARK: - Heads

  private func gradientOfHeads(
    _ scores: [Float], _ blobs: Blobs, _ last: Int, weights: [Float],
    _ gradient: UnsafeMutablePointer<Float>, into result: UnsafeMutablePointer<Float>
  ) {
    let states = layout.specification.stateCount
    let features = blobs["sum\(last)"]
    var biasGradient: Float = 0
    for time in 0..<times {
      for lag in 0..<lags { biasGradient += scores[time * states + 1 + lag] }
    }
    result[layout.scoreBias] = biasGradient
    scores.withUnsafeBufferPointer { scores in
      for channel in 0..<channels {
        let factor = weights[layout.scoreWeights + channel]
        var sum: Float = 0
        for time in 0..<times {
          let place = channel * plane + time * lags
          let start = time * states + 1
          for lag in 0..<lags {
            sum += scores[start + lag] * features[place + lag]
            gradient[place + lag] = scores[start + lag] * factor
          }
        }
        result[layout.scoreWeights + channel] = sum
      }
    }
    gradientOfRest(
      scores, features, pooled: blobs["pooled"], units: blobs["restRectified"], weights: weights,
      gradient, into: result)
  }

  private func gradientOfRest(
    _ scores: [Float], _ features: UnsafePointer<Float>, pooled: UnsafePointer<Float>,
    units: UnsafePointer<Float>, weights: [Float], _ gradient: UnsafeMutablePointer<Float>,
    into result: UnsafeMutablePointer<Float>
  ) {
    let unitCount = layout.specification.restUnits
    let count = 2 * channels
    (result + layout.hiddenWeights).update(repeating: 0, count: unitCount * count)
    (result + layout.hiddenBiases).update(repeating: 0, count: unitCount)
    (result + layout.restWeights).update(repeating: 0, count: unitCount)
    result[layout.restBias] = 0
    var pooledGradient = [Float](repeating: 0, count: count)
    for time in 0..<times {
      let score = scores[time * layout.specification.stateCount]
      result[layout.restBias] += score
      for index in 0..<count { pooledGradient[index] = 0 }
      for unit in 0..<unitCount {
        let value = units[unit * times + time]
        result[layout.restWeights + unit] += score * value
        guard value > 0 else { continue }
        let change = score * weights[layout.restWeights + unit]
        result[layout.hiddenBiases + unit] += change
        let row = layout.hiddenWeights + unit * count
        for index in 0..<count {
          result[row + index] += change * pooled[index * times + time]
          pooledGradient[index] += change * weights[row + index]
        }
      }
      for channel in 0..<channels {
        let place = channel * plane + time * lags
        let mean = pooledGradient[channel] / Float(lags)
        for lag in 0..<lags { gradient[place + lag] += mean }
        let greatest = pooled[(channels + channel) * times + time]
        let peak = (0..<lags).first { features[place + $0] == greatest } ?? 0
        gradient[place + peak] += pooledGradient[channels + channel]
      }
    }
  }
}
