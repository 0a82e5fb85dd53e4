internal import Glibc

/// The memory of one thread for running the period network forward and backward on one sequence.
final class PeriodNetworkPass {
  private let layout: PeriodNetworkLayout
  private let specification: PeriodNetworkSpecification
  private var times = 0
  private var arena: UnsafeMutablePointer<Float>?
  private var arenaCount = 0

  // Into the arena; valid from `prepare` on.
  private var hidden: [UnsafeMutablePointer<Float>] = []
  private var rectified: [UnsafeMutablePointer<Float>] = []
  private var gradient: UnsafeMutablePointer<Float>
  private var inner: UnsafeMutablePointer<Float>
  /// What the last convolution looks at: what the one before leaves with the overview added,
  /// [channels, times, lags].
  private var overseen: UnsafeMutablePointer<Float>
  /// What the overview takes means of, [channels, times, lags]; their means, [channels, lags]; and
  /// what is added at all times, [channels, lags].
  private var parts: UnsafeMutablePointer<Float>
  private var means: UnsafeMutablePointer<Float>
  private var added: UnsafeMutablePointer<Float>
  private var scratch: UnsafeMutablePointer<Float>

  /// [times, states]: rest, then the lags.
  private(set) var probabilities: [Float] = []
  /// [times, 2 · channels]: means over the lags, then maxima.
  private var pooled: [Float] = []
  /// [times, channels]: the lag of each maximum.
  private var peaks: [Int] = []
  /// [times, restUnits], after ReLU.
  private var units: [Float] = []

  init(_ layout: PeriodNetworkLayout) {
    self.layout = layout
    specification = layout.specification
    let nothing = UnsafeMutablePointer<Float>.allocate(capacity: 1)
    arena = nothing
    (gradient, inner, scratch) = (nothing, nothing, nothing)
    (overseen, parts, means, added) = (nothing, nothing, nothing, nothing)
  }

  deinit { arena?.deallocate() }

  private func prepare(times: Int) {
    self.times = times
    let plane = specification.channels * times * specification.lagCount
    let blocks = specification.dilations.count
    let scratchCount = layout.convolutions.map { $0.scratchCount(times: times) }.max() ?? 0
    let line = specification.channels * specification.lagCount
    let needed = (2 * blocks + 5) * plane + 2 * line + scratchCount
    if needed > arenaCount {
      arena?.deallocate()
      arena = .allocate(capacity: needed)
      arenaCount = needed
    }
    guard let start = arena else { return }
    var next = start
    func take(_ count: Int) -> UnsafeMutablePointer<Float> {
      defer { next += count }
      return next
    }
    hidden = (0...blocks).map { _ in take(plane) }
    rectified = (0..<blocks).map { _ in take(plane) }
    gradient = take(plane)
    inner = take(plane)
    overseen = take(plane)
    parts = take(plane)
    means = take(line)
    added = take(line)
    scratch = take(scratchCount)
    probabilities = [Float](repeating: 0, count: times * specification.stateCount)
    pooled = [Float](repeating: 0, count: times * 2 * specification.channels)
    peaks = [Int](repeating: 0, count: times * specification.channels)
    units = [Float](repeating: 0, count: times * specification.restUnits)
  }

  // MARK: - Forward

  /// Runs the network on [inputChannels, times, lags]; the result is in ``probabilities``.
  func forward(_ planes: UnsafePointer<Float>, times: Int, weights: UnsafePointer<Float>) {
    prepare(times: times)
    let size = times * specification.lagCount
    let channels = specification.channels
    for (index, convolution) in layout.convolutions.enumerated() {
      if index == layout.convolutions.count - 1 { addOverview(to: hidden[index - 1], weights) }
      let source = source(of: index, planes)
      let target = index == 0 ? hidden[0] : rectified[index - 1]
      convolution.run(
        source, weights: weights + layout.convolutionWeights[index].lowerBound, into: target,
        times: times, scratch: scratch)
      let biases = weights + layout.convolutionBiases[index].lowerBound
      for channel in 0..<channels {
        let (bias, line) = (biases[channel], target + channel * size)
        for place in 0..<size { line[place] = max(line[place] + bias, 0) }
      }
      guard index > 0 else { continue }
      let sum = hidden[index]
      for place in 0..<(channels * size) { sum[place] = source[place] + target[place] }
    }
    scoreLags(weights)
    scoreRest(weights)
    normalize()
  }

  /// What a convolution looks at.
  private func source(
    of index: Int, _ planes: UnsafePointer<Float>
  ) -> UnsafePointer<Float> {
    guard index > 0 else { return planes }
    return UnsafePointer(
      index == layout.convolutions.count - 1 ? overseen : hidden[index - 1])
  }

