package import KinemaCoach

/// A set as it was done: repetitions of one action without a long pause, or a set of a challenge.
package struct TrainedSet: Hashable, Sendable {
  /// What a challenge asked for.
  package struct Target: Codable, Hashable, Sendable {
    package var repetitions: Int?
    package var seconds: Double?
    /// Which of the item's sets it is, from 1, and of how many.
    package var set: Int
    package var sets: Int
    /// Whether it was reached.
    package var isDone: Bool

    package init(repetitions: Int?, seconds: Double?, set: Int, sets: Int, isDone: Bool) {
      self.repetitions = repetitions
      self.seconds = seconds
      self.set = set
      self.sets = sets
      self.isDone = isDone
    }
  }

  package var label: String
  package var text: String
  /// When it begins and ends, in seconds from the start of the session.
  package var start: Double
  package var end: Double
  package var repetitions: Int
  /// The time in which the action was done, in seconds.
  package var seconds: Double
  /// The weight in kilograms; `nil` without one.
  package var weight: Double?
  /// `nil` without a challenge.
  package var target: Target?
  /// `nil` where nothing was measured.
  package var form: FormSummary?

  package init(
    label: String, text: String, start: Double, end: Double, repetitions: Int = 0,
    seconds: Double = 0, weight: Double? = nil, target: Target? = nil, form: FormSummary? = nil
  ) {
    self.label = label
    self.text = text
    self.start = start
    self.end = end
    self.repetitions = repetitions
    self.seconds = seconds
    self.weight = weight
    self.target = target
    self.form = form
  }
}

extension TrainedSet: Encodable {}
