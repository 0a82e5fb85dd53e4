/// Gives each person of a video one id, from 1, over all segments.
///
/// A segment starts a moment early, while the last one is still tracked: tracks at the same place
/// in both are one person. Other tracks that start are linked to those that ended by a
/// ``TrackletLinker``, once they were observed for ``TrackingRules/lookAhead``; frames wait until
/// the ids of all their people are decided. Among several people a track is cut where it jumps,
/// where its clothes change, or where another one starts while it has no detection: it may have gone
/// over to another person. A detection among others that is in another person's clothes counts as an
/// occlusion.
struct SeamJoiner<Payload: Sendable>: Sendable {
  private let rules: TrackingRules
  private let linker: TrackletLinker
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
  private var waiting: [WaitingFrame<Payload>] = []
  /// The people of the last frames, as long as a warming up may be.
  private var recent: [WaitingFrame<Void>] = []

  init(rules: TrackingRules) {
    self.rules = rules
    linker = TrackletLinker(rules: rules)
  }

  /// Whether a segment has found everybody who is tracked in the same frame of the one before.
  func agrees(with frame: WaitingFrame<Void>) -> Bool {
    guard let old = recent.last(where: { $0.number == frame.number }) else {
      return waiting.isEmpty
    }
    // Occluded people have no points.
    let tracked = old.people.detections.filter { $0.detection.shape.contains { $0 != nil } }
    let links = linker.link(
      tracked.flatMap { old in frame.people.detections.map { (old: old, new: $0) } })
    return Set(links.values).isSuperset(of: tracked.map(\.id))
  }

  /// Begins another segment.
  ///
  /// - Parameter warmUp: Its frames before its start.
  /// - Returns: The frames that waited, with the ids of the video.
  mutating func beginSegment(_ warmUp: [WaitingFrame<Void>]) -> [WaitingFrame<Payload>] {
    let rest = finish()
    var before: [Int: [TrackedPerson]] = [:]
    for frame in recent { before[frame.number] = frame.people }
    let pairs = warmUp.flatMap { frame in
      (before[frame.number] ?? []).detections.flatMap { old in
        frame.people.detections.map { (old: old, new: $0) }
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
  mutating func add(_ frame: WaitingFrame<Payload>) -> [WaitingFrame<Payload>] {
    var frame = frame
    let time = frame.time
    known = known.filter { time - $0.value.end.time <= rules.memory }
    let seen = frame.people.seenIDs
    // Those that hold their ids first, so that these are seen to be taken.
    for isReplaced in [false, true] {
      for (id, detection) in frame.people.detections where self.isReplaced(id) == isReplaced {
        observe(id, detection, isSeen: seen.contains(id), at: time)
      }
    }
    frame.people.rename { current[$0] }
    waiting.append(frame)
    let oldest = undecided.values.map(\.start.time).min() ?? time
    if !mayContinue(at: time) || time - oldest >= rules.lookAhead
      || waiting.count > frame.limits.ids
    {
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
      known[name] = Tracklet(id: name, detection, at: time, rules: rules)
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
      id: -number, after: isNamed ? last.map { names[$0] ?? -$0 } : nil, detection, at: time,
      rules: rules)
  }

  /// Whether another track has taken over the id of a track.
  private func isReplaced(_ id: Int) -> Bool {
    guard let tracklet = current[id], let name = names[tracklet] else { return false }
    return holders[name] != tracklet
  }

  /// Whether a detection of a tracklet's track may be another person's.
  private func isCut(_ tracklet: Tracklet, at detection: Detection, _ time: Double) -> Bool {
    let others = (Array(known.values) + undecided.values).filter { $0.id != tracklet.id }
    guard others.contains(where: { time - $0.end.time <= rules.seamMemory }) else {
      return false
    }
    return tracklet.jumps(to: detection, at: time) || tracklet.changesClothes(to: detection)
      || undecided.values.contains { $0.start.time > tracklet.end.time && $0.start.time < time }
  }

  /// Decides all ids.
  ///
  /// - Returns: The frames that waited, with the ids of the video.
  mutating func finish() -> [WaitingFrame<Payload>] {
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
  private mutating func decided() -> [WaitingFrame<Payload>] {
    guard undecided.isEmpty else { return [] }
    defer { waiting = [] }
    return waiting.map { frame in
      var frame = frame
      // Tracks without any detection have no tracklet.
      frame.people.removeAll { $0.id.map { names[$0] == nil } ?? false }
      frame.people.rename { names[$0] }
      doubt(&frame.people)
      // A track is predicted while another one has its person.
      let seen = frame.people.seenIDs
      frame.people.removeAll { !$0.isSeen && $0.id.map(seen.contains) ?? false }
      frame.sortPeople()
      recent.removeAll { frame.time - $0.time > rules.seamMemory }
      recent.append(frame.withoutPayload)
      return frame
    }
  }

  /// Leaves people whose detections may be other people's without confident joints.
  private func doubt(_ people: inout [TrackedPerson]) {
    guard people.count > 1 else { return }
    let doubtful = people.detections.filter { known[$0.id]?.isUnlike($0.detection) ?? false }
    let ids = Set(doubtful.map(\.id))
    for index in people.indices where people[index].id.map(ids.contains) ?? false {
      people[index] = people[index].inferred(rules: rules)
    }
  }
}

extension [TrackedPerson] {
  /// What is compared of each person with an id.
  fileprivate var detections: [(id: Int, detection: Detection)] {
    compactMap { person in person.id.map { ($0, person.detection) } }
  }

  fileprivate var seenIDs: Set<Int> { Set(filter(\.isSeen).compactMap(\.id)) }

  /// Gives the people other ids; two tracks of one person show the colours of the first.
  fileprivate mutating func rename(_ name: (Int) -> Int?) {
    let shown = detections.sorted { $0.id < $1.id }.compactMap { id, detection in
      detection.appearance.flatMap { seen in name(id).map { ($0, seen) } }
    }
    let appearances = Dictionary(shown, uniquingKeysWith: { first, _ in first })
    for index in indices {
      self[index].id = self[index].id.flatMap(name)
      self[index].detection.appearance = self[index].id.flatMap { appearances[$0] }
    }
  }
}
