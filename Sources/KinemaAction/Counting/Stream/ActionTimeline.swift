/// What a classifier said when, and to which bout of an action each moment belongs.
///
/// A bout lasts as long as the label stays; one that comes back within ``longestBreak`` goes on.
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

  /// The longest time, in seconds, after which a bout goes on.
  static let longestBreak = 3.0

  private struct Entry {
    let start: Double
    let label: Label
    let bout: Int?
    var confidences = 0.0
    var count = 0
  }

  private let delay: Double
  private var entries: [Entry] = []
  private var bouts: [(action: String?, start: Double, end: Double)] = []
  private var now = -Double.infinity

  init(delay: Double) {
    self.delay = delay
  }

  /// Takes what is said at a time, later than all before.
  mutating func add(_ label: Label, at time: Double, confidence: Double?) {
    now = time
    if entries.last?.label != label {
      entries.append(Entry(start: time, label: label, bout: bout(for: label, at: time)))
    }
    let last = entries.count - 1
    if let bout = entries[last].bout { bouts[bout].end = time }
    if let confidence {
      entries[last].confidences += confidence
      entries[last].count += 1
    }
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
    bouts.append((action, time, time))
    return bouts.count - 1
  }

  /// How many bouts there are.
  var boutCount: Int { bouts.count }

  /// The action of a bout; `nil` where no classifier runs.
  func action(ofBout bout: Int) -> String? { bouts[bout].action }

  /// When a bout's label was told first.
  func start(ofBout bout: Int) -> Double { bouts[bout].start }

  /// The bout that is going on.
  var currentBout: Int? { entries.last?.bout }

  /// All actions, each once, in the order of their first bouts.
  var actions: [String?] {
    var seen: Set<String?> = []
    return bouts.map(\.action).filter { seen.insert($0).inserted }
  }

  /// The bout to which a moment belongs; `nil` if it does not count.
  ///
  /// The label of a window comes when the window ends, so that a moment's is the one told a delay
  /// later. While the classifier cannot tell, what it says next holds for as far back as its window
  /// reaches, and for a break within one action.
  func bout(at time: Double) -> Int? {
    if entries.count == 1, entries[0].label == .anything { return entries[0].bout }
    let told = min(time + delay, now)
    guard let index = entries.lastIndex(where: { $0.start <= told }) ?? entries.indices.first
    else { return nil }
    guard entries[index].label == .unknown, index + 1 < entries.count else {
      return entries[index].bout
    }
    let next = entries[index + 1]
    let isWithinReach = next.start - time <= 2 * delay
    let isBreak =
      index > 0 && entries[index - 1].bout == next.bout
      && next.start - entries[index].start <= Self.longestBreak
    return isWithinReach || isBreak ? next.bout : nil
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
