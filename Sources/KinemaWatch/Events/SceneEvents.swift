package import Foundation
import KinemaCounting
import KinemaPose

/// Turns the moments of a scene into events.
///
/// Pure: what happens depends on the moments alone.
package struct SceneEvents: Sendable {
  /// How long something lasts until it is an event, in seconds, and which counts are.
  package struct Rules: Hashable, Sendable {
    /// How long a person is visible until they have entered: two windows of a false detection.
    package var enterAfter = 0.5
    /// How long a person is out of view until they have left.
    package var leaveAfter = 5.0
    /// How long an action is recognised until it has begun, and how long it is not until it has ended:
    /// longer than one uncertain window (0.5 s at the built-in model's stride).
    package var beginAfter = 0.5
    package var endAfter = 1.5
    /// How long a person lies until lying is their posture: a fall, which it may come from, is reported at
    /// most 2.5 s after the steepest way down (``FallCourse``).
    package var lyingAfter = 2.5
    /// How long no repetition is counted until a set is finished; the slowest repetition takes 8 s.
    package var setPause = SetCourse.longestPause
    /// How long a person stands or sits until they have got up from a fall, in seconds: the posture of a
    /// moment is that of the last 1.5 s.
    package var upAfter = 2.0
    /// How long a person is outside of a zone until they have left it: less than a step aside and back.
    package var leaveZoneAfter = 1.5
    /// The durations after which an action or a posture that lasts is an event.
    package var lastingTimes: Set<TimeInterval> = []
    package var postureTimes: Set<TimeInterval> = []
    /// The durations after which a person who stays in a zone is an event, and nobody in it, by the zone.
    package var stayTimes: [String: Set<TimeInterval>] = [:]
    package var emptyTimes: [String: Set<TimeInterval>] = [:]
    /// What is where in the picture.
    package var areas = SourceAreas()
    /// The durations after which nobody in view is an event.
    package var nobodyTimes: Set = [Self.nobodyTime]
    /// The durations after which a lying person is an event.
    package var lyingTimes: Set = [Self.lyingTime]
    /// The counts that are events.
    package var counts: Set<Int> = []

    /// The usual durations of nobody in view, and of lying, in seconds.
    package static let nobodyTime: TimeInterval = 60
    package static let lyingTime: TimeInterval = 10

    package init() {}
  }

  /// What is so now.
  package struct State: Hashable, Sendable, Encodable {
    package struct Person: Hashable, Sendable, Encodable {
      package var id: Int
      package var action: String?
      /// The repetitions of the action, or of the one that was last counted.
      package var count: Int
      /// Whether the person lies, outside of a bed.
      package var isLying: Bool
      package var posture: WatchPosture?
      /// The zones that the person is in, by name.
      package var zones: [String]
    }

    package var persons: [Person] = []
  }

  /// Whether signs of a fall are those of one; see ``FallModel``.
  package typealias FallClassifier = @Sendable (FallSigns) -> Bool

  package var rules: Rules
  private let isFall: FallClassifier
  private var people: [Int: PersonEvents] = [:]
  private var empty = EmptyTime()
  private var emptyZones: [String: EmptyTime] = [:]

  /// Watches a scene; without a classifier of falls, none is reported.
  package init(_ rules: Rules = Rules(), isFall: @escaping FallClassifier = { _ in false }) {
    (self.rules, self.isFall) = (rules, isFall)
  }

  package var state: State {
    State(
      persons: people.filter(\.value.hasEntered).sorted { $0.key < $1.key }.map { id, person in
        State.Person(
          id: person.firstID, action: person.action, count: person.count,
          isLying: person.isLying, posture: person.posture, zones: person.zones.sorted())
      })
  }

  /// Processes the next moment.
  ///
  /// - Returns: What happened, in order.
  package mutating func add(_ moment: SceneMoment) -> [WatchEvent] {
    var events: [WatchEvent] = []
    for (new, old) in moment.successions {
      if let person = people.removeValue(forKey: old) { people[new] = person }
    }
    let visible = Dictionary(moment.persons.map { ($0.id, $0) }) { first, _ in first }
    for id in Set(people.keys).union(visible.keys).sorted() {
      var person = people[id] ?? newcomer(id, in: moment, besides: visible)
      events += person.add(
        visible[id], at: moment.time, aspectRatio: moment.aspectRatio, rules)
      people[id] = person.isGone ? nil : person
    }
    events += nobody(at: moment.time)
    return events
  }

  /// Somebody with a new id, who may be a person who was lost: on the floor, a person often looks like
  /// somebody else.
  private mutating func newcomer(
    _ id: Int, in moment: SceneMoment, besides visible: [Int: SceneMoment.Person]
  ) -> PersonEvents {
    var person = PersonEvents(id: id, at: moment.time, isFall: isFall)
    guard let pose = visible[id]?.pose else { return person }
    for lost in people.keys.sorted().reversed() where visible[lost] == nil {
      guard var other = people[lost] else { continue }
      if person.takeCourse(
        of: &other, to: pose, at: moment.time, aspectRatio: moment.aspectRatio)
      {
        people[lost] = other
        break
      }
    }
    return person
  }

  /// Ends the scene, such as at the end of a file: what is under way ends.
  package mutating func finish(at time: TimeInterval) -> [WatchEvent] {
    defer { people = [:] }
    return people.sorted { $0.key < $1.key }.flatMap { _, person in
      var person = person
      return person.finish(at: time)
    }
  }

  private mutating func nobody(at time: TimeInterval) -> [WatchEvent] {
    let present = people.values.filter(\.hasEntered)
    var events = empty.events(isEmpty: present.isEmpty, at: time, after: rules.nobodyTimes)
    for (zone, times) in rules.emptyTimes.sorted(by: { $0.key < $1.key }) {
      let isEmpty = !present.contains { $0.zones.contains(zone) }
      var due = emptyZones[zone, default: EmptyTime()].events(
        isEmpty: isEmpty, at: time, after: times)
      for index in due.indices { due[index].zone = zone }
      events += due
    }
    return events
  }
}

/// Since when nobody is somewhere, and the durations that were events.
private struct EmptyTime: Sendable {
  private var since: TimeInterval?
  private var reported: Set<TimeInterval> = []

  mutating func events(
    isEmpty: Bool, at time: TimeInterval, after times: Set<TimeInterval>
  ) -> [WatchEvent] {
    guard isEmpty else {
      (since, reported) = (nil, [])
      return []
    }
    let start = since ?? time
    since = start
    let due = times.subtracting(reported).filter { time - start >= $0 }.sorted()
    reported.formUnion(due)
    return due.map { WatchEvent(.nobody, at: time, seconds: $0) }
  }
}
