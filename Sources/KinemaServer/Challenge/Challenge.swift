package import Foundation

/// A list of actions to be done one after the other, and how far somebody has come with it.
///
/// It is a state machine without a clock: ``update(action:counts:at:)`` tells it what is recognised
/// at which time. The rules:
///
/// - An item waits until its action is first recognised.
/// - Seconds count from one update to the next where the action was recognised at the first of them;
///   not across a gap of more than ``longestGap`` without updates.
/// - Repetitions are those that the counts of the item's label grow by after the item's turn came,
///   whatever is recognised meanwhile: a repetition is often known only after it.
/// - When something else is done the time stands still at once, but the state says `paused` only after
///   ``flickerTolerance``, so that a window that was misjudged does not show. It is `running` again as
///   soon as the action is.
/// - An item that is done makes way for the next; what was done too much is not carried over.
package struct Challenge: Sendable {
  /// How the whole stands.
  package enum State: String, Codable, Hashable, Sendable {
    /// There is no challenge.
    case idle
    /// The action of the active item has not begun.
    case waiting
    /// The action is being done.
    case running
    /// Something else is done.
    case paused
    /// All items are done or skipped.
    case finished
  }

  /// How an item stands.
  package enum ItemState: String, Codable, Hashable, Sendable {
    case pending, active, done, skipped
  }

  /// How far an item is.
  package struct Progress: Hashable, Sendable {
    /// What is to be done.
    package var item: ChallengeItem
    /// The repetitions that were done.
    package var doneRepetitions = 0
    /// The seconds for which the action was done.
    package var doneSeconds = 0.0
    /// How the item stands.
    package var state = ItemState.pending
  }

  /// How long something else may be recognised before the state is `paused`, in seconds.
  package static let flickerTolerance: TimeInterval = 1
  /// Longer gaps between updates do not count, in seconds.
  package static let longestGap: TimeInterval = 1
  /// The most items.
  package static let maximumItemCount = 50

  /// How the whole stands.
  package private(set) var state = State.waiting
  /// How far each item is.
  package private(set) var progress: [Progress]
  /// The place of the active item; the last one's when all is finished.
  package private(set) var index = 0

  /// When the last update was and whether the active item's action was recognised at it.
  private var lastUpdate: (time: TimeInterval, isMatch: Bool)?
  /// When something else began to be recognised.
  private var lostAt: TimeInterval?
  /// The counts at the last update; `nil` before the first.
  private var counts: [String: Int]?
  /// The count of the active item's label that stands for no repetitions; `nil` until it is known.
  private var zeroCount: Int?

  /// Begins a challenge.
  ///
  /// - Parameters:
  ///   - items: 1 to ``maximumItemCount`` items.
  ///   - labels: The labels that can be recognised, where that is known.
  /// - Throws: ``ServerError`` for items that could not be done.
  package init(items: [ChallengeItem], among labels: [String]? = nil) throws {
    guard (1...Self.maximumItemCount).contains(items.count) else {
      throw ServerError(
        .badRequest,
        "The challenge has \(items.count) items: give it 1 to \(Self.maximumItemCount).")
    }
    for (place, item) in items.enumerated() {
      try item.validate(number: place + 1)
      if let labels, !labels.contains(item.label) {
        throw ServerError(
          .badRequest,
          "The model does not know “\(item.label)”: choose among \(labels.joined(separator: ", "))."
        )
      }
    }
    progress = items.map { Progress(item: $0) }
    progress[0].state = .active
  }

  /// Takes in what is recognised.
  ///
  /// - Parameters:
  ///   - action: The label of what is done; `nil` where nothing is sure.
  ///   - counts: The repetitions of each label since the counting began. Where a count falls by more
  ///     than one, the counting is taken to have begun anew; a fall of one is a correction and
  ///     takes nothing away.
  ///   - time: When, in seconds; of the pictures, not of the clock. Time that runs backwards
  ///     counts nothing.
  package mutating func update(action: String?, counts: [String: Int], at time: TimeInterval) {
    guard state != .finished else { return }
    addTime(until: time)
    addRepetitions(counts)
    self.counts = counts
    note(isMatch: action == progress[index].item.label, at: time)
    guard isActiveItemDone else { return }
    begin(after: .done)
    if state != .finished { note(isMatch: action == progress[index].item.label, at: time) }
  }

  /// Leaves the active item as it is and goes on to the next.
  package mutating func skip(at time: TimeInterval) {
    guard state != .finished else { return }
    begin(after: .skipped)
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
    // A repetition that is counted shows that the action has begun.
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
    // Many small steps may add up to a hair less.
    return active.doneSeconds + 1e-6 >= active.item.seconds ?? 0
  }

  private mutating func begin(after end: ItemState) {
    progress[index].state = end
    if end == .done, let seconds = progress[index].item.seconds {
      progress[index].doneSeconds = seconds
    }
    lostAt = nil
    guard index + 1 < progress.count else {
      state = .finished
      return
    }
    index += 1
    state = .waiting
    progress[index].state = .active
    zeroCount = counts.map { $0[progress[index].item.label, default: 0] }
  }
}
