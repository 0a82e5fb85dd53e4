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
/// clip, and to verify that a new body is a person and no furniture. Until then it is not reported.
struct PersonFollower {
  /// A person in a frame.
  struct Sighting {
    let id: Int
    let landmarks: BodyLandmarks
    /// The visible colours.
    var appearance: Appearance?
  }

  typealias Person = Track<FollowedPerson>

  /// The largest number of tracked people; when it decreases, the newest tracks are dropped.
  var maximumPersonCount: Int {
    didSet {
      for person in people.dropFirst(maximumPersonCount) { tracker.lose(person.key) }
    }
  }
  var tracker: Tracker<FollowedPerson>
  var plan: SearchPlan
  var frameCount = 0
  /// Whether the first person of the clip was found, and the parts searched.
  var isOpened = false
  /// Where the last person was, and when.
  var lastRegion: (region: Region, time: Double)?
  /// Number of frames in which two people were apart.
  private var apartCount = 0
  /// Where the picture has changed lately.
  var changes: RecentChanges
  /// What looks like a body and is none.
  var furniture: [Furniture] = []
  /// When several people were last tracked or searched, in seconds.
  var lastCompany = -Double.infinity

  init(maximumPersonCount: Int, rules: TrackingRules = .bodies) {
    self.maximumPersonCount = maximumPersonCount
    tracker = Tracker(rules: rules)
    plan = SearchPlan(rules: rules.search)
    changes = RecentChanges(rules: rules.verification)
  }

  var rules: TrackingRules { tracker.rules }

  /// The bodies found in the last frame, people and what may be furniture, in order of detection.
  var bodies: [Person] { tracker.visible }
  /// The people found in the last frame, reported or not, in order of detection.
  var people: [Person] { bodies.filter(\.content.isVerified) }
  /// Where a person was last reported, until that is too long ago.
  func lostRegion(at time: Double) -> Region? {
    lastRegion.flatMap { time - $0.time <= rules.search.lostMemory ? $0.region : nil }
  }
  var isNobodyReported: Bool { !people.contains { $0.id != nil } }
  /// How many people there are at this time, which decides how tracks are distinguished.
  var company: Company {
    apartCount >= rules.companyCount ? .several : isNobodyReported ? .nobody : .one
  }

  /// Drops all tracks; ids continue.
  mutating func reset() {
    tracker.reset()
    plan = SearchPlan(rules: rules.search)
    changes = RecentChanges(rules: rules.verification)
    furniture = []
    isOpened = false
    lastRegion = nil
    apartCount = 0
    lastCompany = -.infinity
  }

  /// The people in the next frame, by id.
  ///
  /// - Parameter otherMotion: See ``PoseFinder/poses(in:at:otherMotion:)``.
  mutating func people(
    in frame: Frame, at time: Double, otherMotion: OtherMotion, networks: inout PoseNetworks
  ) throws(VisionError) -> [Sighting] {
    frameCount += 1
    tracker.advance(to: time)
    changes.advance(to: time)
    try follow(in: frame, at: time, networks: &networks)
    try verify(in: frame, at: time, networks: &networks)
    noteApart()
    if people.count + tracker.occluded.count > 1 { lastCompany = time }
    if company == .several, !isNobodyReported {
      try recover(in: frame, at: time, networks: &networks)
    }
    try search(frame, at: time, otherMotion: otherMotion, networks: &networks)
    confirm()
    if let person = people.first(where: { $0.id != nil }) {
      plan.restartFirstSearch()
      lastRegion = (person.landmarks.region, time)
    }
    changes.note(frame, people: people.map(\.landmarks.box))
    return sightings(at: time)
  }

  private mutating func noteApart() {
    let known = people.filter { $0.id != nil }
    for first in known.indices {
      for other in known[(first + 1)...]
      where known[first].detection.sharedBox(with: other.detection) == 0 {
        apartCount =
          known[first].content.isConfident && other.content.isConfident
          ? max(apartCount, rules.companyCount) : apartCount + 1
        return
      }
    }
  }

  // MARK: - Tracking

  /// Finds the bodies in the regions of visible tracks and assigns them.
  private mutating func follow(
    in frame: Frame, at time: Double, networks: inout PoseNetworks
  ) throws(VisionError) {
    let searched = bodies
    let found = zip(
      searched, try networks.landmarks(in: searched.map(\.content.region), of: frame)
    ).compactMap { person, landmarks in landmarks.map { (person: person, landmarks: $0) } }
    let claims = found.map { person, landmarks in
      let detection = Detection(landmarks)
      let near = found.map(\.landmarks).filter {
        detection.sharedBox(with: Detection($0)) > rules.touchingShare
          && !landmarks.isSameBody(as: $0)
      }
      return (person: person, body: Body(landmarks, in: frame, behind: near))
    }
    // The body of two tracks is that of the one that matches better.
    let company = company
    let ranks = claims.enumerated().map { index, claim in
      let order: (Float, Int) =
        company == .several
        ? (claim.person.cost(of: claim.body.detection, at: time), 0) : (0, -claim.person.count)
      return (claim.person.id == nil ? 1 : 0, order.0, order.1, index)
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
    let company = company
    let keys = tracker.assign(candidates, in: company)
    let assigned = candidates.indices.filter { keys[$0] != nil }.map { candidates[$0].detection }
    let clear = candidates.map {
      tracker.isClear($0.detection, among: assigned, in: company)
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
      && tracker.isApart(index, among: candidates)
      && bodies[index].owners.contains(where: reported.contains)
    {
      let body = bodies[index].body
      let content = FollowedPerson(
        body.landmarks, foundIn: body.landmarks.region, isSeenInWhole: false, isConfident: false,
        isVerified: false, at: time)
      tracker.add(body.detection, content: content)
    }
  }

  /// Assigns a body found elsewhere to an occluded track.
  mutating func bringBack(_ key: Int, as body: Body, at time: Double) {
    let isClear = tracker.isClear(
      body.detection, among: people.map(\.detection) + [body.detection], in: company)
    tracker.update(key, with: body.detection, isClear: isClear) {
      $0.take(body.landmarks, at: time, isMoved: true)
    }
  }
}
