package import KinemaSynth

/// Which motions look like what takes show, so that synthetic people who do them are no examples of
/// other actions.
///
/// ``KinemaAction/BuiltInModel/motions`` gives each window of the takes a probability of each motion.
/// A motion looks like a class of takes if its mean over the class's windows is high enough.
package struct MotionLikeness: Hashable, Sendable {
  /// The mean probability from which on a motion is left out; chosen on real and synthetic people of
  /// development among 0.02, 0.05 and 0.1.
  package var leastProbability: Float = 0.05

  package init() {}

  /// The motions that look like the takes of a class.
  ///
  /// - Parameters:
  ///   - takes: The probabilities of each window of the takes; nothing looks like no takes.
  ///   - names: What each of them is the probability of: a motion's name, or anything else.
  package func motions(like takes: [[Float]], named names: [String]) -> Set<Motion> {
    guard !takes.isEmpty else { return [] }
    let like = names.indices.filter { index in
      takes.reduce(0) { $0 + $1[index] } / Float(takes.count) >= leastProbability
    }
    return Set(like.compactMap { Motion.named(names[$0]) })
  }
}
