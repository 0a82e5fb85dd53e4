import KinemaPose
import KinemaStreams
import KinemaTracking

/// Gives each person of a video one id, from 1, over all segments.
///
/// A segment starts a moment early, while the last one is still tracked: tracks at the same place
/// in both are one person. Other tracks that start are linked to those that ended by a
/// ``TrackletLinker``, once they were observed for ``TrackingRules/lookAhead``; frames wait until
/// the ids of all their people are decided. Among several people a track is cut where it jumps,
/// where its clothes change, or where another one starts while it has no detection: it may have gone
/// over to another person. A detection among others that is in another person's clothes counts as an
/// occlusion.
package struct SeamJoiner {
  private static let rules = TrackingRules.bodies

  private let linker = TrackletLinker(rules: rules)
  /// The tracklets by the ids of the video.
  private var known: [Int: Tracklet] = [:]
  private var nextID = 1
  /// The tracklets of the segment's tracks, which are numbered over the whole video.
  private var current: [Int: Int] = [:]
  private var nextTracklet = 1
  /// The ids of the video by tracklets.
  private var names: [Int: Int] = [:]
  /// The last tracklet of each id of the video.
  private var holders: [Int: Int] = [:]
  /// Those without an id of the video.
  private var undecided: [Int: Tracklet] = [:]
  private var waiting: [PosedFrame] = []
  /// The last frames, as long as a warming up may be.
  private var recent: [PosedFrame] = []

  package init() {}

  /// Whether a segment has found everybody who is tracked in the same frame of the one before.
  package mutating func agrees(with frame: PosedFrame) -> Bool {
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
  package mutating func beginSegment(_ warmUp: [PosedFrame]) -> [PosedFrame] {
    let rest = finish()
    var before: [Int: PosedFrame] = [:]
    for frame in recent { before[frame.id.range.lowerBound] = frame }
    let pairs = warmUp.flatMap { frame in
      (before[frame.id.range.lowerBound]?.detections ?? []).flatMap { old in
        frame.detections.map { (old: old, new: $0) }
      }
    }
    current = [:]
    for (id, name) in linker.link(pairs) {
      current[id] = nextTracklet
      names[nextTracklet] = name
      holders[name] = nextTracklet
      nextTracklet += 1
    }
    return rest
  }

  /// Adds a frame.
  ///
  /// - Returns: The frames whose ids are decided, with the ids of the video, in order.
  package mutating func add(_ frame: PosedFrame) -> [PosedFrame] {
    var frame = frame
    let time = frame.time
    known = known.filter { time - $0.value.end.time <= Self.rules.memory }
    let seen = Set(frame.poses.filter(\.isSeen).compactMap(\.personID))
    // Those that hold their ids first, so that these are seen to be taken.
    for isReplaced in [false, true] {
      for (id, detection) in frame.detections where self.isReplaced(id) == isReplaced {
        observe(id, detection, isSeen: seen.contains(id), at: time)
      }
    }
    frame.rename { current[$0] }
    waiting.append(frame)
    let limit =
      PosedFrame.waitingByteCount / max(1, 4 * (frame.size.map { $0.width * $0.height } ?? 1))
    let oldest = undecided.values.map(\.start.time).min() ?? time
    if !mayContinue(at: time) || time - oldest >= Self.rules.lookAhead || waiting.count > limit {
      decide()
    }
    return decided()
  }

  /// Adds the detection of a track to its tracklet, or to another one.
  private mutating func observe(
    _ id: Int, _ detection: Detection, isSeen: Bool, at time: Double
  ) {
    if let old = current[id], let tracklet = undecided[old] ?? names[old].flatMap({ known[$0] }) {
      guard isSeen else { return }
      guard isReplaced(id) || isCut(tracklet, at: detection, time) else {
        undecided[old]?.extend(detection, at: time)
        if let name = names[old] { known[name]?.extend(detection, at: time) }
        return
      }
    } else if let old = current[id], let name = names[old] {
      known[name] = Tracklet(id: name, detection, at: time)
      return
    }
    let last = current[id]
    let isNamed = last.map { undecided[$0] != nil || names[$0] != nil } ?? false
    // A tracklet begins with a detection; its number may be older.
    let number = isNamed ? nextTracklet : last ?? nextTracklet
    nextTracklet = max(nextTracklet, number + 1)
    current[id] = number
    guard isSeen else { return }
    undecided[number] = Tracklet(
      id: -number, after: isNamed ? last.map { names[$0] ?? -$0 } : nil, detection, at: time)
  }

  /// Whether another track has taken over the id of a track.
  private func isReplaced(_ id: Int) -> Bool {
    guard let tracklet = current[id], let name = names[tracklet] else { return false }
    return holders[name] != tracklet
  }

  /// Whether a detection of a tracklet's track may be another person's.
  private func isCut(_ tracklet: Tracklet, at detection: Detection, _ time: Double) -> Bool {
    let others = (Array(known.values) + undecided.values).filter { $0.id != tracklet.id }
    guard others.contains(where: { time - $0.end.time <= Self.rules.seamMemory }) else {
      return false
    }
    return tracklet.jumps(to: detection, at: time) || tracklet.changesClothes(to: detection)
      || undecided.values.contains { $0.start.time > tracklet.end.time && $0.start.time < time }
  }

  /// Decides all ids.
  ///
  /// - Returns: The frames that waited, with the ids of the video.
  package mutating func finish() -> [PosedFrame] {
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
    let new = undecided.values.sorted { ($0.start.time, -$0.id) < ($1.start.time, -$1.id) }
    let old = known.values.sorted { $0.id < $1.id }
    var decided = old.map(\.id)
    for (tracklet, link) in zip(new, linker.link(old, to: new)) {
      let name = link.map { decided[$0] } ?? nextID
      nextID = max(nextID, name + 1)
      decided.append(name)
      names[-tracklet.id] = name
      holders[name] = -tracklet.id
      var named = tracklet
      named.id = name
      if let earlier = known[name] { named.continues(earlier) }
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
      // Tracks without any detection have no tracklet.
      frame.poses.removeAll { $0.personID.map { names[$0] == nil } ?? false }
      frame.rename { names[$0] }
      frame.doubt { known[$0]?.isUnlike($1) ?? false }
      // A track is predicted while another one has its person.
      let seen = Set(frame.poses.filter(\.isSeen).compactMap(\.personID))
      frame.poses.removeAll { !$0.isSeen && $0.personID.map(seen.contains) ?? false }
      frame.sortPoses()
      recent.removeAll { frame.time - $0.time > Self.rules.seamMemory }
      recent.append(frame)
      recent[recent.count - 1].picture = nil
      return frame
    }
  }
}

extension PosedFrame {
  /// Gives the people other ids.
  mutating func rename(_ name: (Int) -> Int?) {
    for index in poses.indices { poses[index].personID = poses[index].personID.flatMap(name) }
    appearances = Dictionary(
      appearances.sorted { $0.key < $1.key }.compactMap { id, seen in name(id).map { ($0, seen) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// Leaves the poses whose detections may be other people's without confident joints.
  fileprivate mutating func doubt(_ isUnlike: (Int, Detection) -> Bool) {
    guard poses.count > 1 else { return }
    let doubtful = Set(detections.filter { isUnlike($0.id, $0.detection) }.map(\.id))
    for index in poses.indices where poses[index].personID.map(doubtful.contains) ?? false {
      poses[index] = poses[index].inferred
      appearances[poses[index].personID ?? 0] = nil
    }
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
