/// Step 3 of counting: divides active steps into sets of repetitions of one action each.
///
/// The same rules serve live and at the end: live, a copy of the segmenter that has the final steps
/// gets the provisional ones as well.
package struct RepetitionSegmenter: Sendable {
  /// Repetitions of one action that follow one another.
  package struct RepetitionSet: Sendable {
    /// The place, and the id, of the set that they belong to; where the person pauses, it has more.
    let set: Int
    package let id: Int
    /// The action; `nil` without a classifier.
    package let action: String?
    /// The bouts in which they were done, by their indices.
    fileprivate(set) var bouts: ClosedRange<Int>
    /// The steps, as indices of all steps.
    package fileprivate(set) var steps: Range<Int>
    /// The time in seconds.
    package fileprivate(set) var range: Range<Double>
    /// For each repetition, whether the classifier agrees with the action: by its labels, or by the
    /// probabilities of its windows, where the labels before the action was named say something else.
    package fileprivate(set) var agrees: [Bool] = []
    /// When the repetition under way begins, in seconds.
    fileprivate var start: Double
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
    /// The place of the set that the step belongs to; `nil` where it belongs to none.
    let set: Int?
  }

  /// What is added to a set's repetitions before they are cut to a whole number: where the movement
  /// is over, half of one counts.
  package static let finalRounding = 0.5
  /// The same for provisional steps: a repetition counts shortly before it ends.
  package static let liveRounding = 0.25
  /// The share of a repetition's steps that must be labelled as its action.
  static let leastOwnShare = 0.25
  /// The likeness to its action from which a repetition counts whose labels say something else: more likely
  /// than not.
  static let leastLikeness = 0.5
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
      if !step.isActive || lastStep.map({ !step.follows($0) }) ?? false { finish(timeline) }
      lastStep = step
      stepCount += 1
      guard step.isActive else { continue }
      let owner = timeline.owner(at: step.time)
      guard case .bout(let bout) = owner, let place = timeline.bouts[bout].set else {
        pending.append(Step(step: step, owner: owner, set: nil))
        continue
      }
      let set = timeline.sets.root(of: place)
      pending.append(Step(step: step, owner: owner, set: set))
      if let open, open.set != set {
        // Where a label begins is less certain than where a repetition does: steps that belong to no
        // bout are divided between their neighbours.
        take((pending.count - 1) / 2, timeline)
        close(timeline)
      }
      if open == nil {
        let (index, time) = (stepCount - pending.count, pending[0].step.time)
        open = RepetitionSet(
          set: set, id: timeline.sets[set].id, action: timeline.sets[set].action,
          bouts: bout...bout, steps: index..<index, range: time..<time, start: time)
      }
      if let bouts = open?.bouts {
        open?.bouts = min(bouts.lowerBound, bout)...max(bouts.upperBound, bout)
      }
      take(pending.count, timeline)
    }
  }

  /// Ends the set under way.
  package mutating func finish(_ timeline: ActionTimeline) {
    if open != nil { take(pending.count, timeline) }
    pending = []
    close(timeline)
  }

  /// Whether the classifier agrees with the action of a set in its repetition under way, until a time;
  /// `nil` where there is nothing of one.
  private static func agrees(
    _ set: RepetitionSet, until time: Double, _ timeline: ActionTimeline
  ) -> Bool? {
    guard let agree = set.labels.agree, !agree, let action = set.action else {
      return set.labels.agree
    }
    let likeness = timeline.likeness.likeness(of: action, in: set.start..<max(set.start, time))
    return likeness ?? 0 >= leastLikeness
  }

  /// Moves steps to the open set.
  private mutating func take(_ count: Int, _ timeline: ActionTimeline) {
    guard count > 0, var set = open else { return }
    for item in pending.prefix(count) {
      set.phase += item.step.repetitions
      set.labels.total += 1
      switch item.owner {
      case .bout where item.set == set.set: set.labels.own += 1
      // What has no name yet is what the set is called in the end.
      case .unnamed: set.labels.own += 1
      case .bout, .nothing: set.labels.others += 1
      case .unknown: break
      }
      if set.phase >= Double(set.agrees.count + 1) {
        let end = item.step.time + CountingStep.duration
        set.agrees.append(Self.agrees(set, until: end, timeline) ?? false)
        (set.labels, set.start) = (Labels(), end)
      }
    }
    let end = pending[count - 1].step.time + CountingStep.duration
    set.range = set.range.lowerBound..<end
    set.steps = set.steps.lowerBound..<(set.steps.upperBound + count)
    open = set
    pending.removeFirst(count)
  }

  private mutating func close(_ timeline: ActionTimeline) {
    guard var set = open else { return }
    open = nil
    let sum = set.phase + carried[set.action, default: 0]
    let count = max(0, Int((sum + rounding).rounded(.down)))
    carried[set.action] = sum - Double(count)
    if count > set.agrees.count {
      let agree = Self.agrees(set, until: set.range.upperBound, timeline)
      set.agrees.append(agree ?? set.agrees.last ?? false)
    }
    set.agrees = Array(set.agrees.prefix(count))
    if set.count > 0 { sets.append(set) }
  }

  // MARK: - Counts

  /// The number of repetitions of an action in the sets that are over, and of single ones.
  package func count(of action: String?, _ timeline: ActionTimeline) -> Int {
    let sum = sets.reduce(0) { $1.action == action ? $0 + $1.count : $0 }
    return sum
      + singles.count { timeline.set(ofBout: $0.key)?.action == action && counts($0.value) }
  }

  package func sets(ofBout bout: Int) -> [RepetitionSet] { sets.filter { $0.bouts ~= bout } }

  /// The time of the repetitions of a set; `nil` where there are none in sets that are over.
  package func range(ofSet place: Int) -> Range<Double>? {
    let own = sets.filter { $0.set == place }
    guard let first = own.first, let last = own.last else { return nil }
    return first.range.lowerBound..<last.range.upperBound
  }

  /// The repetitions, with a fraction, of the steps that go on and have no name yet, and when they began;
  /// `nil` where there are none.
  package var unnamed: (start: Double, repetitions: Double)? {
    guard open == nil else { return nil }
    let steps = pending.filter { $0.owner == .unnamed }
    guard let first = steps.first else { return nil }
    return (first.step.time, steps.reduce(0) { $0 + $1.step.repetitions })
  }

  /// Whether a single repetition is no part of a set.
  func counts(_ single: Range<Double>) -> Bool {
    let overlap = sets.reduce(0) { sum, set in
      let common = set.range.clamped(to: single)
      return sum + common.upperBound - common.lowerBound
    }
    return overlap <= Self.longestOverlap * (single.upperBound - single.lowerBound)
  }
}
