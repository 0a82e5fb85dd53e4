public import KinemaPose
public import KinemaStreams
import Synchronization

/// Gives the poses of people lasting ids, where nothing but the poses is known: those of a file, of
/// another pose network, or of single pictures.
///
/// - Input: the poses of the people in a frame; their ids do not matter.
/// - Output: the same poses in the order of their ids.
///
/// A pose goes to whom it is most like in place, size and how the body is held. Places are foretold by
/// a constant velocity, so that people who cross keep their ids, and whoever is out of sight for up to
/// ``memory`` gets the old id back. Ids start at 1 and are never used again.
///
/// ``HumanBodyPoseExtractor`` does the same for the people whom it follows, with their clothes taken
/// into account, so that its poses need no tracker. Frames must be given in order; copies of a tracker
/// share what they know, so use a tracker of its own for each clip.
public struct PoseTracker: Transformer, Sendable {
  /// The poses in a frame.
  public typealias Input = [Pose]
  /// The same poses with ids.
  public typealias Output = [Pose]

  /// For how long somebody who is out of sight keeps the id, in seconds.
  public let memory: Double
  /// The picture's width divided by its height.
  public let aspectRatio: Float
  private let state: State

  /// Creates a tracker that knows nobody.
  ///
  /// - Parameters:
  ///   - aspectRatio: The picture's width divided by its height.
  ///   - memory: For how long somebody who is out of sight keeps the id, in seconds.
  public init(aspectRatio: Float = 1, memory: Double = 1.5) {
    self.aspectRatio = aspectRatio
    self.memory = memory
    state = State()
  }

  /// Gives ids to the poses of a frame, taken to be 1/30 s after the frame before.
  public func applied(to poses: [Pose], eventHandler: EventHandler? = nil) -> [Pose] {
    identified(poses, at: .next)
  }

  /// Gives ids to the poses of a frame that is shown at a time.
  ///
  /// A frame of another source, or one that is earlier than the frame before, begins a new clip.
  public func applied(
    to poses: TemporalFeature<[Pose]>, eventHandler: EventHandler? = nil
  ) -> TemporalFeature<[Pose]> {
    TemporalFeature(id: poses.id, feature: identified(poses.feature, at: .time(of: poses.id)))
  }

  private func identified(_ poses: [Pose], at moment: ClipClock.Moment) -> [Pose] {
    state.people.withLock { people in
      if people.clock.advance(to: moment) { people.tracks = [] }
      return people.identified(
        poses, at: people.clock.time, memory: memory, aspectRatio: aspectRatio)
    }
  }

  private final class State: Sendable {
    let people = Mutex(People())
  }

  /// Those who are known.
  private struct People {
    var clock = ClipClock()
    var tracks: [(id: Int, track: BodyTrack)] = []
    private var nextID = 1

    mutating func identified(
      _ poses: [Pose], at time: Double, memory: Double, aspectRatio: Float
    ) -> [Pose] {
      tracks.removeAll { time - $0.track.lastSeen > memory }
      let sights = poses.map { BodySight($0, aspectRatio: aspectRatio) }
      let owners = owners(of: sights, at: time)
      var result: [Pose] = []
      for (index, pose) in poses.enumerated() {
        guard let sight = sights[index] else { continue }
        var pose = pose
        if let owner = owners[index] {
          tracks[owner].track.update(sight, at: time, isClear: true)
          pose.personID = tracks[owner].id
        } else {
          tracks.append((nextID, BodyTrack(sight, at: time)))
          pose.personID = nextID
          nextID += 1
        }
        result.append(pose)
      }
      return result.sorted { ($0.personID ?? 0) < ($1.personID ?? 0) }
    }

    /// Which track each sight belongs to: the cheapest pairs first, and then any exchange of two that
    /// makes it cheaper.
    private func owners(of sights: [BodySight?], at time: Double) -> [Int: Int] {
      var costs: [(cost: Float, sight: Int, track: Int)] = []
      for case (let index, let sight?) in sights.enumerated().map({ ($0.offset, $0.element) }) {
        for (number, known) in tracks.enumerated()
        where known.track.isReturned(sight, at: time) {
          costs.append((known.track.cost(of: sight, at: time), index, number))
        }
      }
      costs.sort { ($0.cost, $0.sight, $0.track) < ($1.cost, $1.sight, $1.track) }
      var owners: [Int: Int] = [:]
      var taken: Set<Int> = []
      for pair in costs where owners[pair.sight] == nil && taken.insert(pair.track).inserted {
        owners[pair.sight] = pair.track
      }
      func cost(_ sight: Int, _ track: Int) -> Float {
        costs.first { $0.sight == sight && $0.track == track }?.cost ?? .infinity
      }
      for first in owners.keys.sorted() {
        for second in owners.keys.sorted() where second > first {
          guard let one = owners[first], let other = owners[second] else { continue }
          let swapped = cost(first, other) + cost(second, one)
          if swapped < cost(first, one) + cost(second, other) {
            (owners[first], owners[second]) = (other, one)
          }
        }
      }
      return owners
    }
  }
}
