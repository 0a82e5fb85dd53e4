public import KinemaPose
public import KinemaStreams
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
    state = State()
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
      if people.clock.advance(to: moment) { people.tracks = [] }
      return people.identified(
        poses, at: people.clock.time, memory: memory, aspectRatio: aspectRatio)
    }
  }

  private final class State: Sendable {
    let people = Mutex(People())
  }

  /// The tracks.
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

    /// The track of each body: greedy by cost, then exchanges of pairs that reduce it.
    private func owners(of sights: [BodySight?], at time: Double) -> [Int: Int] {
      var costs: [(cost: Float, sight: Int, track: Int)] = []
      for case (let index, let sight?) in sights.enumerated().map({ ($0.offset, $0.element) }) {
        for (number, person) in tracks.enumerated()
        where person.track.isReturned(sight, at: time) {
          costs.append((person.track.cost(of: sight, at: time), index, number))
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
