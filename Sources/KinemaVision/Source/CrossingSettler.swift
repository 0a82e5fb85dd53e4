import KinemaPose
import KinemaTracking

/// Settles the ids of people after an encounter, before its frames are reported.
///
/// Frames wait from the first contact until both people are apart for
/// ``TrackingRules/settlingTime``.
struct CrossingSettler {
  private static let rules = TrackingRules.bodies

  /// A contact of two people.
  private struct Contact {
    let ids: (Int, Int)
    let start: Double
    let encounter: Encounter
    /// When and in which states they are apart again.
    var parted: (time: Double, states: (Encounter.State, Encounter.State))?

    func involves(_ id: Int) -> Bool { ids.0 == id || ids.1 == id }
  }

  private var contacts: [Contact] = []
  private var states: [Int: Encounter.State] = [:]
  /// Pairs that are near each other for too long to be settled.
  private var companions: Set<[Int]> = []
  /// The settled ids by the reported ones, where they differ.
  private var names: [Int: Int] = [:]
  private var waiting: [PosedFrame] = []

  /// Adds a frame.
  ///
  /// - Parameter limit: The largest number of frames that may wait.
  /// - Returns: The frames whose ids are settled, in order.
  mutating func add(_ frame: PosedFrame, limit: Int) -> [PosedFrame] {
    var frame = frame
    frame.rename { names[$0] ?? $0 }
    waiting.append(frame)
    observe(frame.seen, at: frame.time)
    for (id, detection) in waiting.last?.seen ?? [] {
      if states[id]?.motion.time ?? .infinity > frame.time { states[id] = nil }
      if states[id] == nil {
        states[id] = Encounter.State(detection, at: frame.time, rules: Self.rules)
      } else {
        states[id]?.add(detection, at: frame.time, rules: Self.rules)
      }
    }
    states = states.filter { frame.time - $0.value.motion.time <= Self.rules.memory }
    if waiting.count > limit { contacts = [] }
    return released()
  }

  /// - Returns: The frames that wait.
  mutating func finish() -> [PosedFrame] {
    contacts = []
    return released()
  }

  private mutating func released() -> [PosedFrame] {
    let start = contacts.map(\.start).min() ?? .infinity
    let count = waiting.firstIndex { $0.time >= start } ?? waiting.count
    defer { waiting.removeFirst(count) }
    return waiting.prefix(count).map { frame in
      var frame = frame
      frame.appearances = [:]
      return frame
    }
  }

  // MARK: - Contacts

  private mutating func observe(_ seen: [(id: Int, detection: Detection)], at time: Double) {
    var touching: Set<[Int]> = []
    for (index, first) in seen.enumerated() {
      for second in seen[(index + 1)...] where first.detection.touches(second.detection) {
        let pair = [first.id, second.id].sorted()
        touching.insert(pair)
        begin(pair, at: time)
      }
    }
    companions.formIntersection(touching)
    for contact in contacts {
      if time - contact.start > Self.rules.longestContact {
        companions.insert([contact.ids.0, contact.ids.1])
        drop(contact)
      } else if [contact.ids.0, contact.ids.1].contains(where: {
        time - (states[$0]?.motion.time ?? time) > Self.rules.occlusion
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
            Encounter.State(first, at: time, rules: Self.rules),
            Encounter.State(second, at: time, rules: Self.rules)
          )
        )
      } else {
        contacts[index].parted?.states.0.add(first, at: time, rules: Self.rules)
        contacts[index].parted?.states.1.add(second, at: time, rules: Self.rules)
      }
    }
    while let contact = contacts.first(where: {
      $0.parted.map { time - $0.time >= Self.rules.settlingTime } ?? false
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
      Contact(
        ids: (pair[0], pair[1]), start: time,
        encounter: Encounter(first, second, rules: Self.rules)))
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
  fileprivate func touches(_ other: Detection) -> Bool {
    max(sharedBox(with: other), other.sharedBox(with: self))
      > TrackingRules.bodies.coveringShare
  }
}

extension PosedFrame {
  /// The people with confident joints.
  fileprivate var seen: [(id: Int, detection: Detection)] {
    let ids = poses.filter { $0.isSeen && $0.chirality == nil }.map(\.personID)
    return detections.filter { ids.contains($0.id) }
  }

  fileprivate func places(of ids: (Int, Int)) -> Encounter.Places {
    func place(_ id: Int) -> SIMD2<Float>? {
      seen.first { $0.id == id }?.detection.position
    }
    return (place(ids.0), place(ids.1), time)
  }

  fileprivate mutating func exchange(_ ids: (Int, Int)) {
    for index in poses.indices {
      switch poses[index].personID {
      case ids.0: poses[index].personID = ids.1
      case ids.1: poses[index].personID = ids.0
      default: break
      }
    }
    (appearances[ids.0], appearances[ids.1]) = (appearances[ids.1], appearances[ids.0])
    sortPoses()
  }
}
