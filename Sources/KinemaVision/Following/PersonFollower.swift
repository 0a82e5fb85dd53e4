import KinemaVideo

/// Tracks people: the landmarks of one frame give the region in the next, and the detector searches
/// for further people.
///
/// When people cross, ``BodyAssignment`` assigns bodies to tracks by motion, pose and clothes. A
/// track without a body is searched at its predicted position for a while, and reported there
/// without confident joints while another person covers it.
///
/// While people are tracked, the detector runs at most once a frame, except in the first frame of a
/// clip.
struct PersonFollower {
  /// A person in a frame.
  struct Sighting {
    let id: Int
    let landmarks: BodyLandmarks
  }

  /// Consecutive frames in which a further person must be found before being reported; most false
  /// detections last one or two.
  static let confirmationCount = 3
  /// Frames after which a new track gets an id even if it may be an occluded one.
  static let longestDoubt = 10
  /// Largest distance of both points of a detection to a known person's, as a share of the region's
  /// size.
  static let coveredDistance: Float = 0.1
  /// How long an occluded person's id is remembered, in seconds.
  static let memory = 1.5
  /// Frames in which a person must have been found to be searched by the detector.
  static let establishedCount = 10
  /// How long the search for others continues at full rate with one person left, in seconds.
  static let companyMemory = 5.0

  /// The largest number of tracked people; when it decreases, the newest tracks are dropped.
  var maximumPersonCount: Int {
    didSet { people.removeLast(max(0, people.count - maximumPersonCount)) }
  }
  /// The people found in the last frame, reported or not, in order of detection.
  var people: [FollowedPerson] = []
  /// Reported people who are occluded or out of view.
  var absent: [FollowedPerson] = []
  private var nextID = 1
  private var plan = SearchPlan()
  private var firstSearch = FirstSearch()
  var frameCount = 0
  /// Whether the first person of the clip was found, and the parts searched.
  private var isOpened = false
  /// Number of frames in which two people were apart.
  private var apartCount = 0
  /// When several people were last tracked or searched, in seconds.
  private var lastCompany = -Double.infinity
  /// Number of searches for occluded people.
  private var lostLookCount = 0

  init(maximumPersonCount: Int) {
    self.maximumPersonCount = maximumPersonCount
  }

  /// Drops all tracks; ids continue.
  mutating func reset() {
    people = []
    absent = []
    plan = SearchPlan()
    firstSearch.reset()
    isOpened = false
    apartCount = 0
    lastCompany = -.infinity
  }

  /// The people in the next frame, by id.
  mutating func people(
    in frame: Frame, at time: Double, networks: inout PoseNetworks
  ) throws(VisionError) -> [Sighting] {
    frameCount += 1
    absent.removeAll { time - $0.track.lastSeen > Self.memory }
    try follow(in: frame, at: time, networks: &networks)
    noteApart()
    if people.count + absent.count > 1 { lastCompany = time }
    if isCrowd, !isNobodyReported { try recover(in: frame, at: time, networks: &networks) }
    try search(frame, at: time, networks: &networks)
    confirm(at: time)
    if !isNobodyReported { firstSearch.reset() }
    return sightings(at: time)
  }

  /// Frames in which two bodies must be apart to be two people, unless both are confident: one
  /// person detected twice is at one position.
  static let crowdCount = 5

  /// Whether there certainly are several people.
  var isCrowd: Bool { apartCount >= Self.crowdCount }

  private mutating func noteApart() {
    let known = people.filter { $0.id != nil }
    for first in known.indices {
      for other in known[(first + 1)...]
      where known[first].landmarks.sharedBox(with: other.landmarks) == 0 {
        apartCount =
          known[first].isSure && other.isSure
          ? max(apartCount, Self.crowdCount) : apartCount + 1
        return
      }
    }
  }

  var isNobodyReported: Bool { !people.contains { $0.id != nil } }

  // MARK: - Tracking

  private mutating func follow(
    in frame: Frame, at time: Double, networks: inout PoseNetworks
  ) throws(VisionError) {
    var found: [(person: FollowedPerson, landmarks: BodyLandmarks)] = []
    var lost: [FollowedPerson] = []
    for person in people {
      if let landmarks = try networks.landmarks(in: person.region, of: frame) {
        found.append((person, landmarks))
      } else {
        lost.append(person)
      }
    }
    let claims = found.map { person, landmarks in
      let near = found.map(\.landmarks).filter {
        landmarks.sharedBox(with: $0) > Self.touchingShare && !landmarks.isSameBody(as: $0)
      }
      return BodyAssignment.Claim(
        person: person, body: Body(landmarks, in: frame, behind: near))
    }
    var assignment = BodyAssignment(claims, absent: absent, at: time)
    assignment.settle(isCrowd: isCrowd)
    absent = assignment.absent + (lost + assignment.lost).filter { $0.id != nil }
    let thieves = assignment.foreign.map {
      FollowedPerson($0, isSeenInWhole: false, isSure: false, at: time)
    }
    people = assignment.claims.map { claim in
      var person = claim.person
      if claim.isMoved { person.move() }
      let isClear = isClear(claim.body, among: assignment.claims.map(\.body), at: time)
      person.update(claim.body, at: time, isClear: isClear)
      return person
    }
    people += thieves.prefix(max(0, maximumPersonCount - people.count))
  }

