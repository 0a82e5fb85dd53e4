import Foundation
import KinemaAction
import KinemaPose

/// What a session makes of the people in its pictures, picture after picture: who is prominent, what
/// each does and how often, and what adds up.
struct SessionAnalysis: Sendable {
  /// How long somebody who is out of sight is remembered, in seconds.
  ///
  /// Who then comes back alone goes on where they stopped, though followed under another id.
  static let memory = 15.0

  /// A picture as it was received.
  struct Picture: Sendable {
    var sequence: UInt32
    /// The time as the sender gave it.
    var sentTime: Double
    var width: Int
    var height: Int
    /// The session's time in seconds.
    var time: TimeInterval
  }

  private(set) var plan = PersonActivity.Plan()
  private(set) var tally = SessionTally()
  /// What is to be done; `nil` without a challenge.
  var challenge: Challenge?
  private var clock = SessionClock()
  private var selector = ProminentPersonSelector(patience: SessionAnalysis.memory)
  private var advisor = ViewAdvisor()
  private var activities: [Int: PersonActivity] = [:]
  /// The counts of each person that are in the tally, or that came while somebody else was prominent.
  private var bookedCounts: [Int: [String: Int]] = [:]
  private var lastProminent: Int?
  private var startTime: TimeInterval?

  /// The session's time of the picture that comes next.
  mutating func time(
    ofPictureSentAt sent: TimeInterval, arrivedAt arrived: TimeInterval
  ) -> TimeInterval {
    clock.advance(to: sent, arrivedAt: arrived)
  }

  /// The session's time of the newest picture.
  var now: TimeInterval { clock.time }

  // MARK: - Wishes

  /// Goes on with other settings or another model.
  mutating func change(to plan: PersonActivity.Plan) throws {
    var plan = plan
    plan.aspectRatio = self.plan.aspectRatio
    for id in activities.keys { try activities[id]?.change(from: self.plan, to: plan) }
    self.plan = plan
  }

  /// Locks on to a person, or lets go.
  ///
  /// - Throws: ``ServerError`` where the person is not there.
  mutating func pin(_ person: Int?) throws {
    if let person, activities[person] == nil {
      throw ServerError(
        .notFound, "Person \(person) is not in view: pin one of those that frames tell.")
    }
    selector.pinnedPersonID = person
  }

  /// Forgets everybody, as another source comes.
  mutating func changeSource() {
    clock.changeSource(gap: 1)
    forgetPeople()
    advisor = ViewAdvisor()
  }

  /// Goes on after the connection was broken: the break does not count, so that nobody is forgotten.
  mutating func resume() {
    clock.changeSource(gap: 1)
  }

  /// Begins another record.
  mutating func startAnew() {
    tally = SessionTally()
    challenge = nil
    forgetPeople()
    startTime = nil
  }

  private mutating func forgetPeople() {
    (activities, bookedCounts) = ([:], [:])
    lastProminent = nil
    selector = ProminentPersonSelector(patience: Self.memory)
  }

  // MARK: - Pictures

  /// Takes the poses of the people in the next picture.
  mutating func add(
    _ poses: [Pose], in picture: Picture, durations: inout StageDurations
  ) throws -> FrameMessage {
    let time = picture.time
    startTime = startTime ?? time
    try fit(to: picture)
    try follow(poses, at: time, durations: &durations)
    let prominent = choose(among: poses)
    if let id = prominent?.personID { lastProminent = id }
    let activity = lastProminent.flatMap { activities[$0] }
    let action = action(of: activity, isSeen: prominent != nil, at: time)
    book(action, isMoving: activity?.tempo != nil, person: prominent?.personID, at: time)
    challenge?.update(action: action?.label, counts: tally.counts, at: time)
    let hint = advisor.hint(
      for: prominent, personCount: poses.count, isPinned: selector.pinnedPersonID != nil,
      ignoredKeys: plan.settings.ignoredKeys, at: time)
    return FrameMessage(
      sequence: picture.sequence, time: picture.sentTime, width: picture.width,
      height: picture.height,
      persons: poses.compactMap { pose in
        guard let id = pose.personID, let activity = activities[id] else { return nil }
        return FrameMessage.Person(pose, id: id, activity: activity)
      },
      prominent: Nullable(prominent?.personID), isPinned: selector.pinnedPersonID != nil,
      hint: Nullable(hint?.code), hintText: Nullable(hint?.text), action: Nullable(action),
      count: activity?.count ?? 0, counts: activity?.counts ?? [:],
      tempo: Nullable(prominent == nil ? nil : activity?.tempo?.rounded(places: 1)))
  }

