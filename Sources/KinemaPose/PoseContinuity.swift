public import Foundation

/// Exchanges left and right where a pose network has taken one for the other for a few frames.
///
/// Seen from the side or from behind, the network now and then takes the left leg for the right one,
/// or the whole front for the back, and changes its mind some frames later; limbs do not jump. Where a
/// person's knees and ankles, or the trunk with the face, clearly lie nearer to where they were in the
/// frame before with left and right exchanged, they are exchanged; arms go with the trunk.
///
/// The network is contradicted only for as long as it was clearly of the same opinion before, and never
/// for longer than ``longestRepair``; then what it says is taken for the truth. So a mistake in the
/// first frame, or in a turn, does not last. Someone who turns round passes through a view in which left
/// and right lie together: there nothing is clear, nothing is exchanged, and the past is forgotten.
///
/// Only poses of bodies are changed, and nothing is delayed. Confidences go with their joints.
public struct PoseContinuity: PoseFilter {
  /// For how long at most, in seconds, the network is contradicted.
  public static let longestRepair: TimeInterval = 0.3
  /// How many times as fast the network's earlier opinion is forgotten, where nothing is clear, as it
  /// was gained.
  static let forgetting = 3.0
  /// After a longer pause, in seconds, a person's joints may be anywhere.
  public static let longestGap: TimeInterval = 0.25
  /// What is clear: the one way joints are at most this share as far from where they were as the other.
  public static let distanceRatio: Float = 0.5
  /// And they are nearer by so much on average, for both sides together, in sizes of the trunk.
  public static let leastGain: Float = 0.15

  /// The picture's width divided by its height.
  public var aspectRatio: Float
  /// How many times the legs, the arms or the trunk of somebody were exchanged, counted in frames.
  public private(set) var exchangeCount = 0
  private var memory = PersonMemory<SideHistory>(longestAbsence: longestGap)

  /// Creates a stage that has seen nobody.
  ///
  /// - Parameter aspectRatio: The picture's width divided by its height.
  public init(aspectRatio: Float = 4 / 3) {
    self.aspectRatio = aspectRatio
  }

  /// The poses of the next frame, with their sides as before.
  public mutating func filtered(_ poses: [Pose], at time: TimeInterval) -> [Pose] {
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

  /// Forgets everybody, for a new clip.
  public mutating func reset() { memory.forgetAll() }
}
