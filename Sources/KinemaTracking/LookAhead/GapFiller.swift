/// Interpolates tracks over short gaps while other people are visible or predicted, such as behind
/// another person.
///
/// Their joints are not confident. Tracks of few detections are not completed, since false ones are
/// short. A frame waits until all tracks have a detection again, for ``TrackingRules/occlusion`` at
/// most.
struct GapFiller<Payload: Sendable>: Sendable {
  private typealias Sighting = (person: TrackedPerson, time: Double)

  private let rules: TrackingRules
  private let maximumPersonCount: Int
  private var waiting: [WaitingFrame<Payload>] = []
  /// The last visible people and how often each was visible, by id.
  private var last: [Int: (sighting: Sighting, count: Int)] = [:]

  init(rules: TrackingRules, maximumPersonCount: Int) {
    (self.rules, self.maximumPersonCount) = (rules, maximumPersonCount)
  }

  /// Adds a frame.
  ///
  /// - Parameter limit: The largest number of frames that may wait.
  /// - Returns: The complete frames, in order.
  mutating func add(
    _ frame: WaitingFrame<Payload>, limit: Int
  ) -> [WaitingFrame<Payload>] {
    let time = frame.time
    waiting.append(frame)
    for person in frame.people where person.isSeen {
      guard let id = person.id else { continue }
      if let start = last[id], isCompleted(start, at: time) {
        fill(id, from: start.sighting, to: (person, time))
      }
      last[id] = ((person, time), (last[id]?.count ?? 0) + 1)
    }
    last = last.filter { time - $0.value.sighting.time <= rules.memory }
    let missing = last.values.filter { isCompleted($0, at: time) }.map(\.sighting.time)
      .filter { $0 < time }.min()
    guard let missing, !frame.people.isEmpty, waiting.count <= limit else {
      return finish()
    }
    let count = waiting.firstIndex { $0.time > missing } ?? waiting.count
    defer { waiting.removeFirst(count) }
    return Array(waiting.prefix(count))
  }

  /// Whether a track is interpolated up to a detection at a time.
  private func isCompleted(_ start: (sighting: Sighting, count: Int), at time: Double) -> Bool {
    start.count >= rules.establishedCount && time - start.sighting.time <= rules.occlusion
  }

  /// - Returns: The frames that wait.
  mutating func finish() -> [WaitingFrame<Payload>] {
    defer { waiting = [] }
    return waiting
  }

  private mutating func fill(_ id: Int, from start: Sighting, to end: Sighting) {
    for index in waiting.indices
    where waiting[index].time > start.time && waiting[index].time < end.time {
      guard waiting[index].people.contains(where: { $0.id != id }) else { continue }
      let share = Float((waiting[index].time - start.time) / (end.time - start.time))
      waiting[index].people.removeAll { $0.id == id }
      guard waiting[index].people.count < maximumPersonCount else { continue }
      waiting[index].people.append(
        start.person.interpolated(to: end.person, share: share, rules: rules))
      waiting[index].sortPeople()
    }
  }
}
