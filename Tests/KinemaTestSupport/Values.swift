import KinemaRandom

/// Numbers from a seed, −0.5…0.5: the same in every run.
package struct Values {
  private var generator: SeededGenerator

  package init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  package mutating func next(_ count: Int) -> [Float] {
    (0..<count).map { _ in Float.random(in: -0.5...0.5, using: &generator) }
  }
}
