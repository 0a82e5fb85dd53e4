import KinemaPose
import KinemaTracking
import KinemaVideo

/// Finds people who are not tracked: occluded ones where they are predicted, others with the detector.
extension PersonFollower {
  // MARK: - Recovery

  /// Searches occluded tracks at their predicted positions, and there with visible people painted
  /// out.
  mutating func recover(
    in frame: Frame, at time: Double, networks: inout PoseNetworks
  ) throws(VisionError) {
    let occluded = tracker.occluded
    let turn = occluded.indices.map { occluded[($0 + frameCount) % occluded.count] }
    for person in turn.prefix(rules.search.recoveryCount) where people.count < maximumPersonCount {
      let region = person.expectedRegion(at: time)
      guard region.isCentred(in: frame) else { continue }
      let expected = person.predicted(at: time)
      let near = people.filter {
        expected.sharedBox(with: $0.detection) > rules.coveringShare
      }.map(\.landmarks)
      for hidden in near.isEmpty ? [[]] : [[], near] {
        guard
          let landmarks = try networks.landmarks(exactlyIn: region, of: frame, hiding: hidden),
          landmarks.presence >= rules.search.furtherPresence,
          !bodies.contains(where: { $0.landmarks.isSameBody(as: landmarks) })
        else { continue }
        let body = Body(landmarks, in: frame, behind: hidden)
        guard tracker.isLikely(person.key, body.detection) else { continue }
        bringBack(person.key, as: body, at: time)
        break
      }
    }
  }

  // MARK: - Detection

  /// Runs the detector, at most once except at the start of a clip.
  mutating func search(
    _ frame: Frame, at time: Double, otherMotion: OtherMotion, networks: inout PoseNetworks
  ) throws(VisionError) {
    if isNobodyReported {
      try searchFirst(frame, at: time, networks: &networks)
      return
    }
    let isFull = people.count >= maximumPersonCount
    let isCrowd = company == .several
    let hidden = isCrowd ? people.map(\.landmarks) : []
    let missing = isCrowd && !isFull ? tracker.missed.map { $0.expectedRegion(at: time) } : []
    if let look = plan.next(
      for: frame, at: time, missing: missing.filter { $0.isCentred(in: frame) }, isFull: isFull,
      amongSeveral: isCrowd && time - lastCompany < rules.search.companyMemory,
      otherMotion: otherMotion)
    {
      let count = try search(look, of: frame, hiding: hidden, at: time, networks: &networks)
      plan.note(found: count, in: look)
    }
  }

  /// Searches while nobody is reported.
  private mutating func searchFirst(
    _ frame: Frame, at time: Double, networks: inout PoseNetworks
  ) throws(VisionError) {
    // People in the whole frame come before those waiting to be reported.
    let waiting = tracker.remove { $0.state == .tentative && $0.content.isVerified }
    let whole = SearchPlan.whole(frame)
    _ = try search(whole, of: frame, hiding: [], at: time, networks: &networks)
    plan.noteWhole(at: time)
    guard people.isEmpty else {
      if isOpened { return }
      isOpened = true
      for look in plan.largeParts(frame) {
        _ = try search(look, of: frame, hiding: [], at: time, networks: &networks)
      }
      // Where there are two there may be more, and smaller ones.
      if people.count > 1 {
        for look in plan.smallParts(frame) {
          _ = try search(look, of: frame, hiding: [], at: time, networks: &networks)
        }
      }
      return
    }
    tracker.restore(waiting)
    guard people.isEmpty else { return }
    for part in plan.firstSearches(of: frame, lost: lostRegion(at: time)) {
      _ = try search(part, of: frame, hiding: [], at: time, networks: &networks)
    }
  }

