public import KinemaPose
public import KinemaStreams
import KinemaTracking
import Synchronization

/// Assigns persistent ids to poses from a file, another pose network, or single images.
///
/// - Input: the poses in a frame; their ids are ignored.
/// - Output: the same poses in the order of their new ids.
///
/// A pose goes to the track that is most similar in position, size and pose. Positions are
/// predicted with constant velocity, so that ids persist when people cross; a person who returns
/// within ``memory`` gets the old id. Ids start at 1 and are not reused.
///
/// ``HumanBodyPoseExtractor`` tracks people itself, also by their clothes. Frames must be in order;
/// copies of a tracker share tracks, so use one tracker per clip.
public struct PoseTracker: Transformer, Sendable {
  /// The poses in a frame.
  public typealias Input = [Pose]
  /// The same poses with ids.
  public typealias Output = [Pose]

  /// How long the id of a person out of view is remembered, in seconds.
  public let memory: Double
  /// Width of the frame divided by its height.
  public let aspectRatio: Float
  private let state: State

  /// Creates a tracker without tracks.
  ///
  /// - Parameters:
  ///   - aspectRatio: Width of the frame divided by its height.
  ///   - memory: See ``memory``.
  public init(aspectRatio: Float = 1, memory: Double = 1.5) {
    self.aspectRatio = aspectRatio
    self.memory = memory
    state = State(memory: memory)
  }

  /// Assigns ids to the poses of a frame 1/30 s after the last one.
  public func applied(to poses: [Pose], eventHandler: EventHandler? = nil) -> [Pose] {
    identified(poses, at: .next)
  }

  /// Assigns ids to the poses of a frame; another source or an earlier time starts a new clip.
  public func applied(
    to poses: TemporalFeature<[Pose]>, eventHandler: EventHandler? = nil
  ) -> TemporalFeature<[Pose]> {
    TemporalFeature(id: poses.id, feature: identified(poses.feature, at: .time(of: poses.id)))
  }

  private func identified(_ poses: [Pose], at moment: ClipClock.Moment) -> [Pose] {
    state.people.withLock { people in
      if people.clock.advance(to: moment) { people.tracker.reset() }
      return people.identified(poses, aspectRatio: aspectRatio)
    }
  }

  private final class State: Sendable {
    let people: Mutex<People>

    init(memory: Double) {
      people = Mutex(People(tracker: Tracker(rules: .poses(memory: memory))))
    }
  }

  /// The tracks.
  private struct People {
    var clock = ClipClock()
    var tracker: Tracker<Void>

    mutating func identified(_ poses: [Pose], aspectRatio: Float) -> [Pose] {
      let known = poses.compactMap { pose in
        Detection(pose, aspectRatio: aspectRatio).map { (pose, $0) }
      }
      let ids = tracker.follow(known.map(\.1), at: clock.time)
      return zip(known, ids).map { known, id in
        var pose = known.0
        pose.personID = id
        return pose
      }.sorted { ($0.personID ?? 0) < ($1.personID ?? 0) }
    }
  }
}