  /// Adds what there is of each lag at all times.
  private func addOverview(
    to blob: UnsafePointer<Float>, _ weights: UnsafePointer<Float>
  ) {
    let lags = specification.lagCount
    layout.overview[0].run(
      blob, weights: weights + layout.overviewWeights[0].lowerBound, into: parts, times: times,
      scratch: scratch)
    let partBiases = weights + layout.overviewBiases[0].lowerBound
    for channel in 0..<specification.channels {
      let (line, mean) = (parts + channel * plane, means + channel * lags)
      for place in 0..<plane { line[place] = max(line[place] + partBiases[channel], 0) }
      for lag in 0..<lags {
        var sum: Float = 0
        for time in 0..<times { sum += line[time * lags + lag] }
        mean[lag] = sum / Float(times)
      }
    }
    layout.overview[1].run(
      means, weights: weights + layout.overviewWeights[1].lowerBound, into: added, times: 1,
      scratch: scratch)
    let biases = weights + layout.overviewBiases[1].lowerBound
    for channel in 0..<specification.channels {
      let line = added + channel * lags
      let (from, to) = (blob + channel * plane, overseen + channel * plane)
      for lag in 0..<lags { line[lag] = max(line[lag] + biases[channel], 0) }
      for time in 0..<times {
        for lag in 0..<lags { to[time * lags + lag] = from[time * lags + lag] + line[lag] }
      }
    }
  }

  private func scoreLags(_ weights: UnsafePointer<Float>) {
    let (lags, states, size) = (specification.lagCount, specification.stateCount, plane)
    let factors = weights + layout.scoreWeights.lowerBound
    let bias = weights[layout.scoreBias.lowerBound]
    let last = hidden[hidden.count - 1]
    for time in 0..<times {
      for lag in 0..<lags { probabilities[time * states + 1 + lag] = bias }
    }
    probabilities.withUnsafeMutableBufferPointer { scores in
      for channel in 0..<specification.channels {
        let factor = factors[channel]
        for time in 0..<times {
          let line = last + channel * size + time * lags
          let start = time * states + 1
          for lag in 0..<lags { scores[start + lag] += factor * line[lag] }
        }
      }
    }
  }

  private var plane: Int { times * specification.lagCount }

  private func scoreRest(_ weights: UnsafePointer<Float>) {
    let (lags, channels) = (specification.lagCount, specification.channels)
    let last = hidden[hidden.count - 1]
    for channel in 0..<channels {
      for time in 0..<times {
        let line = last + channel * plane + time * lags
        var (sum, greatest, peak) = (Float(0), line[0], 0)
        for lag in 0..<lags {
          sum += line[lag]
          if line[lag] > greatest { (greatest, peak) = (line[lag], lag) }
        }
        pooled[time * 2 * channels + channel] = sum / Float(lags)
        pooled[time * 2 * channels + channels + channel] = greatest
        peaks[time * channels + channel] = peak
      }
    }
    let count = 2 * channels
    for time in 0..<times {
      var score = weights[layout.restBias.lowerBound]
      for unit in 0..<specification.restUnits {
        let row = weights + layout.hiddenWeights.lowerBound + unit * count
        var sum = weights[layout.hiddenBiases.lowerBound + unit]
        for index in 0..<count { sum += row[index] * pooled[time * count + index] }
        let value = max(sum, 0)
        units[time * specification.restUnits + unit] = value
        score += weights[layout.restWeights.lowerBound + unit] * value
      }
      probabilities[time * specification.stateCount] = score
    }
  }

  private func normalize() {
    let states = specification.stateCount
    for time in 0..<times {
      let range = (time * states)..<((time + 1) * states)
      let greatest = probabilities[range].max() ?? 0
      var sum: Float = 0
      for index in range {
        let value = expf(probabilities[index] - greatest)
        probabilities[index] = value
        sum += value
      }
      for index in range { probabilities[index] /= sum }
    }
  }

  // MARK: - Backward

  /// The gradient of the weights after ``forward(_:times:weights:)``, from that of the scores,
  /// [times, states]; overwrites what was there.
  ///
  /// - Parameter turned: Each residual convolution's weights as its adjoint takes them, laid out
  ///   like the weights themselves.
  func backward(
    _ planes: UnsafePointer<Float>, scoreGradient: [Float], weights: UnsafePointer<Float>,
    turned: UnsafePointer<Float>, into result: UnsafeMutablePointer<Float>
  ) {
    gradientOfHeads(scoreGradient, weights: weights, into: result)
    let count = specification.channels * plane
    for index in layout.convolutions.indices.reversed() {
      let convolution = layout.convolutions[index]
      let output = index == 0 ? hidden[0] : rectified[index - 1]
      for place in 0..<count { inner[place] = output[place] > 0 ? gradient[place] : 0 }
      let biases = result + layout.convolutionBiases[index].lowerBound
      for channel in 0..<specification.channels {
        biases[channel] = Self.sum(inner + channel * plane, plane)
      }
      let source = source(of: index, planes)
      convolution.weightGradient(
        source, outputGradient: inner, into: result + layout.convolutionWeights[index].lowerBound,
        times: times, scratch: scratch)
      guard index > 0 else { break }
      convolution.adjoint.run(
        inner, weights: turned + layout.convolutionWeights[index].lowerBound, into: gradient,
        times: times, scratch: scratch, accumulates: true)
      if index == layout.convolutions.count - 1 {
        gradientOfOverview(of: hidden[index - 1], turned: turned, into: result)
      }
    }
  }

