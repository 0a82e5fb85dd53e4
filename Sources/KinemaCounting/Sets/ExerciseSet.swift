/// What one person does of one exercise, without a long pause: repetitions, or a posture that is held.
public struct ExerciseSet: Hashable, Sendable {
  /// Which of the person's sets it is, from 1; one that became part of another is left out.
  public let id: Int
  /// Its exercise by the evidence so far, which may be revised while it lasts; `nil` while no name is
  /// confident.
  public package(set) var action: String?
  /// Whether it is counted in repetitions, or timed.
  public package(set) var kind: LabelKind
  /// When it begins, in seconds.
  public package(set) var start: Double
  /// When its exercise was recognised last, in seconds.
  public package(set) var end: Double
  /// How many repetitions were counted in it, which never become fewer; none of what is timed.
  public package(set) var repetitions = 0

  package init(
    id: Int, action: String?, kind: LabelKind = .counted, start: Double, end: Double,
    repetitions: Int = 0
  ) {
    (self.id, self.action, self.kind) = (id, action, kind)
    (self.start, self.end, self.repetitions) = (start, end, repetitions)
  }
}

/// That a set is of another exercise than it was named until then.
public struct SetRevision: Hashable, Sendable {
  /// The set's id.
  public let set: Int
  /// The name that it had.
  public let from: String
  /// The name that it has.
  public let to: String
  /// When the set begins, in seconds.
  public let start: Double
  /// How many of its repetitions change their name.
  public let repetitions: Int
  /// The id of the set that it becomes a part of: the one before, of the same exercise; `nil` where it
  /// stays a set of its own.
  public let joined: Int?

  package init(
    set: Int, from: String, to: String, start: Double, repetitions: Int, joined: Int? = nil
  ) {
    (self.set, self.from, self.to, self.start) = (set, from, to, start)
    (self.repetitions, self.joined) = (repetitions, joined)
  }
}
