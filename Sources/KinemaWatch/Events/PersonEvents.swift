import Foundation
import KinemaCounting
import KinemaPose

/// The events of one person.
struct PersonEvents: Sendable {
  private struct Stretch: Sendable {
    var label: String
    var since: TimeInterval
    /// When it was last recognised.
    var until: TimeInterval
    /// The durations that were events.
    var lasted: Set<TimeInterval> = []
  }

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
  private var current: Stretch?
  private var candidate: Stretch?
  private var counts: [String: Int] = [:]
  /// The repetitions of each set, by its id.
  private var setCounts: [Int: Int] = [:]
  private var openSets: [Int: OpenSet] = [:]
  private var lastCounted: String?
  private var detector: FallDetector
  /// When the person fell, until it is reported.
  private var fall: TimeInterval?
  private var lain: Set<TimeInterval> = []
  private(set) var isLying = false

  init(id: Int, at time: TimeInterval, isFall: @escaping SceneEvents.FallClassifier) {
    firstID = id
    detector = FallDetector(isFall: isFall)
    firstSeen = time
    lastSeen = time
  }

  var action: String? { current?.label }

  /// The repetitions of the action, or of the one that was counted last.
  var count: Int { (current?.label ?? lastCounted).flatMap { counts[$0] } ?? 0 }

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
    fall = detector.add(person?.pose, at: time, aspectRatio: aspectRatio) ?? fall
    if hasEntered, let fallen = fall {
      fall = nil
      events.append(event(.fall, at: fallen))
    }
    events += lying(at: time, rules)
    // What is done while out of view is unknown for as long as a person may be occluded.
    if person != nil || time - lastSeen > rules.endAfter {
      events += follow(person?.action, at: time, rules)
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
    let events = end(at: time) + finishSets { _ in true }
    return hasEntered ? events : []
  }

  private func event(
    _ kind: WatchEvent.Kind, at time: TimeInterval, action: String? = nil, count: Int? = nil,
    set: Int? = nil, from: String? = nil, seconds: TimeInterval? = nil
  ) -> WatchEvent {
    WatchEvent(
      kind, at: time, person: firstID, action: action, count: count, set: set, from: from,
      seconds: seconds.map { ($0 * 10).rounded() / 10 })
  }

  // MARK: - Actions

  private mutating func follow(
    _ label: String?, at time: TimeInterval, _ rules: SceneEvents.Rules
  ) -> [WatchEvent] {
    var events: [WatchEvent] = []
    if let label, label == current?.label {
      current?.until = time
      candidate = nil
    } else if let label {
      if candidate?.label != label {
        candidate = Stretch(label: label, since: time, until: time)
      }
      candidate?.until = time
    } else {
      candidate = nil
    }
    if let candidate, time - candidate.since >= rules.beginAfter {
      events += end(at: candidate.since)
      current = candidate
      self.candidate = nil
      events.append(event(.actionBegins, at: candidate.since, action: candidate.label))
    } else if let current, time - current.until > rules.endAfter {
      events += end(at: current.until)
    }
    if var stretch = current {
      for seconds in rules.lastingTimes.subtracting(stretch.lasted).sorted()
      where stretch.until - stretch.since >= seconds {
        stretch.lasted.insert(seconds)
        events.append(
          event(.actionLasts, at: time, action: stretch.label, seconds: seconds))
      }
      current = stretch
    }
    return events
  }

  private mutating func end(at time: TimeInterval) -> [WatchEvent] {
    guard let stretch = current else { return [] }
    current = nil
    let until = min(time, stretch.until)
    return [event(.actionEnds, at: until, action: stretch.label, seconds: until - stretch.since)]
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
    guard let seconds = detector.lyingTime(at: time) else {
      (isLying, lain) = (false, [])
      return []
    }
    isLying = true
    let due = rules.lyingTimes.subtracting(lain).filter { seconds >= $0 }.sorted()
    lain.formUnion(due)
    return due.map { event(.lying, at: time, seconds: $0) }
  }
}
