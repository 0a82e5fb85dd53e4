import Foundation

/// Which person does which motion, and from when on it is watched: what is decided about a sample
/// before a camera is there.
package struct SyntheticTake: Sendable {
  package let label: String
  package let motion: Motion
  /// See ``SyntheticMotionClass/nearShare``.
  package let nearShare: Float?
  /// See ``SyntheticMotionClass/backShare``.
  package let backShare: Float
  package let session: SyntheticSession
  /// The sample's start in the session and its length, in seconds.
  package let start, duration: Double
  /// What is left to decide comes from here.
  package let generator: SeededGenerator

  /// Draws a person, a tempo and a moment of one of the class's motions.
  ///
  /// - Parameter hasManner: Whether the person has a manner of their own.
  package init(
    of kind: SyntheticMotionClass, duration: Double, person: SyntheticPerson? = nil,
    hasManner: Bool = false, using generator: inout SeededGenerator
  ) {
    label = kind.label
    nearShare = kind.nearShare
    backShare = kind.backShare
    motion = kind.motion(using: &generator)
    let range = motion.cycleDurations
    // Twice as fast is as far away as twice as slow.
    let cycle =
      range.lowerBound
      * pow(range.upperBound / range.lowerBound, Double(generator.uniform(0...1)))
    start = cycle * Double(generator.uniform(0...2))
    self.duration = duration
    // A repetition is at most a fifth shorter than requested.
    let cycles = Int(((start + duration) / (0.8 * cycle)).rounded(.up)) + 1
    let anybody = SyntheticPerson.random(using: &generator)
    let person = person ?? anybody
    let manner = hasManner ? Manner.random(using: &generator) : Manner()
    session = SyntheticSession(
      [.motion(motion, repetitions: cycles, repetitionDuration: cycle)], person: person,
      manner: manner, seed: generator.next())
    self.generator = generator
  }

  package func skeleton(at time: Double) -> Skeleton { session.skeleton(at: start + time) }

  /// The repetitions that end in the sample, in its own time.
  package var repetitions: [SyntheticSession.Repetition] {
    session.segments.flatMap(\.repetitions).compactMap { repetition in
      let end = repetition.end - start
      guard end > 0, end <= duration else { return nil }
      return .init(start: repetition.start - start, end: end)
    }
  }
}