  /// The overlap of boxes up to which a body is well visible, and from which another one may
  /// occlude it.
  private static let clearShare: Float = 0.05
  private static let touchingShare: Float = 0.02

  /// Whether no other person is near a body or predicted there; between two people the networks
  /// detect a mixture of both.
  func isClear(_ body: Body, among bodies: [Body], at time: Double) -> Bool {
    // The body itself is included.
    bodies.count { body.landmarks.sharedBox(with: $0.landmarks) > Self.clearShare } <= 1
      && !isAnybodyMissed(near: body.landmarks, at: time)
  }

  /// Whether an occluded person is predicted near a body.
  func isAnybodyMissed(near body: BodyLandmarks, at time: Double) -> Bool {
    isCrowd
      && missed.contains {
        body.sharedBox(with: $0.expectedLandmarks(at: time)) > Self.clearShare
      }
  }

  // MARK: - Detection

  /// Runs the detector, at most once except at the start of a clip.
  private mutating func search(
    _ frame: Frame, at time: Double, networks: inout PoseNetworks
  ) throws(VisionError) {
    plan.advance()
    if isNobodyReported {
      // People in the whole frame come before those waiting to be reported.
      let waiting = people
      people = []
      let whole = SearchPlan.whole(frame)
      _ = try search(whole, of: frame, hiding: [], at: time, networks: &networks)
      plan.noteWhole()
      if people.isEmpty {
        people = waiting
        if people.isEmpty, let part = firstSearch.part(of: frame) {
          let look = SearchPlan.Look(region: part)
          _ = try search(look, of: frame, hiding: [], at: time, networks: &networks)
        }
      } else if !isOpened {
        isOpened = true
        for look in SearchPlan.largeParts(frame) where people.count < maximumPersonCount {
          _ = try search(look, of: frame, hiding: [], at: time, networks: &networks)
        }
        // Where there are two there may be more, and smaller ones.
        if people.count > 1 {
          for look in SearchPlan.smallParts(frame) where people.count < maximumPersonCount {
            _ = try search(look, of: frame, hiding: [], at: time, networks: &networks)
          }
        }
      }
    } else if people.count < maximumPersonCount {
      let hidden = isCrowd ? people.map(\.landmarks) : []
      if isCrowd, let look = lookForLost(in: frame, at: time) {
        _ = try search(look, of: frame, hiding: hidden, at: time, networks: &networks)
      } else if let look = plan.next(
        for: frame, amongSeveral: isCrowd && time - lastCompany < Self.companyMemory)
      {
        plan.note(
          found: try search(look, of: frame, hiding: hidden, at: time, networks: &networks))
      }
    }
  }

  /// The size of the searched part relative to the person's region.
  private static let lookScale: Float = 1.3

  /// The part in which the detector searches for an occluded person: alternately the predicted
  /// position and elsewhere, because an occluded person may turn round.
  private mutating func lookForLost(in frame: Frame, at time: Double) -> SearchPlan.Look? {
    let wanted = missed.filter { $0.expectedRegion(at: time).isCentred(in: frame) }
    guard !wanted.isEmpty else { return nil }
    lostLookCount += 1
    switch lostLookCount % 4 {
    case 2: return SearchPlan.whole(frame)
    case 0:
      let parts = SearchPlan.largeParts(frame) + SearchPlan.smallParts(frame)
      return parts[lostLookCount / 4 % parts.count]
    default: break
    }
    let person = wanted[lostLookCount / 2 % wanted.count]
    let region = person.expectedRegion(at: time)
    return .init(region: Region(center: region.center, size: region.size * Self.lookScale))
  }

