package import Foundation

/// Exchanges left and right back where a pose network confuses them for a few frames.
///
/// Seen from the side or from behind, the network may exchange the legs, or front and back, for
/// some frames. A zone (legs; trunk and face, which the arms follow) is exchanged if it is then
/// clearly nearer to the last frame, for at most as long as the network was of the other opinion
/// before and at most ``longestRepair`` or, for trunk and face, ``longestTrunkRepair``. A person who turns
/// passes through a view in which left and right coincide; there no exchange begins and the history is
/// dropped. Only bodies are changed, without delay.
package struct PoseContinuity: Sendable {
  /// The longest exchange of legs, in seconds.
  package static let longestRepair: TimeInterval = 0.3
  /// The longest exchange of trunk and face, in seconds.
  ///
  /// Nobody turns from one frame to the next: front and back were confused for up to 0.95 s in real videos
  /// (docs/benchmarks.md, "How far are joints misplaced?").
  package static let longestTrunkRepair: TimeInterval = 1
  /// How many times faster agreement decays in unclear frames than it grows in clear ones.
  static let forgetting = 3.0
  /// The history of a person is dropped after a longer absence, in seconds.
  static let longestGap: TimeInterval = 0.25
  /// A comparison is clear if one distance is at most this share of the other.
  static let distanceRatio: Float = 0.5
  /// A clear comparison is also smaller by at least this much on average, in trunk sizes.
  static let leastGain: Float = 0.15

  /// Width of the frame divided by its height.
  package var aspectRatio: Float
  /// The number of exchanged zones, counted in frames.
  package private(set) var exchangeCount = 0
  private var memory = PersonMemory<SideHistory>(longestAbsence: longestGap)

  package init(aspectRatio: Float = 4 / 3) { self.aspectRatio = aspectRatio }

  /// The poses of the next frame, with sides corrected.
  package mutating func filtered(_ poses: [Pose], at time: TimeInterval) -> [Pose] {
    let aspectRatio = aspectRatio.isFinite && aspectRatio > 0 ? aspectRatio : 1
    var exchanges = 0
    let result = memory.changing(poses, at: time, first: SideHistory.init) { history, pose in
      let (repaired, count) = history.repaired(pose, at: time, aspectRatio: aspectRatio)
      exchanges += count
      return repaired
    }
    exchangeCount += exchanges
    return result
  }

  /// Drops all history, for a new clip.
  package mutating func reset() { memory.removeAll() }
}
