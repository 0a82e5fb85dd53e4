import KinemaPose
import KinemaTracking
import KinemaVideo

/// Tracks people: the landmarks of one frame give the region in the next.
///
/// The detector searches for further people. A ``Tracker`` decides which body belongs to which track.
///
/// A track without a body is searched at its predicted position for a while, and reported there
/// without confident joints while another person covers it.
///
/// While people are tracked, the detector runs at most once a frame, except in the first frame of a
/// clip.
struct PersonFollower {
  /// A person in a frame.
  struct Sighting {
    let id: Int
    let landmarks: BodyLandmarks
    /// The visible colours.
    var appearance: Appearance?
  }

  typealias Person = Track<FollowedPerson>

  /// Largest distance of both points of a detection to a known person's, as a share of the region's
  /// size.
  private static let coveredDistance: Float = 0.1
  /// How long the search for others continues at full rate with one person left, in seconds.
  private static let companyMemory = 5.0
  /// Frames in which two bodies must be apart to be two people, unless both are confident: one
  /// person detected twice is at one position.
  private static let crowdCount = 5
  /// Number of occluded tracks searched per frame while others are visible.
  private static let recoveryCount = 2
  /// The detector score and landmark presence of a confident detection.
  private static let confidentScore: Float = 0.75
  private static let confidentPresence: Float = 0.98
  /// The lowest score of a person in the whole frame of a crowd.
  private static let leastScore: Float = 0.6

  /// The largest number of tracked people; when it decreases, the newest tracks are dropped.
  var maximumPersonCount: Int {
    didSet {
      for person in people.dropFirst(maximumPersonCount) { tracker.lose(person.key) }
    }
  }
  var tracker = Tracker<FollowedPerson>(rules: .bodies)
  private var plan = SearchPlan()
  private var frameCount = 0
  /// Whether the first person of the clip was found, and the parts searched.
  private var isOpened = false
  /// Number of frames in which two people were apart.
  private var apartCount = 0
  /// When several people were last tracked or searched, in seconds.
  private var lastCompany = -Double.infinity

  init(maximumPersonCount: Int) {
    self.maximumPersonCount = maximumPersonCount
  }

  /// The people found in the last frame, reported or not, in order of detection.
  var people: [Person] { tracker.visible }
  /// Whether there certainly are several people.
  var isCrowd: Bool { apartCount >= Self.crowdCount }
  var isNobodyReported: Bool { !people.contains { $0.id != nil } }
  /// Whether a person who appears can be confused with nobody.
  var isAlone: Bool { isNobodyReported && !isCrowd }

  /// Drops all tracks; ids continue.
  mutating func reset() {
    tracker.reset()
    plan = SearchPlan()
    isOpened = false
    apartCount = 0
    lastCompany = -.infinity
  }

  /// The people in the next frame, by id.
  mutating func people(
    in frame: Frame, at time: Double, networks: inout PoseNetworks
  ) throws(VisionError) -> [Sighting] {
    frameCount += 1
    tracker.advance(to: time)
    try follow(in: frame, at: time, networks: &networks)
    noteApart()
    if people.count + tracker.occluded.count > 1 { lastCompany = time }
    if isCrowd, !isNobodyReported { try recover(in: frame, at: time, networks: &networks) }
    try search(frame, at: time, networks: &networks)
    confirm()
    if !isNobodyReported { plan.restartFirstSearch() }
    return sightings(at: time)
  }

  private mutating func noteApart() {
    let known = people.filter { $0.id != nil }
    for first in known.indices {
      for other in known[(first + 1)...]
      where known[first].detection.sharedBox(with: other.detection) == 0 {
        apartCount =
          known[first].content.isConfident && other.content.isConfident
          ? max(apartCount, Self.crowdCount) : apartCount + 1
        return
      }
    }
  }

  // MARK: - Tracking

