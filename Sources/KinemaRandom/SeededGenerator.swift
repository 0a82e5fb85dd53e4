/// Random numbers that are the same for the same seed on every machine.
///
/// The generator is SplitMix64 (Steele, Lea and Flood, *Fast Splittable Pseudorandom Number
/// Generators*, OOPSLA 2014).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  @usableFromInline var state: UInt64

  /// Creates a generator; generators with the same seed give the same numbers.
  @inlinable package init(seed: UInt64) { state = seed }

  /// Creates a generator of its own for each seed and place, such as a step and a sample.
  @inlinable package init(seed: UInt64, at place: UInt64...) {
    state = seed
    for number in place { state = next() ^ (number &* 0xD6E8_FEB8_6659_FD93) }
  }

  /// The next 64 random bits.
  @inlinable package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

// The standard library does not promise that its own distributions stay as they are; these do.
extension RandomNumberGenerator {
  /// A number from 0 up to, not including, 1, all equally likely.
  @inlinable package mutating func unit() -> Float { Float(next() >> 40) * 0x1p-24 }

  @inlinable package mutating func uniform(_ range: ClosedRange<Float>) -> Float {
    range.lowerBound + (range.upperBound - range.lowerBound) * unit()
  }

  /// A number with mean 0 and standard deviation 1, nearly normal: twelve uniform ones added up.
  @inlinable package mutating func normal() -> Float {
    (0..<12).reduce(-6) { sum, _ in sum + unit() }
  }

  /// True with the given probability.
  @inlinable package mutating func chance(_ probability: Float) -> Bool { unit() < probability }

  /// One of the elements, all equally likely.
  @inlinable package mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int(next() % UInt64(elements.count))]
  }

  /// Puts the elements in any order, all equally likely: Fisher and Yates's shuffle.
  @inlinable package mutating func shuffle<Element>(_ elements: inout [Element]) {
    for last in elements.indices.dropFirst().reversed() {
      elements.swapAt(last, Int(next() % UInt64(last + 1)))
    }
  }
}
