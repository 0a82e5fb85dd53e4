import KinemaVideo

/// Follows people from frame to frame: the landmarks of one frame say where to look in the next, and
/// the detector looks for people who are not followed yet.
///
/// Where people pass each other, two searches may settle on one body, and one person's on another's.
/// ``BodyAssignment`` then decides by motion, pose and clothes whose a body is. Whoever has none is
/// expected where the motion would have brought them, and is looked for there for a while; as long as
/// somebody else stands there, they are reported as they are expected, with no joint sure.
///
/// While somebody is followed, the detector runs once a frame at most; in the frame in which a clip opens
/// it looks at the parts of the picture, too.
struct PersonFollower {
  /// Somebody in a frame.
  struct Sighting {
    let id: Int
    let landmarks: BodyLandmarks
  }

  /// In how many frames running a further person who is not sure must be found before being reported:
  /// what the detector takes for a second person by mistake is mostly gone after one or two frames.
  static let confirmationCount = 3
  /// In how many frames somebody must have been found to be given an id though they may be one of those
  /// who were lost.
  static let longestDoubt = 10
  /// How near to those of somebody known both points of a detection must be not to be looked into,
  /// as a share of the region's size.
  static let coveredDistance: Float = 0.1
  /// How long somebody who was lost keeps the id, in seconds.
  static let memory = 1.5
  /// In how many frames somebody must have been found for the detector to look for them.
  static let establishedCount = 10
  /// How long others are looked for as often as before once one person is left, in seconds.
  static let companyMemory = 5.0

  /// How many people are followed at most; where it falls, those found last are let go.
  var maximumPersonCount: Int {
    didSet { people.removeLast(max(0, people.count - maximumPersonCount)) }
  }
  /// The people seen in the last frame, reported or not, in the order in which they were found.
  var people: [FollowedPerson] = []
  /// Those who were reported and are out of sight.
  var absent: [FollowedPerson] = []
  private var nextID = 1
  private var plan = SearchPlan()
  private var firstSearch = FirstSearch()
  var frameCount = 0
  /// Whether the first person of the clip was found, and others looked for beside them.
  private var isOpened = false
  /// In how many frames two people were seen apart from each other.
  private var apartCount = 0
  /// When several people were last followed or looked for, in seconds.
  private var lastCompany = -Double.infinity
  /// How often somebody who was lost was looked for.
  private var lostLookCount = 0

  init(maximumPersonCount: Int) {
    self.maximumPersonCount = maximumPersonCount
  }

  /// Forgets everybody; ids go on.
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

  /// In how many frames two people must have been seen apart for them to be taken for two, unless both are
  /// sure: what is one person seen twice stands in one place.
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

  // MARK: - Following

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

  /// How much of a body's box another one's may take for the body to be seen well, and how much
  /// another one's must take to be looked at as something that may stand before it.
  private static let clearShare: Float = 0.05
  private static let touchingShare: Float = 0.02

  /// Whether nobody else is near a body, nor expected there: between two people the networks see one
  /// with the legs of the one and the trunk of the other.
  func isClear(_ body: Body, among bodies: [Body], at time: Double) -> Bool {
    // The body itself is among them.
    bodies.count { body.landmarks.sharedBox(with: $0.landmarks) > Self.clearShare } <= 1
      && !isAnybodyMissed(near: body.landmarks, at: time)
  }

  /// Whether somebody who is out of sight is expected near a body.
  func isAnybodyMissed(near body: BodyLandmarks, at time: Double) -> Bool {
    isCrowd
      && missed.contains {
        body.sharedBox(with: $0.expectedLandmarks(at: time)) > Self.clearShare
      }
  }

  // MARK: - Searching

  /// Lets the detector look: at most once but for the opening of a clip.
  private mutating func search(
    _ frame: Frame, at time: Double, networks: inout PoseNetworks
  ) throws(VisionError) {
    plan.advance()
    if isNobodyReported {
      // Who is seen in the whole picture goes before those who wait to be reported.
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

  /// How much larger the part of the picture in which the detector looks for somebody is than theirs.
  private static let lookScale: Float = 1.3

  /// Where the detector looks for somebody who was lost.
  ///
  /// By turns where they are expected, and elsewhere: who is hidden may turn round.
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

  /// - Returns: How many people were found.
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
        // What is left of somebody who is painted over may look like another one.
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

  /// The detector's score and the landmarks' presence from which on both are sure of somebody.
  private static let sureScore: Float = 0.75
  private static let surePresence: Float = 0.98
  /// The least score of somebody who turns up in the whole picture of a crowd.
  private static let leastScore: Float = 0.6

  /// Whether a body may be that of one more person.
  ///
  /// In the whole picture, limbs of several people who are painted over look like one large body to one
  /// of the networks now and then, hardly ever to both.
  private func isPlausible(
    _ detection: PersonDetector.Detection, _ found: BodyLandmarks, in look: SearchPlan.Look
  ) -> Bool {
    guard found.presence >= PoseNetworks.furtherPresence else { return false }
    guard isCrowd, look.isWhole else { return true }
    return detection.score >= Self.sureScore
      || detection.score >= Self.leastScore && found.presence >= Self.surePresence
  }

  /// Whether a body is certainly somebody's: looked at once more, it is the same.
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

  /// The landmarks of somebody in a region; where that is somebody known, those of somebody behind.
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

  /// How many places are kept for those who were followed for long and are out of sight.
  private var reservedCount: Int { isNobodyReported ? 0 : missed.count }

  /// Those who were followed for long and are out of sight.
  var missed: [FollowedPerson] {
    absent.filter { $0.frameCount >= Self.establishedCount }
  }

  /// Gives ids: to the first person in the whole picture and to who is sure at once, to others when they
  /// have been there long enough.
  private mutating func confirm(at time: Double) {
    if isNobodyReported, let first = people.firstIndex(where: \.isSeenInWhole) {
      identify(first, at: time)
    }
    for index in people.indices
    where people[index].id == nil && isConfirmed(people[index], at: time) {
      if !isDoubtful(people[index], at: time) { identify(index, at: time) }
    }
  }

  /// Whether somebody was there for long enough, or is sure and can be taken for nobody else.
  private func isConfirmed(_ person: FollowedPerson, at time: Double) -> Bool {
    // What a detector takes for a second person in a piece of furniture has less soon.
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

  /// Whether somebody may be one of those who were lost, and it may soon be plainer who.
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