  /// Pictures of another shape are another view: lengths no longer compare.
  private mutating func fit(to picture: Picture) throws {
    let aspectRatio = Float(picture.width) / Float(max(picture.height, 1))
    guard aspectRatio != plan.aspectRatio else { return }
    var changed = plan
    changed.aspectRatio = aspectRatio
    for id in activities.keys { try activities[id]?.change(from: plan, to: changed) }
    plan = changed
  }

  private mutating func follow(
    _ poses: [Pose], at time: TimeInterval, durations: inout StageDurations
  ) throws {
    let present = Set(poses.compactMap(\.personID))
    if present.count == 1, let newcomer = present.first, activities[newcomer] == nil {
      bequeath(to: newcomer, at: time)
    }
    for id in activities.keys.sorted() where !present.contains(id) {
      // Taken out while it is changed, so that it is not copied.
      guard var activity = activities.removeValue(forKey: id) else { continue }
      if time - activity.lastSeen <= Self.memory {
        defer { activities[id] = activity }
        try activity.add(nil, at: time, durations: &durations)
      } else if id == lastProminent {
        activities[id] = activity
      } else {
        bookedCounts[id] = nil
        if selector.pinnedPersonID == id { selector.pinnedPersonID = nil }
      }
    }
    for pose in poses {
      guard let id = pose.personID else { continue }
      var activity = try activities.removeValue(forKey: id) ?? PersonActivity(plan, at: time)
      defer { activities[id] = activity }
      try activity.add(pose, at: time, durations: &durations)
    }
  }

  /// Lets somebody who comes alone go on as the one who was seen last, if that is not long ago.
  private mutating func bequeath(to newcomer: Int, at time: TimeInterval) {
    let heirless = activities.filter { time - $0.value.lastSeen <= Self.memory }
    let last = heirless.max { ($0.value.lastSeen, $1.key) < ($1.value.lastSeen, $0.key) }?.key
    let preferred = lastProminent.flatMap { heirless[$0] == nil ? nil : $0 }
    guard let old = preferred ?? last else { return }
    activities[newcomer] = activities.removeValue(forKey: old)
    bookedCounts[newcomer] = bookedCounts.removeValue(forKey: old)
    if selector.pinnedPersonID == old { selector.pinnedPersonID = newcomer }
    if lastProminent == old { lastProminent = newcomer }
  }

  /// The pinned person, else the prominent one; `nil` where that is nobody.
  private mutating func choose(among poses: [Pose]) -> Pose? {
    if let pinned = selector.pinnedPersonID {
      let lastSeen = activities[pinned]?.lastSeen ?? -.infinity
      if now - lastSeen > Self.memory { selector.pinnedPersonID = nil }
    }
    return selector.select(from: poses, at: now)
  }

  private func action(
    of activity: PersonActivity?, isSeen: Bool, at time: TimeInterval
  ) -> ActionMessage? {
    guard let classifier = plan.usedClassifier else { return nil }
    if let activity, isSeen || time - activity.lastSeen <= Self.memory { return activity.action }
    let window =
      Double(classifier.windowSize) / (classifier.frameRate ?? ActionRecognizer.defaultFrameRate)
    return time - (startTime ?? time) < window ? .startingUp : .noPerson
  }

  // MARK: - Summing up

  private mutating func book(
    _ action: ActionMessage?, isMoving: Bool, person: Int?, at time: TimeInterval
  ) {
    let isClassifying = plan.usedClassifier != nil
    var moment: SessionTally.Moment?
    if !isClassifying {
      moment = isMoving ? SessionTally.unlabelled : nil
      moment?.person = person
    } else if let action, action.status != .startingUp {
      moment = SessionTally.Moment(
        label: action.label ?? action.text, text: action.text,
        isModelLabel: action.status == .action, person: person)
    }
    var gains: [SessionTally.Moment: Int] = [:]
    for (id, activity) in activities {
      let counts =
        isClassifying ? activity.counts : [SessionTally.unlabelled.label: activity.count]
      if id == lastProminent {
        for (label, count) in counts {
          let gain = count - (bookedCounts[id]?[label] ?? 0)
          guard gain > 0 else { continue }
          let kind =
            isClassifying
            ? SessionTally.Moment(
              label: label, text: ActionPrediction.displayName(of: label), isModelLabel: true)
            : SessionTally.unlabelled
          gains[kind] = gain
        }
      }
      bookedCounts[id] = counts
    }
    tally.add(moment, gains: gains, at: time)
  }
}
