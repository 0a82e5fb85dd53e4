internal import Glibc

/// A convolution over time in the domain of its transform: y = C·[(A·w) ⊙ (B·x)].
///
/// The transform is the real discrete Fourier transform of `size` frames; each complex product is
/// done in three real ones (Gauss): with X = a + ib and W = c + id,
/// Re = c(a + b) − b(c + d) and Im = c(a + b) + a(d − c). A product of numbers here is one of
/// matrices in the network, which has channels: `rank` products instead of one a frame and tap.
struct TemporalTransform {
  let frames: Int
  /// Frames that the transform sees, padding included.
  let span: Int
  let rank: Int
  /// A of each phase, [rank][taps of the phase].
  let weights: [FloatMemory]
  /// B, [rank][span].
  let input: FloatMemory
  /// C, [frames][rank].
  let output: FloatMemory

  /// Creates the transform of a convolution of `taps` taps for this many frames of the result.
  ///
  /// - Parameters:
  ///   - taps: The taps of each phase, the first the most: a step of two sees even and odd frames.
  ///   - padding: Frames at both ends that are known to be zero: the circle may be shorter by these.
  init(frames: Int, taps: [Int], padding: Int) {
    let most = taps[0]
    span = frames + most - 1
    let size = span - padding
    self.frames = frames
    let pairs = (size - 1) / 2
    let hasHighest = size % 2 == 0
    let rank = 1 + 3 * pairs + (hasHighest ? 1 : 0)
    self.rank = rank

    func angle(_ frequency: Int, _ time: Int) -> Double {
      2 * .pi * Double(frequency * time % size) / Double(size)
    }
    /// Rows a + b, a, b of X = Σ x e^(sign·iθ), with the given combination for each pair.
    func rows(
      _ count: Int, sign: Double, _ combine: (_ real: Double, _ imaginary: Double) -> [Double]
    ) -> FloatMemory {
      let memory = FloatMemory(rank * count)
      for time in 0..<count {
        memory[time] = 1
        for pair in 0..<pairs {
          let theta = angle(pair + 1, time)
          for (index, value) in combine(cos(theta), sign * sin(theta)).enumerated() {
            memory[(1 + 3 * pair + index) * count + time] = Float(value)
          }
        }
        if hasHighest { memory[(rank - 1) * count + time] = time % 2 == 0 ? 1 : -1 }
      }
      return memory
    }
    input = rows(span, sign: -1) { [$0 + $1, $0, $1] }
    // The conjugate: a network's convolution is a correlation.
    weights = taps.map { count in rows(count, sign: 1) { [$0, $1 - $0, $0 + $1] } }
    let output = FloatMemory(frames * rank)
    self.output = output
    let share = 1 / Double(size)
    for time in 0..<frames {
      let row = time * rank
      output[row] = Float(share)
      for pair in 0..<pairs {
        let theta = angle(pair + 1, time)
        output[row + 1 + 3 * pair] = Float(2 * share * (cos(theta) - sin(theta)))
        output[row + 2 + 3 * pair] = Float(-2 * share * sin(theta))
        output[row + 3 + 3 * pair] = Float(-2 * share * cos(theta))
      }
      if hasHighest { output[row + rank - 1] = Float(time % 2 == 0 ? share : -share) }
    }
  }
}