  /// - Returns: The number of people found.
  private mutating func search(
    _ look: SearchPlan.Look, of frame: Frame, hiding hidden: [BodyLandmarks], at time: Double,
    networks: inout PoseNetworks
  ) throws(VisionError) -> Int {
    var count = 0
    for detection in try networks.people(in: look.region, of: frame, hiding: hidden) {
      if let known = bodies.first(where: { isCovered(detection, by: $0.landmarks) }) {
        note(detection, of: known, at: time)
        continue
      }
      guard !isFurniture(detection, in: frame),
        people.count < maximumPersonCount || detection.score >= rules.search.confidentScore,
        let found = try further(
          in: detection.region, of: frame, hiding: hidden, networks: &networks),
        look.isWhole && people.isEmpty || isPlausible(detection, found, in: look),
        !bodies.contains(where: { $0.landmarks.isSameBody(as: found) })
      else { continue }
      let body = Body(found, in: frame)
      let company = company
      if let key = tracker.returning(body.detection, in: company),
        company == .nobody || tracker.isLikely(key, body.detection)
      {
        guard people.count < maximumPersonCount || makeRoom(for: body, in: frame) else { continue }
        bringBack(key, as: body, at: time)
      } else {
        let isPart = people.contains {
          // Remains of a painted-out person may look like another one.
          $0.landmarks.overlaps(found) || company == .several && found.isPart(of: $0.landmarks)
        }
        let isSure = detection.score >= rules.verification.score
        let isPerson = isPerson(body.landmarks, in: frame, at: time)
        guard !isPart,
          people.count + reservedCount < maximumPersonCount
            || (isSure || isPerson) && makeRoom(for: body, in: frame)
        else { continue }
        let isConfident = try isConfident(detection, body, of: frame, networks: &networks)
        let content = FollowedPerson(
          body.landmarks, foundIn: detection.region, isSeenInWhole: look.isWhole,
          isConfident: isConfident, isVerified: isPerson, sureCount: isSure ? 1 : 0, at: time)
        let key = tracker.add(body.detection, content: content)
        guard try verify(key, in: frame, at: time, networks: &networks) else { continue }
      }
      count += 1
    }
    return count
  }

  /// Number of places reserved for established tracks that are not visible.
  private var reservedCount: Int { isNobodyReported ? 0 : tracker.missed.count }

  /// Drops the track of a visible person for a more prominent one.
  ///
  /// While a person is missing, or at a visible person's place, the body may be of a known person.
  private mutating func makeRoom(for body: Body, in frame: Frame) -> Bool {
    func prominence(_ detection: Detection, _ landmarks: BodyLandmarks) -> Float {
      detection.area(width: frame.width, height: frame.height) * landmarks.presence
    }
    let holders = people
    guard tracker.occluded.isEmpty, body.landmarks.presence >= rules.search.confidentPresence,
      holders.allSatisfy({
        body.detection.sharedBox(with: $0.detection) <= rules.clearShare
      }),
      let index = ProminentPlaces.replaced(
        by: prominence(body.detection, body.landmarks),
        among: holders.map { prominence($0.detection, $0.landmarks) },
        ratio: ProminentPersonSelector.takeoverRatio)
    else { return false }
    tracker.lose(holders[index].key)
    return true
  }

  /// Whether a body may be one more person.
  ///
  /// In the whole frame, limbs of painted-out people sometimes look like a body to one of the
  /// networks, rarely to both.
  private func isPlausible(
    _ detection: BodyDetection, _ found: BodyLandmarks, in look: SearchPlan.Look
  ) -> Bool {
    // Who lies or is half outside has a lower presence, and a high score in the right part.
    guard
      look.isForLikely
        ? detection.score >= rules.search.confidentScore
        : found.presence >= rules.search.furtherPresence
    else { return false }
    guard company == .several, look.isWhole else { return true }
    return detection.score >= rules.search.confidentScore
      || detection.score >= rules.search.leastScore
        && found.presence >= rules.search.confidentPresence
  }

  /// Whether a detection is confident and a second inference confirms it.
  private func isConfident(
    _ detection: BodyDetection, _ body: Body, of frame: Frame,
    networks: inout PoseNetworks
  ) throws(VisionError) -> Bool {
    guard detection.score >= rules.search.confidentScore,
      body.landmarks.presence >= rules.search.confidentPresence,
      let again = try networks.landmarks(exactlyIn: body.landmarks.region, of: frame)
    else { return false }
    return again.isSameBody(as: body.landmarks)
  }

  /// The landmarks in a region; if they are a known person's, those of a person behind.
  private func further(
    in region: Region, of frame: Frame, hiding hidden: [BodyLandmarks],
    networks: inout PoseNetworks
  ) throws(VisionError) -> BodyLandmarks? {
    let found = try networks.landmarks(in: region, of: frame)
    guard !hidden.isEmpty,
      found.map({ found in people.contains { $0.landmarks.isSameBody(as: found) } }) ?? true
    else { return found }
    return try networks.landmarks(exactlyIn: region, of: frame, hiding: hidden)
  }

  private func isCovered(
    _ detection: BodyDetection, by landmarks: BodyLandmarks
  ) -> Bool {
    let limit = rules.search.coveredDistance * landmarks.region.size
    return (detection.hips - landmarks.hips).length < limit
      && (detection.tip - landmarks.tip).length < limit
  }
}

extension Region {
  /// Whether its centre is in the frame.
  fileprivate func isCentred(in frame: Frame) -> Bool {
    center.x >= 0 && center.y >= 0 && center.x < Float(frame.width)
      && center.y < Float(frame.height)
  }
}
