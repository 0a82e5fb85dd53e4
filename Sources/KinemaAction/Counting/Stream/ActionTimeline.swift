/// What a classifier said when, and to which bout of an action each moment belongs.
///
/// A bout lasts as long as the label stays; one that comes back within ``longestBreak`` goes on. One
/// that is told only for a moment and not surely is none.
struct ActionTimeline: Sendable {
  /// What is said at a time.
  enum Label: Hashable, Sendable {
    /// No classifier runs: whatever is done counts.
    case anything
    /// An action that counts.
    case action(String)
    /// Something that does not count.
    case nothing
    /// The classifier cannot tell.
    case unknown
  }

  /// To what a moment belongs.
  enum Owner: Hashable, Sendable {
    /// To a bout, by its index.
    case bout(Int)
    /// To something that does not count.
    case nothing
    /// The classifier could not tell.
    case unknown
  }

  /// The longest time, in seconds, after which a bout goes on.
  static let longestBreak = 3.0
  /// How long a label must stay, in seconds, to be believed where it is not sure: longer than the
  /// usual time from one window to the next, a third of a second.
  static let leastDuration = 0.5
  /// The confidence from which a label is believed at once.
  static let sureConfidence = 0.8

  private struct Entry {
    let start: Double
    let label: Label
    let bout: Int?
    var confidences = 0.0
    var count = 0
  }

  private struct Bout {
    let action: String?
    let start: Double
    var end: Double
    var isBelieved = false
  }

  private let delay: Double
  private var entries: [Entry] = []
  private var bouts: [Bout] = []
  private var now = -Double.infinity

  init(delay: Double) {
    self.delay = delay
  }

  /// Takes what is said at a time, not earlier than all before.
  ///
  /// - Returns: Whether an action is told, or believed, that was not a moment before.
  @discardableResult
  mutating func add(_ label: Label, at time: Double, confidence: Double?) -> Bool {
    let (lastBout, wasBelieved) = (currentBout, currentBout != nil)
    now = time
    if entries.last?.label != label {
      entries.append(Entry(start: time, label: label, bout: bout(for: label, at: time)))
    }
    let last = entries.count - 1
    if let bout = entries[last].bout {
      bouts[bout].end = time
      if confidence ?? 1 >= Self.sureConfidence || time - entries[last].start >= Self.leastDuration
      {
        bouts[bout].isBelieved = true
      }
    }
    if let confidence {
      entries[last].confidences += confidence
      entries[last].count += 1
    }
    return currentBout != nil && (currentBout != lastBout || !wasBelieved)
  }

  private mutating func bout(for label: Label, at time: Double) -> Int? {
    let action: String?
    switch label {
    case .nothing, .unknown: return nil
    case .anything: action = nil
    case .action(let name): action = name
    }
    if let last = bouts.indices.last, bouts[last].action == action,
      time - bouts[last].end <= Self.longestBreak
    {
      return last
    }
    bouts.append(Bout(action: action, start: time, end: time))
    return bouts.count - 1
  }

  /// How many bouts there are.
  var boutCount: Int { bouts.count }

  /// The action of a bout; `nil` where no classifier runs.
  func action(ofBout bout: Int) -> String? { bouts[bout].action }

  /// When a bout's label was told first.
  func start(ofBout bout: Int) -> Double { bouts[bout].start }

  /// The bout that is going on by what is told now.
  var currentBout: Int? {
    entries.last?.bout.flatMap { bouts[$0].isBelieved ? $0 : nil }
  }

  /// All actions, each once, in the order of their first bouts.
  var actions: [String?] {
    var seen: Set<String?> = []
    return bouts.map(\.action).filter { seen.insert($0).inserted }
  }

  /// The bout to which a moment belongs; `nil` if it does not count.
  func bout(at time: Double) -> Int? {
    if case .bout(let bout) = owner(at: time) { bout } else { nil }
  }

  /// To what a moment belongs.
  ///
  /// The label of a window comes when the window ends, so that a moment's is the one told a delay
  /// later. While the classifier cannot tell, what it says next holds for as far back as its window
  /// reaches, and for a break within one action.
  func owner(at time: Double) -> Owner {
    if entries.count == 1, entries[0].label == .anything { return owner(of: entries[0]) }
    let told = min(time + delay, now)
    guard let index = entries.lastIndex(where: { $0.start <= told }) ?? entries.indices.first
    else { return .unknown }
    guard entries[index].label == .unknown, index + 1 < entries.count else {
      return owner(of: entries[index])
    }
    let next = entries[index + 1]
    let isWithinReach = next.start - time <= 2 * delay
    let isBreak =
      index > 0 && entries[index - 1].bout == next.bout
      && next.start - entries[index].start <= Self.longestBreak
    return isWithinReach || isBreak ? owner(of: next) : .unknown
  }

  private func owner(of entry: Entry) -> Owner {
    guard let bout = entry.bout else { return entry.label == .nothing ? .nothing : .unknown }
    return bouts[bout].isBelieved ? .bout(bout) : .unknown
  }

  /// The mean confidence of what was told about a stretch of time.
  func confidence(in range: Range<Double>) -> Double? {
    var (sum, count) = (0.0, 0)
    for (index, entry) in entries.enumerated() where entry.bout != nil {
      let end = index + 1 < entries.count ? entries[index + 1].start : .infinity
      guard entry.start < range.upperBound + delay, end > range.lowerBound + delay else { continue }
      sum += entry.confidences
      count += entry.count
    }
    return count > 0 ? sum / Double(count) : nil
  }
}
