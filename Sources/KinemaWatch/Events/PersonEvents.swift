import Foundation
import KinemaAction
import KinemaCounting
import KinemaPose

/// The events of one person.
struct PersonEvents: Sendable {
  /// A set with repetitions that is not over.
  private struct OpenSet: Sendable {
    var label: String
    var count: Int
    var lastRepetition: TimeInterval
  }

  /// The id that the person had first; it stays when the track gets another one.
  let firstID: Int
  private(set) var hasEntered = false
  private(set) var isGone = false
  private var firstSeen: TimeInterval
  private var lastSeen: TimeInterval
  private var actions = StretchCourse()
  private var postures = StretchCourse()
  private var places = PersonPlaces()
  private var counts: [String: Int] = [:]
  /// The repetitions of each set, by its id.
  private var setCounts: [Int: Int] = [:]
  private var openSets: [Int: OpenSet] = [:]
  private var lastCounted: String?
  private var detector: FallDetector
  /// The signs of a fall, until it is reported.
  private var fall: FallSigns?
  /// Whether the person has fallen and not got up, and since when they are up again.
  private var hasFallen = false
  private var upSince: TimeInterval?
  private var lain: Set<TimeInterval> = []
  private(set) var isLying = false

  init(id: Int, at time: TimeInterval, isFall: @escaping SceneEvents.FallClassifier) {
    firstID = id
    detector = FallDetector(isFall: isFall)
    firstSeen = time
    lastSeen = time
  }

  var action: String? { actions.label }

  var posture: WatchPosture? { postures.label.flatMap(WatchPosture.init(rawValue:)) }

  var zones: Set<String> { places.zones }

  /// The repetitions of the action, or of the one that was counted last.
  var count: Int { (action ?? lastCounted).flatMap { counts[$0] } ?? 0 }

  /// Takes over the course of a person who was lost and is found as this one.
  ///
  /// - Returns: Whether the other's course leads to this pose.
  mutating func takeCourse(
    of other: inout PersonEvents, to pose: Pose, at time: TimeInterval, aspectRatio: Float
  ) -> Bool {
    detector.takeCourse(of: &other.detector, to: pose, at: time, aspectRatio: aspectRatio)
  }

  mutating func add(
    _ person: SceneMoment.Person?, at time: TimeInterval, aspectRatio: Float,
    _ rules: SceneEvents.Rules
  ) -> [WatchEvent] {
    var events: [WatchEvent] = []
    if person != nil {
      if !hasEntered, time - lastSeen > rules.enterAfter { firstSeen = time }
      lastSeen = time
      if !hasEntered, time - firstSeen >= rules.enterAfter {
        hasEntered = true
        events.append(event(.personEnters, at: time))
      }
    } else if !hasEntered, time - lastSeen > rules.enterAfter {
      isGone = true
    }
    fall =
      detector.add(person?.pose, posture: person?.posture, at: time, aspectRatio: aspectRatio)
      ?? fall
    events += move(person, at: time, rules)
    if hasEntered, let signs = fall {
      (fall, hasFallen, upSince) = (nil, true, nil)
      // Who lies because of it has fallen since then.
      postures.revise(WatchPosture.lying.rawValue, to: WatchPosture.fallen.rawValue)
      var event = event(.fall, at: signs.time)
      event.reasons = FallReasons(signs)
      events.append(event)
    }
    events += lying(at: time, rules)
    // What is done while out of view is unknown for as long as a person may be occluded.
    if person != nil || time - lastSeen > rules.endAfter {
      events += actions.follow(
        person?.action, at: time, beginAfter: rules.beginAfter,
        lastingTimes: rules.lastingTimes, rules
      ).map(actionEvent)
      let posture = hasEntered ? posture(of: person, at: time, rules) : nil
      events += postures.follow(
        posture?.rawValue, at: time,
        beginAfter: posture == .lying ? rules.lyingAfter : rules.beginAfter,
        lastingTimes: rules.postureTimes, rules
      ).map(postureEvent)
    }
    if let person {
      events += person.revisions.map { revise($0, at: time) }
      events += count(person.sets, at: time, rules)
    }
    events += finishSets { time - $0.lastRepetition > rules.setPause }
    if hasEntered, time - lastSeen > rules.leaveAfter {
      events += finish(at: time)
      events.append(event(.personLeaves, at: time))
      isGone = true
    }
    // Before a person has entered, nothing is reported of them.
    return hasEntered ? events : []
  }

  /// Ends what is under way.
  mutating func finish(at time: TimeInterval) -> [WatchEvent] {
    let ends = actions.end(at: time).map(actionEvent) + postures.end(at: time).map(postureEvent)
    let events = ends + finishSets { _ in true }
    return hasEntered ? events : []
  }

  private func event(
    _ kind: WatchEvent.Kind, at time: TimeInterval, action: String? = nil, count: Int? = nil,
    set: Int? = nil, from: String? = nil, seconds: TimeInterval? = nil
  ) -> WatchEvent {
    var event = WatchEvent(
      kind, at: time, person: firstID, action: action, count: count, set: set, from: from,
      seconds: seconds.map { ($0 * 10).rounded() / 10 })
    event.zones = places.zones.sorted()
    return event
  }

  // MARK: - Actions and postures

