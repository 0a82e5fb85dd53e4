/// The sets of a person: which bouts of labels belong together, and what they are called.
///
/// A set begins with a bout of an exercise. The next bout continues it, begins another one, or shows that
/// the set was named wrongly. What decides is how much the classifier's windows *of the set so far* say for
/// its name rather than for the new one: where that is little, the set, with its repetitions, takes the new
/// name; where it is much, what follows is another set. So a circuit without pauses has a set for each
/// exercise, and a first guess that does not last leaves none.
package struct SetCourse: Sendable {
  /// The longest pause within a set, in seconds: the slowest repetition takes as long.
  package static let longestPause = 8.0
  /// The longest pause, in seconds, after which a label may still be another name for what was done before.
  static let longestDoubt = 3.0
  /// How much the windows of a set must say for its name, as the sum of the logarithms of how many times
  /// likelier it is than the new one in each of them, for both to be sets.
  ///
  /// Windows come about three times a second and share most of their frames.
  static let leastMargin = 20.0

  private struct Member {
    var set: ExerciseSet
    /// Whether it became part of the one before.
    var isJoined = false
  }

  /// Labels that stand for several: the name of each group and its labels.
  private let groups: [String: [String]]
  private var members: [Member] = []
  /// The revisions that nobody has taken yet.
  package private(set) var revisions: [SetRevision] = []

  init(groups: [String: [String]]) { self.groups = groups }

  /// All sets, oldest first.
  package var sets: [ExerciseSet] { members.filter { !$0.isJoined }.map(\.set) }

  /// All sets with their places, oldest first.
  var places: [(place: Int, set: ExerciseSet)] {
    members.indices.filter { !members[$0].isJoined }.map { ($0, members[$0].set) }
  }

  /// A set by its place; that which it became part of.
  subscript(place: Int) -> ExerciseSet { members[root(of: place)].set }

  /// The place of the set of which that at a place is a part.
  func root(of place: Int) -> Int {
    var place = place
    while members[place].isJoined { place -= 1 }
    return place
  }

  /// The place of the newest set; `nil` before the first.
  var last: Int? { members.indices.last.map(root) }

  /// Adds a bout of an exercise.
  ///
  /// - Parameters:
  ///   - label: The exercise; `nil` where there is no classifier.
  ///   - margin: How much the windows of a time range say for one label rather than for another one, as
  ///     ``leastMargin``; `nil` where there are none.
  /// - Returns: The place of its set.
  mutating func add(
    _ label: String?, _ kind: LabelKind, from start: Double,
    margin: (_ label: String, _ other: String, _ range: ClosedRange<Double>) -> Double?
  ) -> Int {
    guard let last, start - members[last].set.end <= Self.longestPause else {
      return begin(label, kind, at: start)
    }
    let set = members[last].set
    guard let label, let name = set.action, !isSame(label, name) else { return last }
    // Repetitions never become those of something that has none.
    let isOtherName =
      start - set.end <= Self.longestDoubt && (kind == .counted || set.repetitions == 0)
      && (groups[name]?.contains(label) == true
        || margin(name, label, set.start...set.end) ?? .infinity < Self.leastMargin)
    guard isOtherName else { return begin(label, kind, at: start) }
    revise(last, to: label, kind)
    return root(of: last)
  }

  /// Whether a label says nothing else than a set's name does: a group of which it is one names it less
  /// closely.
  private func isSame(_ label: String, _ name: String) -> Bool {
    label == name || groups[label]?.contains(name) == true
  }

  private mutating func begin(_ label: String?, _ kind: LabelKind, at start: Double) -> Int {
    let set = ExerciseSet(
      id: members.count + 1, action: label, kind: kind, start: start, end: start)
    members.append(Member(set: set))
    return members.count - 1
  }

  private mutating func revise(_ place: Int, to label: String, _ kind: LabelKind) {
    let set = members[place].set
    members[place].set.action = label
    members[place].set.kind = kind
    var joined: Int?
    if place > 0 {
      let before = root(of: place - 1)
      if members[before].set.action == label,
        set.start - members[before].set.end <= Self.longestPause
      {
        joined = members[before].set.id
        members[before].set.end = set.end
        members[before].set.repetitions += set.repetitions
        for index in (before + 1)...place { members[index].isJoined = true }
      }
    }
    revisions.append(
      SetRevision(
        set: set.id, from: set.action ?? label, to: label, start: set.start,
        repetitions: set.repetitions, joined: joined))
  }

  /// Notes that the exercise of a set is still recognised.
  mutating func extend(_ place: Int, to time: Double) {
    let place = root(of: place)
    members[place].set.end = max(members[place].set.end, time)
  }

  /// Notes how many repetitions a set has, which never become fewer, and when they were done.
  mutating func count(_ repetitions: Int, in range: Range<Double>?, of place: Int) {
    let place = root(of: place)
    members[place].set.repetitions = max(members[place].set.repetitions, repetitions)
    guard let range else { return }
    members[place].set.start = min(members[place].set.start, range.lowerBound)
    members[place].set.end = max(members[place].set.end, range.upperBound)
  }

  /// The repetitions of the sets of an action before one.
  func repetitions(of action: String?, before place: Int) -> Int {
    members[..<place].reduce(0) {
      $0 + ($1.set.action == action && !$1.isJoined ? $1.set.repetitions : 0)
    }
  }

  /// How many repetitions there are of each action; those of `nil` without a classifier.
  var counts: [String?: Int] {
    members.reduce(into: [:]) { counts, member in
      guard !member.isJoined, member.set.kind == .counted else { return }
      counts[member.set.action, default: 0] += member.set.repetitions
    }
  }

  /// The id that the next set has.
  var nextID: Int { members.count + 1 }

  /// Gives the revisions since the last call.
  package mutating func takeRevisions() -> [SetRevision] {
    defer { revisions = [] }
    return revisions
  }
}
