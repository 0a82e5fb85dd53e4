/// Tracks people or hands: detections of a frame in, tracks out.
///
/// A frame starts with ``advance(to:)``. Its detections are added in one or more steps: those in
/// the regions of visible tracks by ``assign(_:in:)``, others by ``returning(_:in:)`` or
/// ``add(_:content:)``. Tracks without a detection in the frame are occluded.
package struct Tracker<Content: Sendable>: Sendable {
  /// A detection with the tracks in whose regions it was found.
  package struct Candidate: Sendable {
    package var detection: Detection
    package var owners: [Int]

    package init(_ detection: Detection, owners: [Int] = []) {
      (self.detection, self.owners) = (detection, owners)
    }
  }

  package let rules: TrackingRules
  /// The visible and occluded tracks, in the order in which they became visible.
  package private(set) var tracks: [Track<Content>] = []
  /// The lost tracks.
  package private(set) var lost: Reidentification
  private var time = -Double.infinity
  private var nextKey = 1
  private var nextID = 1

  package init(rules: TrackingRules) {
    self.rules = rules
    lost = Reidentification(rules: rules)
  }

  package var visible: [Track<Content>] { tracks.filter(\.isVisible) }
  /// The tracks with an id but no detection.
  package var occluded: [Track<Content>] { tracks.filter { $0.state == .occluded } }
  /// Those that are searched and keep their places.
  package var missed: [Track<Content>] { occluded.filter(\.isEstablished) }

  package subscript(key: Int) -> Track<Content>? { tracks.first { $0.key == key } }

  /// Drops all tracks for a new clip; ids are not used again.
  package mutating func reset() {
    tracks = []
    lost = Reidentification(rules: rules)
    time = -.infinity
  }

  /// Begins a frame at a time in seconds.
  package mutating func advance(to time: Double) {
    self.time = time
    for track in tracks where track.state == .occluded && time - track.lastSeen > rules.occlusion {
      lose(track.key)
    }
    lost.advance(to: time)
  }

  // MARK: - Assignment

  /// The track of each candidate among all tracks.
  ///
  /// Unless there are several people, the longest track goes first.
  ///
  /// - Returns: Keys of tracks by candidate.
  package func assign(_ candidates: [Candidate], in company: Company = .several) -> [Int?] {
    let costs = tracks.map { track in
      candidates.indices.map { index in
        let candidate = candidates[index]
        let isOwn = candidate.owners.contains(track.key)
        guard company == .several else { return isOwn ? track.seniority : .infinity }
        return isOwn
          ? ownCost(track, index, among: candidates) : moveCost(track, candidate.detection)
      }
    }
    let columns = Assignment.solve(costs, missing: 2 * rules.foreignCost)
    var keys = [Int?](repeating: nil, count: candidates.count)
    for (track, column) in zip(tracks, columns) {
      if let column { keys[column] = track.key }
    }
    return keys
  }

  /// Whether no other candidate covers much of one.
  package func isApart(_ index: Int, among candidates: [Candidate]) -> Bool {
    candidates.indices.allSatisfy {
      $0 == index
        || candidates[index].detection.sharedBox(with: candidates[$0].detection)
          <= rules.coveringShare
    }
  }

  /// The cost of a detection in the track's own region.
  private func ownCost(
    _ track: Track<Content>, _ index: Int, among candidates: [Candidate]
  ) -> Float {
    let detection = candidates[index].detection
    let cost = track.cost(of: detection, at: time)
    // A track with an id goes first.
    guard track.id != nil else { return rules.foreignCost + min(cost, rules.likelyCost) }
    let highest = min(cost, rules.ownLimit * rules.foreignCost)
    guard track.appearanceCount > 0 || track.count > rules.confirmationCount else {
      return highest
    }
    let isOther = (track.appearanceDifference(of: detection) ?? 0) > rules.otherAppearance
    let isForeign =
      if isApart(index, among: candidates) {
        // Once may be chance.
        cost > (track.isUnlikely ? rules.likelyCost : rules.foreignCost)
      } else {
        cost > rules.foreignCost
          && candidates.indices.contains {
            $0 != index && candidates[$0].detection.overlap(detection) > rules.twinOverlap
          }
      }
    return isOther || isForeign ? .infinity : highest
  }

  /// The cost of a detection elsewhere.
  private func moveCost(_ track: Track<Content>, _ detection: Detection) -> Float {
    // Without visible colours, the body may be a mixture of two people.
    guard track.id != nil, detection.appearance != nil || track.appearance == nil,
      track.admits(detection, at: time)
    else { return .infinity }
    let cost = track.cost(of: detection, at: time)
    return cost <= rules.likelyCost ? cost + rules.moveCost : .infinity
  }

  /// The occluded track to which a detection most likely belongs.
  package func returning(_ detection: Detection, in company: Company = .several) -> Int? {
    occluded.filter {
      company == .nobody ? $0.reaches(detection, at: time) : $0.admits(detection, at: time)
    }.min { $0.cost(of: detection, at: time) < $1.cost(of: detection, at: time) }?.key
  }

  /// Whether a detection belongs to an occluded track.
  ///
  /// Without visible colours it does not: detections behind painted-out people may be false, and
  /// would hold the prediction at a wrong position.
  package func isLikely(_ key: Int, _ detection: Detection) -> Bool {
    guard let track = self[key], detection.appearance != nil else { return false }
    return track.admits(detection, at: time)
      && track.cost(of: detection, at: time) <= rules.likelyCost && isPlainly(key, detection)
  }

  /// Whether a detection is far less likely to belong to any other occluded track.
  ///
  /// Short tracks may be the same person under another id.
  func isPlainly(_ key: Int, _ detection: Detection) -> Bool {
    guard let track = self[key] else { return false }
    let limit = track.cost(of: detection, at: time) + rules.ambiguity
    return !occluded.contains {
      $0.key != key && $0.count >= min(track.count, rules.establishedCount)
        && $0.admits(detection, at: time) && $0.cost(of: detection, at: time) < limit
    }
  }

  // MARK: - Visibility

  /// Whether nobody is near a detection or predicted there.
  package func isClear(
    _ detection: Detection, among others: [Detection], in company: Company
  ) -> Bool {
    // The detection itself is included.
    others.count { detection.sharedBox(with: $0) > rules.clearShare } <= 1
      && !(company == .several && isAnybodyMissed(near: detection))
  }

  /// Whether an occluded track is predicted near a detection.
  func isAnybodyMissed(near detection: Detection) -> Bool {
    missed.contains { detection.sharedBox(with: $0.predicted(at: time)) > rules.clearShare }
  }

  /// Whether a track's detection may be another person's, so that the prediction is reported.
  package func isDoubtful(_ track: Track<Content>, in company: Company) -> Bool {
    company == .several && track.isUnlikely
      || track.isUnlikeInCrowd && isAnybodyMissed(near: track.detection)
  }

  /// Whether a missing track is reported at its prediction: a visible one hides it.
  package func isCarried(_ track: Track<Content>) -> Bool {
    guard time - track.lastSeen <= rules.carry else { return false }
    let expected = track.predicted(at: time)
    return visible.contains {
      $0.id != nil && expected.sharedBox(with: $0.detection) > rules.hiddenShare
    }
  }

  // MARK: - Changes

  /// Adds the detection of this frame to a track.
  package mutating func update(
    _ key: Int, with detection: Detection, isClear: Bool = true,
    content change: (inout Content) -> Void = { _ in }
  ) {
    guard let index = tracks.firstIndex(where: { $0.key == key }) else { return }
    var track = tracks[index]
    let isReturned = track.state == .occluded
    track.update(detection, at: time, isClear: isClear)
    change(&track.content)
    if isReturned {
      tracks.remove(at: index)
      tracks.append(track)
    } else {
      tracks[index] = track
    }
  }

  /// Starts a track.
  @discardableResult
  package mutating func add(_ detection: Detection, content: Content) -> Int {
    defer { nextKey += 1 }
    tracks.append(
      Track(detection, content: content, key: nextKey, at: time, rules: rules))
    return nextKey
  }

  /// Ends the visibility of the tracks without a detection in this frame.
  package mutating func missOthers() {
    tracks.removeAll { $0.state == .tentative && $0.lastSeen < time }
    for index in tracks.indices where tracks[index].lastSeen < time {
      tracks[index].state = .occluded
    }
  }

  /// Drops a track that has given its place away, or is not of this clip; its id may return.
  package mutating func lose(_ key: Int) {
    guard let index = tracks.firstIndex(where: { $0.key == key }) else { return }
    let track = tracks.remove(at: index)
    guard let id = track.id else { return }
    lost.add(
      id, appearance: track.appearanceCount >= rules.appearanceCount ? track.appearance : nil,
      rightness: track.rightness, at: track.lastSeen)
  }

  /// Changes what the owner keeps with a track.
  package mutating func changeContent(of key: Int, _ change: (inout Content) -> Void) {
    guard let index = tracks.firstIndex(where: { $0.key == key }) else { return }
    change(&tracks[index].content)
  }

  /// Removes tracks, which ``restore(_:)`` brings back.
  package mutating func remove(where isRemoved: (Track<Content>) -> Bool) -> [Track<Content>] {
    defer { tracks.removeAll(where: isRemoved) }
    return tracks.filter(isRemoved)
  }

  /// Brings removed tracks back.
  package mutating func restore(_ removed: [Track<Content>]) {
    tracks += removed
  }

  /// Confirms a track with the id of an occluded track, of a lost one, or a new one.
  package mutating func confirm(_ key: Int, in company: Company = .several) {
    guard let track = self[key] else { return }
    if let old = returning(track.detection, in: company),
      company == .nobody || isPlainly(old, track.detection), let id = self[old]?.id
    {
      tracks.removeAll { $0.key == old }
      name(key, id)
    } else if let id = lostID(of: track) {
      name(key, id)
      lost.remove(id)
    } else {
      name(key, nextID)
      nextID += 1
    }
  }

  private mutating func name(_ key: Int, _ id: Int) {
    guard let index = tracks.firstIndex(where: { $0.key == key }) else { return }
    (tracks[index].id, tracks[index].state) = (id, .confirmed)
  }

  /// The id of the lost track that a track continues.
  private mutating func lostID(of track: Track<Content>) -> Int? {
    if let rightness = track.rightness {
      let isOnly = visible.allSatisfy {
        $0.key == track.key || ($0.rightness ?? 0.5 >= 0.5) != (rightness >= 0.5)
      }
      guard isOnly else { return nil }
      // A fast hand is soon out of reach.
      for hand in occluded { lose(hand.key) }
      return lost.match(rightness: rightness)
    }
    // Near others, the colours may be theirs.
    guard let appearance = track.appearance, track.appearanceCount > 0 || visible.count == 1 else {
      return nil
    }
    return lost.match(
      appearance, others: tracks.filter { $0.key != track.key }.compactMap(\.appearance))
  }
}

extension Track {
  /// The cost of a detection in the track's own region if there is one person only: the reported
  /// track goes first, then the longest.
  fileprivate var seniority: Float { (id == nil ? 1 : 0) + 1 / Float(1 + count) }
}
