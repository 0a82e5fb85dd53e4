package import KinemaSynth

/// Which motions look like what takes show: synthetic people who do them are no examples of other
/// actions, and those who do what the takes show are examples of their class.
///
/// A network that has learnt motions gives each window of the takes a probability of each. A motion
/// looks like a class of takes if its mean over the class's windows is high enough.
package struct MotionLikeness: Hashable, Sendable {
  /// The mean probability from which on a motion is left out; chosen on real and synthetic people of
  /// development among 0.02, 0.05 and 0.1.
  package var leastProbability: Float = 0.05
  /// The mean probability from which on takes show the motion itself; chosen on the same people
  /// among 0.15 and 0.3.
  package var leastShownProbability: Float = 0.3

  package init() {}

  /// The motions that look like the takes of a class, and those of them that the takes show.
  ///
  /// - Parameters:
  ///   - takes: The probabilities of each window of the takes; nothing looks like no takes.
  ///   - names: What each of them is the probability of: a motion's name, or anything else.
  package func motions(
    like takes: [[Float]], named names: [String]
  ) -> (like: Set<Motion>, shown: [Motion]) {
    guard !takes.isEmpty else { return ([], []) }
    let means = names.indices.map { index in
      takes.reduce(0) { $0 + $1[index] } / Float(takes.count)
    }
    func motions(from least: Float) -> [Motion] {
      zip(names, means).filter { $0.1 >= least }.compactMap { Motion.named($0.0) }
    }
    return (Set(motions(from: leastProbability)), motions(from: leastShownProbability))
  }
}
