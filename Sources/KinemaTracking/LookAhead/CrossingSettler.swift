/// Settles the ids of people after an encounter, before its frames are reported.
///
/// Frames wait from the first contact until both people are apart for
/// ``TrackingRules/settlingTime``.
struct CrossingSettler<Payload: Sendable>: Sendable {
  /// A contact of two people.
  private struct Contact: Sendable {
    let ids: (Int, Int)
    let start: Double
    let encounter: Encounter
    /// When and in which states they are apart again.
    var parted: (time: Double, states: (Encounter.State, Encounter.State))?

    func involves(_ id: Int) -> Bool { ids.0 == id || ids.1 == id }
  }

  private let rules: TrackingRules
  private var contacts: [Contact] = []
  private var states: [Int: Encounter.State] = [:]
  /// Pairs that are near each other for too long to be settled.
  private var companions: Set<[Int]> = []
  /// The settled ids by the reported ones, where they differ.
  private var names: [Int: Int] = [:]
  private var waiting: [WaitingFrame<Payload>] = []

  init(rules: TrackingRules) {
    self.rules = rules
  }

  /// Adds a frame.
  ///
  /// - Parameter limit: The largest number of frames that may wait.
  /// - Returns: The frames whose ids are settled, in order.
  mutating func add(
    _ frame: WaitingFrame<Payload>, limit: Int
  ) -> [WaitingFrame<Payload>] {
    var frame = frame
    for index in frame.people.indices {
      frame.people[index].id = frame.people[index].id.map { names[$0] ?? $0 }
    }
    waiting.append(frame)
    observe(frame.seen, at: frame.time)
    for (id, detection) in waiting.last?.seen ?? [] {
      if states[id]?.motion.time ?? .infinity > frame.time { states[id] = nil }
      if states[id] == nil {
        states[id] = Encounter.State(detection, at: frame.time, rules: rules)
      } else {
        states[id]?.add(detection, at: frame.time)
      }
    }
    states = states.filter { frame.time - $0.value.motion.time <= rules.memory }
    if waiting.count > limit { contacts = [] }
    return released()
  }

  /// - Returns: The frames that wait.
  mutating func finish() -> [WaitingFrame<Payload>] {
    contacts = []
    return released()
  }

  private mutating func released() -> [WaitingFrame<Payload>] {
    let start = contacts.map(\.start).min() ?? .infinity
    let count = waiting.firstIndex { $0.time >= start } ?? waiting.count
    defer { waiting.removeFirst(count) }
    return Array(waiting.prefix(count))
  }

  // MARK: - Contacts

  private mutating func observe(_ seen: [(id: Int, detection: Detection)], at time: Double) {
    var touching: Set<[Int]> = []
    for (index, first) in seen.enumerated() {
      for second in seen[(index + 1)...]
      where first.detection.mostShared(with: second.detection) > rules.coveringShare {
        let pair = [first.id, second.id].sorted()
        touching.insert(pair)
        begin(pair, at: time)
      }
    }
    companions.formIntersection(touching)
    for contact in contacts {
      if time - contact.start > rules.longestContact {
        companions.insert([contact.ids.0, contact.ids.1])
        drop(contact)
      } else if [contact.ids.0, contact.ids.1].contains(where: {
        time - (states[$0]?.motion.time ?? time) > rules.occlusion
      }) {
        drop(contact)
      }
    }
    for index in contacts.indices {
      let ids = contacts[index].ids
      guard !touching.contains([ids.0, ids.1]),
        let first = seen.first(where: { $0.id == ids.0 })?.detection,
        let second = seen.first(where: { $0.id == ids.1 })?.detection
      else {
        if touching.contains([ids.0, ids.1]) { contacts[index].parted = nil }
        continue
      }
      if contacts[index].parted == nil {
        contacts[index].parted = (
          time,
          (
            Encounter.State(first, at: time, rules: rules),
            Encounter.State(second, at: time, rules: rules)
          )
        )
      } else {
        contacts[index].parted?.states.0.add(first, at: time)
        contacts[index].parted?.states.1.add(second, at: time)
      }
    }
    while let contact = contacts.first(where: {
      $0.parted.map { time - $0.time >= rules.settlingTime } ?? false
    }) {
      drop(contact)
      settle(contact)
    }
  }

  private mutating func begin(_ pair: [Int], at time: Double) {
    guard !companions.contains(pair),
      !contacts.contains(where: { [$0.ids.0, $0.ids.1] == pair }),
      let first = states[pair[0]], let second = states[pair[1]]
    else { return }
    contacts.append(
      Contact(ids: (pair[0], pair[1]), start: time, encounter: Encounter(first, second)))
  }

  private mutating func drop(_ contact: Contact) {
    contacts.removeAll { $0.ids == contact.ids }
  }

  private mutating func settle(_ contact: Contact) {
    guard let (parting, states) = contact.parted else { return }
    guard contact.encounter.isExchanged(states.0, states.1) else { return }
    let frames = waiting.indices.filter { waiting[$0].time >= contact.start }
    let together = frames.filter { waiting[$0].time < parting }
    let first = contact.encounter.exchange(
      in: together.map { waiting[$0].places(of: contact.ids) }, after: (states.1, states.0))
    for index in frames.dropFirst(first) { waiting[index].exchange(contact.ids) }
    for other in contacts where other.involves(contact.ids.0) || other.involves(contact.ids.1) {
      drop(other)
    }
    let (one, other) = contact.ids
    for name in Set(names.keys).union([one, other]) {
      switch names[name] ?? name {
      case one: names[name] = other
      case other: names[name] = one
      default: break
      }
    }
    (self.states[one], self.states[other]) = (self.states[other], self.states[one])
  }
}

extension Detection {
  fileprivate func mostShared(with other: Detection) -> Float {
    max(sharedBox(with: other), other.sharedBox(with: self))
  }
}

extension WaitingFrame {
  /// The visible people.
  fileprivate var seen: [(id: Int, detection: Detection)] {
    people.compactMap { person in
      person.isSeen ? person.id.map { ($0, person.detection) } : nil
    }
  }

  fileprivate func places(of ids: (Int, Int)) -> Encounter.Places {
    func place(_ id: Int) -> SIMD2<Float>? {
      seen.first { $0.id == id }?.detection.position
    }
    return (place(ids.0), place(ids.1), time)
  }

  fileprivate mutating func exchange(_ ids: (Int, Int)) {
    for index in people.indices {
      switch people[index].id {
      case ids.0: people[index].id = ids.1
      case ids.1: people[index].id = ids.0
      default: break
      }
    }
    sortPeople()
  }
}
