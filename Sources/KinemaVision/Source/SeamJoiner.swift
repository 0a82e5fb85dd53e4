import KinemaPose
import KinemaStreams
import KinemaTracking

/// Gives each person of a video one id, from 1, over all segments.
///
/// A segment starts a moment early, while the last one is still tracked: tracks at the same place
/// in both are one person. Other tracks that start are linked to those that ended by a
/// ``TrackletLinker``, once they were observed for ``TrackingRules/lookAhead``; frames wait until
/// the ids of all their people are decided.
struct SeamJoiner {
  /// The memory for images of frames that wait, in bytes.
  private static let pictureByteCount = 64 << 20
  private static let rules = TrackingRules.bodies

  private let linker = TrackletLinker(rules: rules)
  /// The tracklets by the ids of the video.
  private var known: [Int: Tracklet] = [:]
  private var nextID = 1
  /// The ids of the video by those of the segment.
  private var names: [Int: Int] = [:]
  /// Those without an id of the video, by those of the segment.
  private var undecided: [Int: Tracklet] = [:]
  private var waiting: [PosedFrame] = []
  /// The last frames, as long as a warming up may be.
  private var recent: [PosedFrame] = []

  /// Whether a segment has found everybody who is tracked in the same frame of the one before.
  mutating func agrees(with frame: PosedFrame) -> Bool {
    guard let old = recent.last(where: { $0.id.range.lowerBound == frame.id.range.lowerBound })
    else { return waiting.isEmpty }
    // Occluded people have no points.
    let tracked = old.detections.filter { $0.detection.shape.contains { $0 != nil } }
    let links = linker.link(
      tracked.flatMap { old in frame.detections.map { (old: old, new: $0) } })
    return Set(links.values).isSuperset(of: tracked.map(\.id))
  }

  /// Begins another segment.
  ///
  /// - Parameter warmUp: Its frames before its start.
  /// - Returns: The frames that waited, with the ids of the video.
  mutating func beginSegment(_ warmUp: [PosedFrame]) -> [PosedFrame] {
    let rest = finish()
    var before: [Int: PosedFrame] = [:]
    for frame in recent { before[frame.id.range.lowerBound] = frame }
    let pairs = warmUp.flatMap { frame in
      (before[frame.id.range.lowerBound]?.detections ?? []).flatMap { old in
        frame.detections.map { (old: old, new: $0) }
      }
    }
    names = linker.link(pairs)
    return rest
  }

  /// Adds a frame.
  ///
  /// - Returns: The frames whose ids are decided, with the ids of the video, in order.
  mutating func add(_ frame: PosedFrame) -> [PosedFrame] {
    let time = frame.time
    known = known.filter { time - $0.value.end.time <= Self.rules.memory }
    for (id, detection) in frame.detections {
      if let name = names[id] {
        known[name, default: Tracklet(id: name, detection, at: time)].extend(detection, at: time)
      } else {
        undecided[id, default: Tracklet(id: id, detection, at: time)].extend(detection, at: time)
      }
    }
    waiting.append(frame)
    let limit = Self.pictureByteCount / max(1, 4 * (frame.size.map { $0.width * $0.height } ?? 1))
    let oldest = undecided.values.map(\.start.time).min() ?? time
    if !mayContinue(at: time) || time - oldest >= Self.rules.lookAhead || waiting.count > limit {
      decide()
    }
    return decided()
  }

  /// Decides all ids.
  ///
  /// - Returns: The frames that waited, with the ids of the video.
  mutating func finish() -> [PosedFrame] {
    decide()
    return decided()
  }

  /// Whether an undecided person may be one who left, as the look-ahead will show.
  private func mayContinue(at time: Double) -> Bool {
    known.values.contains { old in
      old.appearance != nil && undecided.values.contains { old.end.time < $0.start.time }
    }
  }

  private mutating func decide() {
    guard !undecided.isEmpty else { return }
    let new = undecided.values.sorted { ($0.start.time, $0.id) < ($1.start.time, $1.id) }
    let old = known.values.sorted { $0.id < $1.id }
    for (tracklet, link) in zip(new, linker.link(old, to: new)) {
      let name = link.map { old[$0].id } ?? nextID
      nextID = max(nextID, name + 1)
      names[tracklet.id] = name
      var named = tracklet
      named.id = name
      known[name] = named
    }
    undecided = [:]
  }

  /// The waiting frames, with the ids of the video.
  private mutating func decided() -> [PosedFrame] {
    guard undecided.isEmpty else { return [] }
    defer { waiting = [] }
    return waiting.map { frame in
      var frame = frame
      for index in frame.poses.indices {
        frame.poses[index].personID = frame.poses[index].personID.flatMap { names[$0] }
      }
      frame.sortPoses()
      frame.renameAppearances { names[$0] }
      recent.removeAll { frame.time - $0.time > Self.rules.seamMemory }
      recent.append(frame)
      recent[recent.count - 1].picture = nil
      return frame
    }
  }
}

extension PosedFrame {
  /// Gives the appearances other ids, or drops them.
  mutating func renameAppearances(_ name: (Int) -> Int?) {
    appearances = Dictionary(
      appearances.compactMap { id, seen in name(id).map { ($0, seen) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// What is compared of each pose with an id.
  var detections: [(id: Int, detection: Detection)] {
    let aspectRatio = size.map { Float($0.width) / Float($0.height) } ?? 1
    return poses.compactMap { pose in
      pose.personID.map { id in
        let detection = Detection(
          pose, aspectRatio: aspectRatio, appearance: appearances[id])
        // An occluded person has no confident joint.
        return (id, detection ?? Detection(position: .zero, size: 1))
      }
    }
  }
}
