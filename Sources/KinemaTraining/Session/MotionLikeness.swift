package import KinemaSynth

/// Which motions look like what takes show, so that synthetic people who do them are no examples of
/// other actions.
///
/// Of all synthetic windows, some are nearest to those of the takes, by the features of a trained
/// network. A motion looks like the takes if enough of its own windows are among them.
package struct MotionLikeness: Hashable, Sendable {
  /// The share of all windows that counts as near.
  package var nearShare = 0.15
  /// The share of a motion's windows that are near, from which on it is left out.
  package var leastShare = 0.25

  package init() {}

  /// - Parameter takes: The features of each window of the takes; nothing looks like no takes.
  package func motions(
    like takes: [[Float]], among windows: [(motion: Motion, features: [Float])]
  ) -> Set<Motion> {
    guard !takes.isEmpty else { return [] }
    let distances = windows.map { window in
      takes.reduce(Float.infinity) { min($0, Self.squaredDistance($1, window.features)) }
    }
    let nearest = windows.indices.sorted { (distances[$0], $0) < (distances[$1], $1) }
      .prefix(Int(Double(windows.count) * nearShare))
    func counts(_ indices: some Sequence<Int>) -> [Motion: Int] {
      Dictionary(indices.map { (windows[$0].motion, 1) }, uniquingKeysWith: +)
    }
    let all = counts(windows.indices)
    let like = counts(nearest).filter { motion, count in
      Double(count) >= leastShare * Double(all[motion] ?? 0)
    }
    return Set(like.keys)
  }

  private static func squaredDistance(_ one: [Float], _ other: [Float]) -> Float {
    zip(one, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
  }
}