  private func actionEvent(_ change: StretchCourse.Change) -> WatchEvent {
    switch change {
    case .began(let label, let time): event(.actionBegins, at: time, action: label)
    case .lasted(let label, let seconds):
      event(.actionLasts, at: lastSeen, action: label, seconds: seconds)
    case .ended(let label, let time, let seconds):
      event(.actionEnds, at: time, action: label, seconds: seconds)
    }
  }

  private func postureEvent(_ change: StretchCourse.Change) -> WatchEvent {
    func event(
      _ kind: WatchEvent.Kind, _ label: String, _ time: TimeInterval, _ seconds: TimeInterval?
    ) -> WatchEvent {
      var event = self.event(kind, at: time, seconds: seconds)
      event.posture = WatchPosture(rawValue: label)
      return event
    }
    return switch change {
    case .began(let label, let time): event(.postureBegins, label, time, nil)
    case .lasted(let label, let seconds): event(.postureLasts, label, lastSeen, seconds)
    case .ended(let label, let time, let seconds): event(.postureEnds, label, time, seconds)
    }
  }

  /// The posture now: lying in a bed is sleep, and who has fallen is down until they are up for a while.
  private mutating func posture(
    of person: SceneMoment.Person?, at time: TimeInterval, _ rules: SceneEvents.Rules
  ) -> WatchPosture? {
    guard let person else { return nil }
    let posture = (person.posture?.kind).flatMap { WatchPosture($0) }
    if posture == .standing || posture == .sitting {
      upSince = upSince ?? time
      if time - (upSince ?? time) >= rules.upAfter { hasFallen = false }
    } else {
      upSince = nil
    }
    if posture == .lying, isInBed(rules) { return .sleeping }
    return hasFallen ? .fallen : posture
  }

  private func isInBed(_ rules: SceneEvents.Rules) -> Bool {
    rules.areas.zones.contains { $0.isBed && places.zones.contains($0.name) }
  }

  // MARK: - Places

  private mutating func move(
    _ person: SceneMoment.Person?, at time: TimeInterval, _ rules: SceneEvents.Rules
  ) -> [WatchEvent] {
    let isUpright = (person?.posture?.kind).map { WatchPosture($0)?.isUpright ?? false } ?? !isLying
    let changes = places.add(
      person?.pose, isUpright: isUpright, hasEntered: hasEntered, at: time, rules)
    return changes.map { change in
      switch change {
      case .entered(let zone): placeEvent(.entersZone, at: time, zone: zone)
      case .left(let zone, let seconds):
        placeEvent(.leavesZone, at: time, zone: zone, seconds: seconds)
      case .stayed(let zone, let seconds):
        placeEvent(.staysInZone, at: time, zone: zone, seconds: seconds)
      case .crossed(let line, let isInward):
        placeEvent(.crossesLine, at: time, line: line, isInward: isInward)
      }
    }
  }

  private func placeEvent(
    _ kind: WatchEvent.Kind, at time: TimeInterval, zone: String? = nil, line: String? = nil,
    isInward: Bool? = nil, seconds: TimeInterval? = nil
  ) -> WatchEvent {
    var event = event(kind, at: time, seconds: seconds)
    (event.zone, event.line, event.isInward) = (zone, line, isInward)
    return event
  }

  // MARK: - Sets

  private mutating func revise(_ revision: SetRevision, at time: TimeInterval) -> WatchEvent {
    let set = revision.joined ?? revision.set
    if set != revision.set { (openSets[revision.set], setCounts[revision.set]) = (nil, nil) }
    openSets[set]?.label = revision.to
    if lastCounted == revision.from { lastCounted = revision.to }
    return event(
      .setRevised, at: time, action: revision.to, count: revision.repetitions,
      set: set, from: revision.from)
  }

  private mutating func count(
    _ sets: [ExerciseSet], at time: TimeInterval, _ rules: SceneEvents.Rules
  ) -> [WatchEvent] {
    var counts: [String: Int] = [:]
    for set in sets {
      guard let label = set.action, set.repetitions > 0 else { continue }
      counts[label, default: 0] += set.repetitions
      guard set.repetitions > setCounts[set.id] ?? 0 else { continue }
      openSets[set.id] = OpenSet(label: label, count: set.repetitions, lastRepetition: time)
      setCounts[set.id] = set.repetitions
      lastCounted = label
    }
    let before = self.counts
    self.counts = counts
    return counts.sorted { $0.key < $1.key }.flatMap { label, count in
      rules.counts.sorted().filter { before[label] ?? 0 < $0 && $0 <= count }.map {
        event(.countReached, at: time, action: label, count: $0)
      }
    }
  }

  private mutating func finishSets(where isOver: (OpenSet) -> Bool) -> [WatchEvent] {
    let finished = openSets.filter { isOver($0.value) }.sorted { $0.key < $1.key }
    for (id, _) in finished { openSets[id] = nil }
    return finished.map { id, set in
      event(
        .setFinished, at: set.lastRepetition, action: set.label, count: set.count, set: id)
    }
  }

  // MARK: - Lying

  private mutating func lying(at time: TimeInterval, _ rules: SceneEvents.Rules) -> [WatchEvent] {
    guard let seconds = detector.lyingTime(at: time), !isInBed(rules) else {
      (isLying, lain) = (false, [])
      return []
    }
    isLying = true
    let due = rules.lyingTimes.subtracting(lain).filter { seconds >= $0 }.sorted()
    lain.formUnion(due)
    return due.map { event(.lying, at: time, seconds: $0) }
  }
}