  /// Finds the bodies in the regions of visible tracks and assigns them.
  private mutating func follow(
    in frame: Frame, at time: Double, networks: inout PoseNetworks
  ) throws(VisionError) {
    let searched = people
    let found = zip(
      searched, try networks.landmarks(in: searched.map(\.content.region), of: frame)
    ).compactMap { person, landmarks in landmarks.map { (person: person, landmarks: $0) } }
    let claims = found.map { person, landmarks in
      let detection = Detection(landmarks)
      let near = found.map(\.landmarks).filter {
        detection.sharedBox(with: Detection($0)) > tracker.rules.touchingShare
          && !landmarks.isSameBody(as: $0)
      }
      return (person: person, body: Body(landmarks, in: frame, behind: near))
    }
    // The body of two tracks is that of the one that matches better.
    let ranks = claims.enumerated().map { index, claim in
      let cost = isCrowd ? claim.person.cost(of: claim.body.detection, at: time) : 0
      return (claim.person.id == nil ? 1 : 0, cost, isCrowd ? 0 : -claim.person.count, index)
    }.sorted(by: <)
    var bodies: [(body: Body, owners: [Int])] = []
    for rank in ranks {
      let (person, body) = claims[rank.3]
      if let same = bodies.firstIndex(where: {
        $0.body.landmarks.isSameBody(as: body.landmarks)
      }) {
        bodies[same].owners.append(person.key)
      } else {
        bodies.append((body, [person.key]))
      }
    }
    try assign(bodies, at: time)
  }

  private mutating func assign(
    _ bodies: [(body: Body, owners: [Int])], at time: Double
  ) throws(VisionError) {
    let candidates = bodies.map {
      Tracker<FollowedPerson>.Candidate($0.body.detection, owners: $0.owners)
    }
    let reported = Set(people.filter { $0.id != nil }.map(\.key))
    let keys = tracker.assign(candidates, isCrowd: isCrowd)
    let assigned = candidates.indices.filter { keys[$0] != nil }.map { candidates[$0].detection }
    let clear = candidates.map {
      tracker.isClear($0.detection, among: assigned, isCrowd: isCrowd)
    }
    for (index, key) in keys.enumerated() {
      guard let key else { continue }
      let (body, owners) = bodies[index]
      tracker.update(key, with: body.detection, isClear: clear[index]) {
        $0.take(body.landmarks, at: time, isMoved: !owners.contains(key))
      }
    }
    tracker.missOthers()
    // A track had drifted to a new person.
    for index in bodies.indices
    where keys[index] == nil && people.count < maximumPersonCount
      && tracker.isAlone(index, among: candidates)
      && bodies[index].owners.contains(where: reported.contains)
    {
      add(bodies[index].body, isSeenInWhole: false, isConfident: false, at: time)
    }
  }

  private mutating func add(
    _ body: Body, isSeenInWhole: Bool, isConfident: Bool, at time: Double
  ) {
    tracker.add(
      body.detection,
      content: FollowedPerson(
        body.landmarks, isSeenInWhole: isSeenInWhole, isConfident: isConfident, at: time))
  }

  /// Assigns a body found elsewhere to an occluded track.
  private mutating func bringBack(_ key: Int, as body: Body, at time: Double) {
    let isClear = tracker.isClear(
      body.detection, among: people.map(\.detection) + [body.detection], isCrowd: isCrowd)
    tracker.update(key, with: body.detection, isClear: isClear) {
      $0.take(body.landmarks, at: time, isMoved: true)
    }
  }

  // MARK: - Recovery

