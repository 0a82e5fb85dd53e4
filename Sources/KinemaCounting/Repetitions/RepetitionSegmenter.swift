/// Step 3 of counting: divides active steps into sets of repetitions of one action each.
///
/// The same rules serve live and at the end: live, a copy of the segmenter that has the final steps
/// gets the provisional ones as well.
package struct RepetitionSegmenter: Sendable {
  /// Repetitions of one action that follow one another.
  package struct RepetitionSet: Sendable {
    /// The bout they belong to, by its index.
    package let bout: Int
    /// The action; `nil` without a classifier.
    package let action: String?
    /// The steps, as indices of all steps.
    package fileprivate(set) var steps: Range<Int>
    /// The time in seconds.
    package fileprivate(set) var range: Range<Double>
    /// For each repetition, whether the classifier's labels agree with the action.
    package fileprivate(set) var agrees: [Bool] = []
    /// The sum of the steps' repetitions.
    fileprivate var phase = 0.0
    /// The labels of the repetition under way.
    fileprivate var labels = Labels()

    /// How many repetitions count.
    package var count: Int { agrees.count { $0 } }
  }

  /// How many steps of a repetition the classifier labels as its action, as another one, and at all.
  fileprivate struct Labels {
    var own = 0
    var others = 0
    var total = 0

    /// Whether they agree; `nil` where there is no step.
    var agree: Bool? {
      total == 0
        ? nil : own > others && Double(own) >= RepetitionSegmenter.leastOwnShare * Double(total)
    }
  }

  private struct Step {
    let step: CountingStep
    let owner: ActionTimeline.Owner
    let action: String?
  }

  /// What is added to a set's repetitions before they are cut to a whole number: where the movement
  /// is over, half of one counts.
  package static let finalRounding = 0.5
  /// The same for provisional steps: a repetition counts shortly before it ends.
  package static let liveRounding = 0.25
  /// The share of a repetition's steps that must be labelled as its action.
  static let leastOwnShare = 0.25
  /// The share of a single repetition that may lie in sets without being part of them.
  static let longestOverlap = 0.3

  /// How the repetitions of a set are rounded when it ends.
  package var rounding = finalRounding
  /// How many steps were added.
  package private(set) var stepCount = 0
  /// The sets that are over and have repetitions, oldest first.
  package private(set) var sets: [RepetitionSet] = []
  /// The single repetition (``SingleRepetition``) of each bout that has one.
  package var singles: [Int: Range<Double>] = [:]

  private var open: RepetitionSet?
  /// The active steps since the last one that belongs to a bout.
  private var pending: [Step] = []
  private var lastStep: CountingStep?
  /// What rounding has left over, by action: the sum of all sets is rounded.
  private var carried: [String?: Double] = [:]

  package init() {}

  package mutating func add(_ steps: some Sequence<CountingStep>, _ timeline: ActionTimeline) {
    for step in steps {
      if !step.isActive || lastStep.map({ !step.follows($0) }) ?? false { finish() }
      lastStep = step
      stepCount += 1
      guard step.isActive else { continue }
      let owner = timeline.owner(at: step.time)
      guard case .bout(let bout) = owner else {
        pending.append(Step(step: step, owner: owner, action: nil))
        continue
      }
      let action = timeline.bouts[bout].action
      pending.append(Step(step: step, owner: owner, action: action))
      if let open, open.bout != bout {
        // Where a label begins is less certain than where a repetition does: steps that belong to no
        // bout are divided between their neighbours.
        take((pending.count - 1) / 2)
        close()
      }
      if open == nil {
        let (index, time) = (stepCount - pending.count, pending[0].step.time)
        open = RepetitionSet(
          bout: bout, action: action, steps: index..<index, range: time..<time)
      }
      take(pending.count)
    }
  }

  /// Ends the set under way.
  package mutating func finish() {
    if open != nil { take(pending.count) }
    pending = []
    close()
  }

  /// Moves steps to the open set.
  private mutating func take(_ count: Int) {
    guard count > 0, var set = open else { return }
    for item in pending.prefix(count) {
      set.phase += item.step.repetitions
      set.labels.total += 1
      switch item.owner {
      case .bout where item.action == set.action: set.labels.own += 1
      case .bout, .nothing: set.labels.others += 1
      case .unknown: break
      }
      if set.phase >= Double(set.agrees.count + 1) {
        set.agrees.append(set.labels.agree ?? false)
        set.labels = Labels()
      }
    }
    let end = pending[count - 1].step.time + CountingStep.duration
    set.range = set.range.lowerBound..<end
    set.steps = set.steps.lowerBound..<(set.steps.upperBound + count)
    open = set
    pending.removeFirst(count)
  }

  private mutating func close() {
    guard var set = open else { return }
    open = nil
    let sum = set.phase + carried[set.action, default: 0]
    let count = max(0, Int((sum + rounding).rounded(.down)))
    carried[set.action] = sum - Double(count)
    if count > set.agrees.count {
      set.agrees.append(set.labels.agree ?? set.agrees.last ?? false)
    }
    set.agrees = Array(set.agrees.prefix(count))
    if set.count > 0 { sets.append(set) }
  }

  // MARK: - Counts

  /// The number of repetitions of an action in the sets that are over, and of single ones.
  package func count(of action: String?, _ timeline: ActionTimeline) -> Int {
    let sum = sets.reduce(0) { $1.action == action ? $0 + $1.count : $0 }
    return sum + singles.count { timeline.bouts[$0.key].action == action && counts($0.value) }
  }

  package func sets(ofBout bout: Int) -> [RepetitionSet] { sets.filter { $0.bout == bout } }

  /// Whether a single repetition is no part of a set.
  func counts(_ single: Range<Double>) -> Bool {
    let overlap = sets.reduce(0) { sum, set in
      let common = set.range.clamped(to: single)
      return sum + common.upperBound - common.lowerBound
    }
    return overlap <= Self.longestOverlap * (single.upperBound - single.lowerBound)
  }
}