  /// - Returns: The number of people found.
  private mutating func search(
    _ look: SearchPlan.Look, of frame: Frame, hiding hidden: [BodyLandmarks], at time: Double,
    networks: inout PoseNetworks
  ) throws(VisionError) -> Int {
    var count = 0
    for detection in try networks.people(in: look.region, of: frame, hiding: hidden) {
      guard people.count < maximumPersonCount else { break }
      guard !people.contains(where: { Self.isCovered(detection, by: $0.landmarks) }),
        let found = try further(
          in: detection.region, of: frame, hiding: hidden, networks: &networks),
        look.isWhole && people.isEmpty || isPlausible(detection, found, in: look),
        !people.contains(where: { $0.landmarks.isSameBody(as: found) })
      else { continue }
      let body = Body(found, in: frame)
      if let index = returned(body, at: time),
        isNobodyReported || isReturned(absent[index], body, at: time, isDetected: true)
      {
        bringBack(index, as: body, at: time)
      } else if people.contains(where: {
        // Remains of a painted-out person may look like another one.
        $0.landmarks.overlaps(found) || isCrowd && found.isPart(of: $0.landmarks)
      }) {
        continue
      } else if people.count + reservedCount < maximumPersonCount {
        let isSure = try isSure(detection, body, of: frame, networks: &networks)
        people.append(
          FollowedPerson(body, isSeenInWhole: look.isWhole, isSure: isSure, at: time))
      } else {
        continue
      }
      count += 1
    }
    return count
  }

  /// The detector score and landmark presence of a confident detection.
  private static let sureScore: Float = 0.75
  private static let surePresence: Float = 0.98
  /// The lowest score of a person in the whole frame of a crowd.
  private static let leastScore: Float = 0.6

  /// Whether a body may be one more person.
  ///
  /// In the whole frame, limbs of painted-out people sometimes look like a body to one of the
  /// networks, rarely to both.
  private func isPlausible(
    _ detection: PersonDetector.Detection, _ found: BodyLandmarks, in look: SearchPlan.Look
  ) -> Bool {
    guard found.presence >= PoseNetworks.furtherPresence else { return false }
    guard isCrowd, look.isWhole else { return true }
    return detection.score >= Self.sureScore
      || detection.score >= Self.leastScore && found.presence >= Self.surePresence
  }

  /// Whether a detection is confident and a second inference confirms it.
  private func isSure(
    _ detection: PersonDetector.Detection, _ body: Body, of frame: Frame,
    networks: inout PoseNetworks
  ) throws(VisionError) -> Bool {
    guard detection.score >= Self.sureScore, body.landmarks.presence >= Self.surePresence,
      let again = try networks.landmarks(
        exactlyIn: body.landmarks.region, of: frame, hiding: [])
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
      found.map({ found in
        people.contains { $0.landmarks.isSameBody(as: found) }
      }) ?? true
    else { return found }
    return try networks.landmarks(exactlyIn: region, of: frame, hiding: hidden)
  }

  /// Number of places reserved for established tracks that are not visible.
  private var reservedCount: Int { isNobodyReported ? 0 : missed.count }

  /// Established tracks that are not visible.
  var missed: [FollowedPerson] {
    absent.filter { $0.frameCount >= Self.establishedCount }
  }

  /// Assigns ids: to the first person in the whole frame and to confident ones at once, to others
  /// after several frames.
  private mutating func confirm(at time: Double) {
    if isNobodyReported, let first = people.firstIndex(where: \.isSeenInWhole) {
      identify(first, at: time)
    }
    for index in people.indices
    where people[index].id == nil && isConfirmed(people[index], at: time) {
      if !isDoubtful(people[index], at: time) { identify(index, at: time) }
    }
  }

  /// Whether a person was found for long enough, or is confident and unmistakable.
  private func isConfirmed(_ person: FollowedPerson, at time: Double) -> Bool {
    // False detections in furniture have a lower presence.
    guard isNobodyReported || person.landmarks.presence >= PoseNetworks.furtherPresence else {
      return false
    }
    if person.frameCount >= Self.confirmationCount { return true }
    return person.isSure
      && !absent.contains { $0.track.isReturned(person.body.sight, at: time) }
      && !people.contains {
        $0.id != nil && person.landmarks.sharedBox(with: $0.landmarks) > Self.touchingShare
      }
  }

  /// Whether a new person may be an occluded one, which may soon be decided.
  private func isDoubtful(_ person: FollowedPerson, at time: Double) -> Bool {
    guard isCrowd, !isNobodyReported, person.frameCount < Self.longestDoubt,
      let old = returned(person.body, at: time)
    else { return false }
    return !isReturned(absent[old], person.body, at: time, isDetected: true)
  }

  private mutating func identify(_ index: Int, at time: Double) {
    let body = people[index].body
    if let old = returned(body, at: time),
      isNobodyReported || isPlainly(absent[old], body, at: time)
    {
      people[index].id = absent.remove(at: old).id
    } else {
      people[index].id = nextID
      nextID += 1
    }
  }

  private static func isCovered(
    _ detection: PersonDetector.Detection, by landmarks: BodyLandmarks
  ) -> Bool {
    let limit = coveredDistance * landmarks.region.size
    return (detection.points[2] - landmarks.hips).length < limit
      && (detection.points[3] - landmarks.tip).length < limit
  }
}