  /// Searches occluded tracks at their predicted positions, and there with visible people painted
  /// out.
  private mutating func recover(
    in frame: Frame, at time: Double, networks: inout PoseNetworks
  ) throws(VisionError) {
    let occluded = tracker.occluded
    let turn = occluded.indices.map { occluded[($0 + frameCount) % occluded.count] }
    for person in turn.prefix(Self.recoveryCount) where people.count < maximumPersonCount {
      let region = person.expectedRegion(at: time)
      guard region.isCentred(in: frame) else { continue }
      let expected = person.predicted(at: time)
      let near = people.filter {
        expected.sharedBox(with: $0.detection) > tracker.rules.coveringShare
      }.map(\.landmarks)
      for hidden in near.isEmpty ? [[]] : [[], near] {
        guard
          let landmarks = try networks.landmarks(exactlyIn: region, of: frame, hiding: hidden),
          landmarks.presence >= PoseNetworks.furtherPresence,
          !people.contains(where: { $0.landmarks.isSameBody(as: landmarks) })
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
  private mutating func search(
    _ frame: Frame, at time: Double, networks: inout PoseNetworks
  ) throws(VisionError) {
    if isNobodyReported {
      try searchFirst(frame, at: time, networks: &networks)
      return
    }
    let isFull = people.count >= maximumPersonCount
    let hidden = isCrowd ? people.map(\.landmarks) : []
    let missing = isCrowd && !isFull ? tracker.missed.map { $0.expectedRegion(at: time) } : []
    if let look = plan.next(
      for: frame, at: time, missing: missing.filter { $0.isCentred(in: frame) }, isFull: isFull,
      amongSeveral: isCrowd && time - lastCompany < Self.companyMemory)
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
    let waiting = tracker
    tracker.dropTentative()
    let whole = SearchPlan.whole(frame)
    _ = try search(whole, of: frame, hiding: [], at: time, networks: &networks)
    plan.noteWhole(at: time)
    guard people.isEmpty else {
      if isOpened { return }
      isOpened = true
      for look in SearchPlan.largeParts(frame) {
        _ = try search(look, of: frame, hiding: [], at: time, networks: &networks)
      }
      // Where there are two there may be more, and smaller ones.
      if people.count > 1 {
        for look in SearchPlan.smallParts(frame) {
          _ = try search(look, of: frame, hiding: [], at: time, networks: &networks)
        }
      }
      return
    }
    tracker = waiting
    if people.isEmpty, let part = plan.firstSearch(of: frame) {
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
      guard !people.contains(where: { Self.isCovered(detection, by: $0.landmarks) }),
        people.count < maximumPersonCount || detection.score >= Self.confidentScore,
        let found = try further(
          in: detection.region, of: frame, hiding: hidden, networks: &networks),
        look.isWhole && people.isEmpty || isPlausible(detection, found, in: look),
        !people.contains(where: { $0.landmarks.isSameBody(as: found) })
      else { continue }
      let body = Body(found, in: frame)
      if let key = tracker.returning(body.detection, isAlone: isAlone),
        isAlone || tracker.isLikely(key, body.detection)
      {
        guard people.count < maximumPersonCount || makeRoom(for: body, in: frame) else { continue }
        bringBack(key, as: body, at: time)
      } else {
        let isPart = people.contains {
          // Remains of a painted-out person may look like another one.
          $0.landmarks.overlaps(found) || isCrowd && found.isPart(of: $0.landmarks)
        }
        guard !isPart,
          people.count + reservedCount < maximumPersonCount || makeRoom(for: body, in: frame)
        else { continue }
        let isConfident = try isConfident(detection, body, of: frame, networks: &networks)
        add(body, isSeenInWhole: look.isWhole, isConfident: isConfident, at: time)
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
    guard tracker.occluded.isEmpty, body.landmarks.presence >= Self.confidentPresence,
      holders.allSatisfy({
        body.detection.sharedBox(with: $0.detection) <= tracker.rules.clearShare
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
    _ detection: AnchorDetector.Detection, _ found: BodyLandmarks, in look: SearchPlan.Look
  ) -> Bool {
    guard found.presence >= PoseNetworks.furtherPresence else { return false }
    guard isCrowd, look.isWhole else { return true }
    return detection.score >= Self.confidentScore
      || detection.score >= Self.leastScore && found.presence >= Self.confidentPresence
  }

  /// Whether a detection is confident and a second inference confirms it.
  private func isConfident(
    _ detection: AnchorDetector.Detection, _ body: Body, of frame: Frame,
    networks: inout PoseNetworks
  ) throws(VisionError) -> Bool {
    guard detection.score >= Self.confidentScore, body.landmarks.presence >= Self.confidentPresence,
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

  private static func isCovered(
    _ detection: AnchorDetector.Detection, by landmarks: BodyLandmarks
  ) -> Bool {
    let limit = coveredDistance * landmarks.region.size
    return (detection.points[2] - landmarks.hips).length < limit
      && (detection.points[3] - landmarks.tip).length < limit
  }
}

extension Region {
  /// Whether its centre is in the frame.
  func isCentred(in frame: Frame) -> Bool {
    center.x >= 0 && center.y >= 0 && center.x < Float(frame.width)
      && center.y < Float(frame.height)
  }
}
