import KinemaStreams

/// The classifier's labels over time, grouped into bouts of one action, and those into sets.
///
/// A bout lasts as long as its label; a label that returns within ``longestBreak`` continues it. A bout
/// belongs to a set (``SetCourse``) once its label is confident or has lasted for ``leastDuration``.
package struct ActionTimeline: Sendable {
  /// The classifier's output at a time.
  package enum Label: Hashable, Sendable {
    /// There is no classifier: every movement counts.
    case anything
    /// An action that counts.
    case action(String)
    /// An exercise that is held, and has no repetitions.
    case hold(String)
    /// A class that does not count.
    case nothing
    /// No label is confident enough, and an exercise is likelier than none.
    case unnamed
    /// No label is confident enough.
    case unknown
  }

  /// What a moment belongs to.
  package enum Owner: Hashable, Sendable {
    /// A bout, by its index.
    case bout(Int)
    /// A class that does not count.
    case nothing
    /// No confident label, and an exercise is likelier than none.
    case unnamed
    /// No confident label.
    case unknown
  }

  /// Movement under one label.
  package struct Bout: Sendable {
    /// The label; `nil` where there is no classifier.
    let label: String?
    let kind: LabelKind
    /// When the label first came, in seconds.
    let start: Double
    /// When it came last.
    var end: Double
    /// The place of the set that it belongs to; `nil` until it is confirmed.
    fileprivate(set) var set: Int?
  }

  /// The longest pause, in seconds, after which a bout continues.
  static let longestBreak = 3.0
  /// How long a label must last, in seconds, where it is not confident: longer than the usual stride
  /// of windows, a third of a second.
  static let leastDuration = 0.5
  /// The confidence from which a label is accepted at once.
  static let highConfidence = 0.8

  private struct Entry {
    let start: Double
    let label: Label
    let bout: Int?
    var confidences = 0.0
    var count = 0

    var isDoubtful: Bool { label == .unknown || label == .unnamed }
  }

  /// The time from a moment to its label, in seconds.
  let delay: Double
  private var entries: [Entry] = []
  private var now = -Double.infinity
  /// All bouts, in order.
  private(set) var bouts: [Bout] = []
  /// The sets of the confirmed bouts.
  package internal(set) var sets: SetCourse
  /// What the classifier's windows say, by which sets are named.
  var likeness: ActionLikeness

  /// - Parameter delay: The time from a moment to its label, in seconds.
  package init(delay: Double = 0) {
    self.init(delay: delay, likeness: ActionLikeness(wholes: [:]))
  }

  init(delay: Double, likeness: ActionLikeness) {
    (self.delay, self.likeness) = (delay, likeness)
    sets = SetCourse(groups: likeness.groups)
  }

  /// Adds the label at a time, not earlier than all before.
  ///
  /// - Returns: Whether ``currentBout`` is another one now.
  @discardableResult
  package mutating func add(_ label: Label, at time: Double, confidence: Double? = nil) -> Bool {
    let last = currentBout
    now = time
    if entries.last?.label != label {
      entries.append(Entry(start: time, label: label, bout: bout(for: label, at: time)))
    }
    let index = entries.count - 1
    if let bout = entries[index].bout {
      bouts[bout].end = time
      if bouts[bout].set == nil,
        confidence ?? 1 >= Self.highConfidence
          || time - entries[index].start >= Self.leastDuration
      {
        bouts[bout].set = set(of: bouts[bout])
      }
      if let set = bouts[bout].set { sets.extend(set, to: time - delay) }
    }
    if let confidence {
      entries[index].confidences += confidence
      entries[index].count += 1
    }
    return currentBout != nil && currentBout != last
  }

  private mutating func bout(for label: Label, at time: Double) -> Int? {
    let (name, kind): (String?, LabelKind)
    switch label {
    case .nothing, .unnamed, .unknown: return nil
    case .anything: (name, kind) = (nil, .counted)
    case .action(let action): (name, kind) = (action, .counted)
    case .hold(let action): (name, kind) = (action, .timed)
    }
    if let last = bouts.indices.last, bouts[last].label == name,
      time - bouts[last].end <= Self.longestBreak
    {
      return last
    }
    bouts.append(Bout(label: name, kind: kind, start: time, end: time))
    return bouts.count - 1
  }

  private mutating func set(of bout: Bout) -> Int {
    sets.add(bout.label, bout.kind, from: bout.start - delay) {
      [likeness, delay] label, other, range in
      let reported = (range.lowerBound + delay)...(range.upperBound + delay)
      return likeness.margin(of: label, over: other, in: reported)
    }
  }

  /// Whether there is no classifier.
  var isUnlabelled: Bool { entries.count == 1 && entries[0].label == .anything }

  /// The bout of the present label; `nil` where that does not count.
  var currentBout: Int? { entries.last?.bout.flatMap { counts($0) ? $0 : nil } }

  /// Whether a bout is confirmed, and its set has repetitions.
  private func counts(_ bout: Int) -> Bool { set(ofBout: bout)?.kind == .counted }

  /// The set of a bout; `nil` until it is confirmed.
  func set(ofBout bout: Int) -> ExerciseSet? { bouts[bout].set.map { sets[$0] } }

  /// What a moment belongs to.
  ///
  /// A window's label comes when the window ends, so that a moment's label is the one a delay later.
  /// Where that is unknown, the next label holds for as far back as its window reaches, and for a
  /// break within one action.
  package func owner(at time: Double) -> Owner {
    if isUnlabelled { return owner(of: entries[0]) }
    let moment = min(time + delay, now)
    let index = max(entries.partitioningIndex { $0.start > moment } - 1, 0)
    guard index < entries.count else { return .unknown }
    guard entries[index].isDoubtful, index + 1 < entries.count else {
      return owner(of: entries[index])
    }
    let next = entries[index + 1]
    let isWithinReach = next.start - time <= 2 * delay
    let isBreak =
      index > 0 && entries[index - 1].bout == next.bout
      && next.start - entries[index].start <= Self.longestBreak
    return isWithinReach || isBreak ? owner(of: next) : owner(of: entries[index])
  }

  private func owner(of entry: Entry) -> Owner {
    guard let bout = entry.bout else {
      return entry.label == .nothing ? .nothing : entry.label == .unnamed ? .unnamed : .unknown
    }
    guard let set = set(ofBout: bout) else { return .unknown }
    return set.kind == .counted ? .bout(bout) : .nothing
  }

  /// The mean confidence of the labels of a time range.
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
