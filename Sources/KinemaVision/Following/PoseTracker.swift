public import KinemaPose
public import KinemaStreams
import KinemaTracking
import Synchronization

/// Assigns persistent ids to poses without images: of another pose network, or of a pose file without
/// ids.
///
/// - Input: the poses in a frame, in pose coordinates; their ids are ignored.
/// - Output: the same poses in the order of their new ids; one without confident joints has none.
///
/// A pose belongs to the track that is nearest in position, size and pose, predicted with nearly
/// constant velocity, so that ids persist when people cross; who returns nearby within ``memory`` gets
/// the old id. Ids start at 1 and are not used again.
///
/// ``HumanBodyPoseExtractor`` tracks people itself, also by their clothes. Frames must be in order;
/// copies of a tracker share tracks, so use one tracker for each clip.
public struct PoseTracker: Transformer, Sendable {
  /// The poses in a frame.
  public typealias Input = [Pose]
  /// The same poses with ids.
  public typealias Output = [Pose]

  /// How long the id of a person out of view is remembered, in seconds.
  public let memory: Double
  /// Width of the frame divided by its height.
  public let aspectRatio: Float
  private let people: People

  /// Creates a tracker without tracks.
  ///
  /// - Parameters:
  ///   - aspectRatio: Width of the frame divided by its height; 1 where it is unknown.
  ///   - memory: How long the id of a person out of view is remembered, in seconds.
  public init(aspectRatio: Float = 1, memory: Double = 1.5) {
    self.aspectRatio = aspectRatio
    self.memory = memory
    people = People(memory: memory)
  }

  /// Assigns ids to the poses of a frame 1/30 s after the last one.
  public func applied(to poses: [Pose], eventHandler: EventHandler? = nil) -> [Pose] {
    people.identified(poses, aspectRatio: aspectRatio, at: .next)
  }

  /// Assigns ids to the poses of a frame; another source or an earlier time starts a new clip.
  public func applied(
    to poses: TemporalFeature<[Pose]>, eventHandler: EventHandler? = nil
  ) -> TemporalFeature<[Pose]> {
    TemporalFeature(
      id: poses.id,
      feature: people.identified(poses.feature, aspectRatio: aspectRatio, at: .time(of: poses.id)))
  }

  /// The poses of a frame of a source, with ids.
  func identified(_ poses: [Pose], of source: String, at seconds: Double) -> [Pose] {
    people.identified(poses, aspectRatio: aspectRatio, at: .at(seconds: seconds, source: source))
  }

  /// The tracks.
  private final class People: Sendable {
    private let state: Mutex<(clock: ClipClock, tracker: Tracker<Void>)>

    init(memory: Double) {
      state = Mutex((ClipClock(), Tracker(rules: .poses(memory: memory))))
    }

    func identified(_ poses: [Pose], aspectRatio: Float, at moment: ClipClock.Moment) -> [Pose] {
      state.withLock { state in
        if state.clock.advance(to: moment) { state.tracker.reset() }
        let rules = state.tracker.rules
        let detections = poses.map { Detection($0, aspectRatio: aspectRatio, rules: rules) }
        var ids = state.tracker.ids(of: detections.compactMap(\.self), at: state.clock.time)[...]
        return zip(poses, detections).map { pose, detection in
          var pose = pose
          pose.personID = detection == nil ? nil : ids.popFirst()
          return pose
        }.sorted { ($0.personID ?? .max) < ($1.personID ?? .max) }
      }
    }
  }
}

extension Tracker<Void> {
  /// Tracks the detections of a frame; returns the id of each.
  fileprivate mutating func ids(of detections: [Detection], at time: Double) -> [Int] {
    advance(to: time)
    let keys = zip(detections, assign(detections.map { Candidate($0) })).map { detection, key in
      guard let key else { return add(detection, content: ()) }
      update(key, with: detection)
      return key
    }
    missOthers()
    for key in keys where self[key]?.id == nil { confirm(key) }
    return keys.compactMap { self[$0]?.id }
  }
}