  /// Adds to ``gradient`` what goes through the overview.
  private func gradientOfOverview(
    of blob: UnsafePointer<Float>, turned: UnsafePointer<Float>,
    into result: UnsafeMutablePointer<Float>
  ) {
    let (lags, channels) = (specification.lagCount, specification.channels)
    // What is no longer needed makes room: the units' gradient goes where the units are.
    for channel in 0..<channels {
      var total: Float = 0
      for lag in 0..<lags {
        var sum: Float = 0
        for time in 0..<times { sum += gradient[channel * plane + time * lags + lag] }
        let value = added[channel * lags + lag] > 0 ? sum : 0
        added[channel * lags + lag] = value
        total += value
      }
      result[layout.overviewBiases[1].lowerBound + channel] = total
    }
    layout.overview[1].weightGradient(
      means, outputGradient: added, into: result + layout.overviewWeights[1].lowerBound, times: 1,
      scratch: scratch)
    layout.overview[1].adjoint.run(
      added, weights: turned + layout.overviewWeights[1].lowerBound, into: means, times: 1,
      scratch: scratch)
    for channel in 0..<channels {
      let (line, mean) = (parts + channel * plane, means + channel * lags)
      for time in 0..<times {
        for lag in 0..<lags {
          let place = time * lags + lag
          line[place] = line[place] > 0 ? mean[lag] / Float(times) : 0
        }
      }
      result[layout.overviewBiases[0].lowerBound + channel] = Self.sum(line, plane)
    }
    layout.overview[0].weightGradient(
      blob, outputGradient: parts, into: result + layout.overviewWeights[0].lowerBound,
      times: times, scratch: scratch)
    layout.overview[0].adjoint.run(
      parts, weights: turned + layout.overviewWeights[0].lowerBound, into: gradient, times: times,
      scratch: scratch, accumulates: true)
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

  private func gradientOfHeads(
    _ scores: [Float], weights: UnsafePointer<Float>, into result: UnsafeMutablePointer<Float>
  ) {
    let (lags, states, channels) = (
      specification.lagCount, specification.stateCount, specification.channels
    )
    let last = hidden[hidden.count - 1]
    let factors = weights + layout.scoreWeights.lowerBound
    var biasGradient: Float = 0
    for time in 0..<times {
      for lag in 0..<lags { biasGradient += scores[time * states + 1 + lag] }
    }
    result[layout.scoreBias.lowerBound] = biasGradient
    scores.withUnsafeBufferPointer { scores in
      for channel in 0..<channels {
        let factor = factors[channel]
        var sum: Float = 0
        for time in 0..<times {
          let line = last + channel * plane + time * lags
          let target = gradient + channel * plane + time * lags
          let start = time * states + 1
          for lag in 0..<lags {
            sum += scores[start + lag] * line[lag]
            target[lag] = scores[start + lag] * factor
          }
        }
        result[layout.scoreWeights.lowerBound + channel] = sum
      }
    }
    gradientOfRest(scores, weights: weights, into: result)
  }

  private func gradientOfRest(
    _ scores: [Float], weights: UnsafePointer<Float>, into result: UnsafeMutablePointer<Float>
  ) {
    let (lags, channels, unitCount) = (
      specification.lagCount, specification.channels, specification.restUnits
    )
    let count = 2 * channels
    for range in [layout.hiddenWeights, layout.hiddenBiases, layout.restWeights, layout.restBias] {
      for index in range { result[index] = 0 }
    }
    var pooledGradient = [Float](repeating: 0, count: count)
    for time in 0..<times {
      let score = scores[time * specification.stateCount]
      result[layout.restBias.lowerBound] += score
      for index in 0..<count { pooledGradient[index] = 0 }
      for unit in 0..<unitCount {
        let value = units[time * unitCount + unit]
        result[layout.restWeights.lowerBound + unit] += score * value
        guard value > 0 else { continue }
        let change = score * weights[layout.restWeights.lowerBound + unit]
        result[layout.hiddenBiases.lowerBound + unit] += change
        let row = layout.hiddenWeights.lowerBound + unit * count
        for index in 0..<count {
          result[row + index] += change * pooled[time * count + index]
          pooledGradient[index] += change * weights[row + index]
        }
      }
      for channel in 0..<channels {
        let line = gradient + channel * plane + time * lags
        let mean = pooledGradient[channel] / Float(lags)
        for lag in 0..<lags { line[lag] += mean }
        line[peaks[time * channels + channel]] += pooledGradient[channels + channel]
      }
    }
  }
}
