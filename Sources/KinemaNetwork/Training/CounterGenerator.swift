/// Random numbers that are a function of a seed and a place (SplitMix64: Steele, Lea and Flood,
/// *Fast Splittable Pseudorandom Number Generators*, OOPSLA 2014).
struct CounterGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// A generator of its own for each seed and place, such as a step and a sample.
  init(seed: UInt64, _ place: UInt64...) {
    state = seed
    for number in place { state = next() ^ (number &* 0xd6e8_feb8_6659_fd93) }
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }

  /// A number from 0 up to 1.
  mutating func unit() -> Float { Float(next() >> 40) * 0x1p-24 }

  /// The first weights of a layer, evenly between ±1/√fanIn.
  mutating func uniform(_ count: Int, fanIn: Int) -> [Float] {
    let bound = 1 / Float(fanIn).squareRoot()
    return (0..<count).map { _ in (2 * unit() - 1) * bound }
  }
}
