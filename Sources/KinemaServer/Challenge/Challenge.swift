package import Foundation

/// A list of actions to do one after another, and the progress; a state machine without a clock.
///
/// - An item waits until its action is first recognised.
/// - Seconds count from one update to the next if the action was recognised at the first of them
///   and the gap is at most ``longestGap``.
/// - Repetitions count from the start of the item's turn, whatever is recognised meanwhile, because
///   a repetition is often known only afterwards.
/// - Without the action, time stops at once; the state becomes `paused` after ``flickerTolerance``.
/// - Extra repetitions and seconds do not carry over to the next item.
/// - An item of several sets takes as many turns. After each, the rest ends when its time is over, or
///   when the next turn's action starts after another one or none was recognised.
package struct Challenge: Sendable {
  package enum State: String, Codable, Hashable, Sendable {
    case idle
    /// The active item's action has not started.
    case waiting
    /// The action is recognised.
    case running
    /// Another action is recognised.
    case paused
    /// The rest before the active item.
    case resting
    /// All items are done or skipped.
    case finished
  }

  package enum ItemState: String, Codable, Hashable, Sendable {
    case pending, active, done, skipped
  }

  package struct Progress: Hashable, Sendable {
    package var item: ChallengeItem
    /// Which of the item's sets it is, from 1.
    package var set = 1
    package var doneRepetitions = 0
    package var doneSeconds = 0.0
    package var state = ItemState.pending
  }

  /// How long another action may be recognised before the state is `paused`, in seconds.
  static let flickerTolerance: TimeInterval = 1
  /// Longest gap between updates that counts, in seconds.
  package static let longestGap: TimeInterval = 1
  package static let maximumItemCount = 50
  /// The most sets of all items.
  package static let maximumSetCount = 100

  package private(set) var state = State.waiting
  package private(set) var progress: [Progress]
  /// The index of the active item, or of the last one when finished.
  package private(set) var index = 0

  /// The rest's duration and what is left of it, in seconds; `nil` unless resting.
  private(set) var rest: (seconds: TimeInterval, left: TimeInterval)?
  /// Whether the action of the active item has stopped since the rest began.
  private var hasStopped = false

  /// The time of the last update, and whether the active item's action was recognised.
  private var lastUpdate: (time: TimeInterval, isMatch: Bool)?
  /// When another action was first recognised.
  private var lostAt: TimeInterval?
  /// The counts at the last update; `nil` before the first.
  private var counts: [String: Int]?
  /// The count of the active item's label at the start of its turn; `nil` until known.
  private var zeroCount: Int?

  /// Starts a challenge of 1 to ``maximumItemCount`` items, among the model's labels if known;
  /// throws ``ServerError`` for invalid items.
  package init(items: [ChallengeItem], among labels: [String]? = nil) throws {
    guard (1...Self.maximumItemCount).contains(items.count) else {
      throw ServerError(
        .badRequest,
        MessageText("challengeItems", ["limit": Self.maximumItemCount, "count": items.count]))
    }
    for (place, item) in items.enumerated() {
      try item.validate(number: place + 1)
      if let labels, !labels.contains(item.label) {
        throw ServerError(
          .badRequest,
          MessageText(
            "challengeLabel", ["label": item.label, "labels": labels.joined(separator: ", ")]))
      }
    }
    progress = items.flatMap { item in (1...item.sets).map { Progress(item: item, set: $0) } }
    guard progress.count <= Self.maximumSetCount else {
      throw ServerError(
        .badRequest,
        MessageText("challengeSets", ["limit": Self.maximumSetCount, "count": progress.count]))
    }
    progress[0].state = .active
  }

  /// Updates the progress.
  ///
  /// - Parameters:
  ///   - counts: The repetitions of each label so far. A decrease by more than one is a restart of
  ///     counting, a decrease by one a correction.
  ///   - time: The frame's time in seconds; an earlier one counts nothing.
  package mutating func update(action: String?, counts: [String: Int], at time: TimeInterval) {
    guard state != .finished else { return }
    if state == .resting {
      updateRest(isMatch: action == progress[index].item.label, counts, at: time)
      guard state != .resting else {
        self.counts = counts
        return
      }
    }
    addTime(until: time)
    addRepetitions(counts)
    self.counts = counts
    note(isMatch: action == progress[index].item.label, at: time)
    guard isActiveItemDone else { return }
    begin(after: .done)
    if state == .waiting { note(isMatch: action == progress[index].item.label, at: time) }
  }

  /// Skips the active item, or the rest before it.
  package mutating func skip(at time: TimeInterval) {
    guard state != .finished else { return }
    if state == .resting {
      endRest()
    } else {
      begin(after: .skipped)
    }
    lastUpdate = nil
  }

  // MARK: - The active item

  private mutating func addTime(until time: TimeInterval) {
    guard let lastUpdate, lastUpdate.isMatch else { return }
    let passed = time - lastUpdate.time
    guard passed > 0, passed <= Self.longestGap else { return }
    let target = progress[index].item.seconds ?? .infinity
    progress[index].doneSeconds = min(progress[index].doneSeconds + passed, target)
  }

  private mutating func addRepetitions(_ newCounts: [String: Int]) {
    let item = progress[index].item
    let count = newCounts[item.label, default: 0]
    let before = counts?[item.label, default: 0] ?? count
    var zero = zeroCount ?? count
    if count < before - 1 { zero = count - progress[index].doneRepetitions }
    zeroCount = zero
    let done = min(count - zero, item.repetitions ?? .max)
    progress[index].doneRepetitions = max(progress[index].doneRepetitions, done)
  }

  private mutating func note(isMatch: Bool, at time: TimeInterval) {
    lastUpdate = (time, isMatch)
    if isMatch {
      lostAt = nil
      state = .running
      return
    }
    // A counted repetition shows that the action has started.
    if state == .waiting {
      if progress[index].doneRepetitions > 0 { state = .paused }
      return
    }
    let lost = min(lostAt ?? time, time)
    lostAt = lost
    if time - lost >= Self.flickerTolerance { state = .paused }
  }

  private var isActiveItemDone: Bool {
    let active = progress[index]
    if let repetitions = active.item.repetitions { return active.doneRepetitions >= repetitions }
    // Tolerance for sums of small steps.
    return active.doneSeconds + 1e-6 >= active.item.seconds ?? 0
  }

  private mutating func begin(after end: ItemState) {
    progress[index].state = end
    if end == .done, let seconds = progress[index].item.seconds {
      progress[index].doneSeconds = seconds
    }
    lostAt = nil
    let seconds = progress[index].item.rest
    guard index + 1 < progress.count else {
      state = .finished
      return
    }
    index += 1
    state = .waiting
    if end == .done, seconds > 0 {
      state = .resting
      rest = (seconds, seconds)
      hasStopped = false
    }
    progress[index].state = .active
    zeroCount = counts.map { $0[progress[index].item.label, default: 0] }
  }

  // MARK: - Rests

  private mutating func updateRest(
    isMatch: Bool, _ counts: [String: Int], at time: TimeInterval
  ) {
    rest?.left -= max(0, time - (lastUpdate?.time ?? time))
    lastUpdate = (time, isMatch)
    if isMatch, hasStopped { return endRest() }
    // Repetitions of the set before may be known only now.
    zeroCount = counts[progress[index].item.label, default: 0]
    lostAt = isMatch ? nil : min(lostAt ?? time, time)
    if let lostAt, time - lostAt >= Self.flickerTolerance { hasStopped = true }
    if rest?.left ?? 0 <= 0 { endRest() }
  }

  private mutating func endRest() {
    (state, rest, lostAt) = (.waiting, nil, nil)
  }
}
