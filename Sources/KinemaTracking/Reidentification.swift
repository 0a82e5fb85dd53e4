/// The lost tracks whose ids are given back when their people return.
package struct Reidentification: Sendable {
  /// A lost track.
  struct Entry: Sendable {
    var id: Int
    var appearance: Appearance?
    var rightness: Float?
    var time: Double
  }

  private let rules: TrackingRules
  private(set) var entries: [Entry] = []

  package init(rules: TrackingRules) {
    self.rules = rules
  }

  /// Whether any lost track is remembered.
  package var isEmpty: Bool { entries.isEmpty }

  /// Adds a lost track, when last seen at a time in seconds.
  package mutating func add(
    _ id: Int, appearance: Appearance?, rightness: Float? = nil, at time: Double
  ) {
    entries.append(Entry(id: id, appearance: appearance, rightness: rightness, time: time))
  }

  /// Forgets the tracks lost for longer than ``TrackingRules/memory``.
  package mutating func advance(to time: Double) {
    entries.removeAll { time - $0.time > rules.memory }
  }

  /// Removes a track whose person has returned.
  package mutating func remove(_ id: Int) {
    entries.removeAll { $0.id == id }
  }

  /// The lost track of a person: the one of like clothes, if all others are plainly different.
  ///
  /// - Parameter others: The appearances of the other people in view.
  package func match(_ appearance: Appearance, others: [Appearance] = []) -> Int? {
    let ranked = entries.compactMap { entry in
      entry.appearance.map { (id: entry.id, difference: $0.difference(from: appearance)) }
    }.sorted { ($0.difference, $0.id) < ($1.difference, $1.id) }
    guard let best = ranked.first, best.difference <= rules.unlikeAppearance else { return nil }
    let limit = best.difference + rules.appearanceMargin
    let isPlain =
      ranked.dropFirst().allSatisfy { $0.difference > limit }
      && others.allSatisfy { $0.difference(from: appearance) > limit }
    return isPlain ? best.id : nil
  }

  /// The lost hand of a side, if no other is nearly as likely.
  package func match(rightness: Float) -> Int? {
    let ranked = entries.compactMap { entry in
      entry.rightness.map {
        (likeness: rightness * $0 + (1 - rightness) * (1 - $0), id: entry.id)
      }
    }.sorted { ($0.likeness, $1.id) > ($1.likeness, $0.id) }
    guard let best = ranked.first, best.likeness >= rules.sameSide else { return nil }
    return ranked.dropFirst().allSatisfy { $0.likeness < best.likeness - rules.sideMargin }
      ? best.id : nil
  }
}
