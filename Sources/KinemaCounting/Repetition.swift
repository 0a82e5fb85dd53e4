public import Foundation
public import KinemaPose

/// One repetition of a movement.
public struct Repetition: Hashable, Sendable {
  /// When it begins, in seconds: at a turning point of the movement where there is one.
  public var start: TimeInterval
  /// When it ends, in seconds.
  public var end: TimeInterval
  /// The action; `nil` without a classifier.
  public var action: String?
  /// The set that it belongs to (``ExerciseSet/id``).
  public var set: Int?
  /// Which of the person's movements it is, from 1, where there is no classifier; ``Quality/isAttempt`` compares
  /// repetitions of one movement.
  package var movement: Int?
  /// How much the repetition resembles the classifier's training examples of its action, from 0 to 1;
  /// `nil` without a classifier.
  ///
  /// It is the probability of the action, and of what is a part of it
  /// (``ActionRecognizer/Rules/wholes``), in the classifier's windows that overlap the repetition,
  /// averaged with the overlaps as weights. The probabilities are calibrated where the model was
  /// scaled by a temperature, as those that Kinema trains are.
  public var confidence: Double?
  /// The quality of its execution; `nil` without stored poses.
  public var quality: Quality?

  /// How long it takes, in seconds.
  public var duration: TimeInterval { end - start }

  /// Creates a repetition.
  public init(
    start: TimeInterval, end: TimeInterval, action: String? = nil, set: Int? = nil,
    confidence: Double? = nil, quality: Quality? = nil
  ) {
    self.start = start
    self.end = end
    self.action = action
    self.set = set
    self.confidence = confidence
    self.quality = quality
  }

  /// How a repetition was performed.
  public struct Quality: Hashable, Sendable {
    /// The joints that move most in this movement, widest first.
    public var movingJoints: [JointKey]
    /// How far these joints travel from one end to the other, on average, in body sizes (the root
    /// mean square distance of nose and limbs from the middle of the hips).
    public var rangeOfMotion: Double
    /// The joint that bends most in this movement.
    public var bendingJoint: JointKey
    /// By how many degrees it bends.
    public var bend: Double
    /// The similarity of left and right, from 0 to 1: the travel of the joints of the lesser side as
    /// a share of that of the other; where the movement changes sides, from one repetition to the next.
    public var symmetry: Double
    /// Whether it is an attempt: its range is under a share of the median of the person's
    /// repetitions of the same action or movement
    /// (``RepetitionCounter/Rules/attemptShare``).
    public var isAttempt: Bool

    /// Creates a measurement.
    public init(
      movingJoints: [JointKey], rangeOfMotion: Double, bendingJoint: JointKey, bend: Double,
      symmetry: Double, isAttempt: Bool = false
    ) {
      self.movingJoints = movingJoints
      self.rangeOfMotion = rangeOfMotion
      self.bendingJoint = bendingJoint
      self.bend = bend
      self.symmetry = symmetry
      self.isAttempt = isAttempt
    }
  }
}
