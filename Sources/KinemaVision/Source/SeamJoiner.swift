import KinemaPose
import KinemaStreams

/// Joins the tracks of segments, so that each person has one id for the whole video.
///
/// A segment starts a moment early, while the last one is still tracked: tracks at the same place
/// in both are one person. A person not visible at that moment gets the id back if a track starts
/// nearby soon after, as in ``Identities``. Others get new ids, from 1.
struct SeamJoiner {
  /// How far apart joints may be on average to be the same person's, as a share of the person's
  /// size.
  static let sameness: Float = 0.2
  /// How long a person seen before a seam keeps the id, in seconds.
  static let memory = 2.0
  /// How far away a person may reappear after a seam, as a share of the person's size.
  static let reach: Float = 0.5

  /// The last place of a person.
  private struct Track {
    var time: Double
    var figure: Figure
  }

  /// The last places, by the ids of the whole video.
  private var tracks: [Int: Track] = [:]
  /// The last frames, as long as a warming up may be.
  private var recent: [PosedFrame] = []
  private var nextID = 1
  /// The ids of the whole video by those of the segment.
  private var names: [Int: Int] = [:]
  /// Those that were visible before the seam and not since.
  private var missing: Set<Int> = []

  /// Begins another segment.
  ///
  /// - Parameter warmUp: Its frames before its start.
  mutating func beginSegment(_ warmUp: [PosedFrame]) {
    names = [:]
    var distances: [Pair: (sum: Float, count: Int)] = [:]
    var known: [Int: PosedFrame] = [:]
    for frame in recent { known[frame.id.range.lowerBound] = frame }
    for frame in warmUp {
      guard let before = known[frame.id.range.lowerBound] else { continue }
      for pose in frame.poses {
        for other in before.poses {
          guard let new = pose.personID, let old = other.personID,
            let distance = Figure(pose, in: frame).distance(to: Figure(other, in: before))
          else { continue }
          let sofar = distances[Pair(old: old, new: new), default: (0, 0)]
          distances[Pair(old: old, new: new)] = (sofar.sum + distance, sofar.count + 1)
        }
      }
    }
    let pairs = distances.map { (pair: $0.key, distance: $0.value.sum / Float($0.value.count)) }
      .filter { $0.distance < Self.sameness }
      .sorted { ($0.distance, $0.pair.old, $0.pair.new) < ($1.distance, $1.pair.old, $1.pair.new) }
    for (pair, _) in pairs where names[pair.new] == nil && !names.values.contains(pair.old) {
      names[pair.new] = pair.old
    }
    missing = Set(tracks.keys).subtracting(names.values)
  }

  /// A frame with the ids of the whole video.
  mutating func joined(_ frame: PosedFrame) -> PosedFrame {
    let time = frame.id.rangeInSeconds.lowerBound
    var frame = frame
    for index in frame.poses.indices {
      guard let id = frame.poses[index].personID else { continue }
      let figure = Figure(frame.poses[index], in: frame)
      let name = names[id] ?? name(for: figure, at: time)
      names[id] = name
      frame.poses[index].personID = name
      tracks[name] = Track(time: time, figure: figure)
    }
    frame.poses.sort { ($0.personID ?? .max) < ($1.personID ?? .max) }
    recent.removeAll { time - $0.id.rangeInSeconds.lowerBound > Self.memory }
    recent.append(frame)
    return frame
  }

  /// The id of a missing person near a figure, or a new one.
  private mutating func name(for figure: Figure, at time: Double) -> Int {
    missing = missing.filter { time - (tracks[$0]?.time ?? -.infinity) <= Self.memory }
    let near = missing.sorted().compactMap { id -> (id: Int, distance: Float)? in
      guard let distance = tracks[id]?.figure.centerDistance(to: figure),
        distance < Self.reach
      else { return nil }
      return (id, distance)
    }
    if let nearest = near.min(by: { $0.distance < $1.distance }) {
      missing.remove(nearest.id)
      return nearest.id
    }
    defer { nextID += 1 }
    return nextID
  }

  private struct Pair: Hashable {
    let old: Int
    let new: Int
  }
}

/// The places of a person's joints in pixels.
private struct Figure {
  private let points: [JointKey: SIMD2<Float>]
  private let low: SIMD2<Float>
  private let high: SIMD2<Float>

  init(_ pose: Pose, in frame: PosedFrame) {
    let size = SIMD2(Float(frame.size?.width ?? 1), Float(frame.size?.height ?? 1))
    points = pose.keypoints.mapValues { $0.position * size }
    low = points.values.reduce(SIMD2(repeating: .infinity)) { pointwiseMin($0, $1) }
    high = points.values.reduce(SIMD2(repeating: -.infinity)) { pointwiseMax($0, $1) }
  }

  private var size: Float { max(1, (high - low).max()) }

  /// How far the joints are from those of another, on average, as a share of the size.
  func distance(to other: Figure) -> Float? {
    // In the order of the keys: sums of floating-point numbers depend on it.
    let distances = points.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { key, point in
      other.points[key].map { (point - $0).length }
    }
    guard !distances.isEmpty else { return nil }
    return distances.reduce(0, +) / Float(distances.count) / max(size, other.size)
  }

  /// How far the middles are apart, as a share of the size.
  func centerDistance(to other: Figure) -> Float {
    ((low + high) / 2 - (other.low + other.high) / 2).length / max(size, other.size)
  }
}
