/// A person doing one exercise after another, known at every moment.
///
/// The person stands or lies round the origin and faces z. Segments follow each other without gaps
/// from 0 to ``duration``; between exercises with different postures there is a segment without an
/// exercise, in which the person steps, gets down or gets up.
public struct SyntheticSession: Sendable {
  /// A wish: an exercise and how often.
  public struct Part: Hashable, Sendable {
    /// What is done.
    public var exercise: Exercise
    /// How often; 0 for standing.
    public var repetitions: Int
    /// How long one repetition takes on average or, for standing, how long it lasts; in seconds.
    public var duration: Double

    /// A number of repetitions.
    ///
    /// - Parameters:
    ///   - exercise: What is done; not standing.
    ///   - repetitions: How often, at least once.
    ///   - repetitionDuration: How long one takes on average, in seconds; by default what is typical.
    public static func exercise(
      _ exercise: Exercise, repetitions: Int, repetitionDuration: Double? = nil
    ) -> Part {
      precondition(exercise != .standing, "Standing has a duration, not repetitions.")
      precondition(repetitions > 0, "An exercise needs at least one repetition.")
      let duration = repetitionDuration ?? exercise.typicalRepetitionDuration
      precondition(duration > 0, "A repetition takes time.")
      return Part(exercise: exercise, repetitions: repetitions, duration: duration)
    }

    /// Standing about for a number of seconds.
    public static func standing(seconds: Double) -> Part {
      precondition(seconds > 0, "Standing takes time.")
      return Part(exercise: .standing, repetitions: 0, duration: seconds)
    }
  }

  /// A stretch of time in which one thing is done.
  public struct Segment: Hashable, Codable, Sendable {
    /// What is done; `nil` on the way from one exercise to the next.
    public let exercise: Exercise?
    /// When it begins, in seconds.
    public let start: Double
    /// When it ends, in seconds; the next one begins then.
    public let end: Double
    /// Its repetitions, which fill it from start to end; empty where nothing is repeated.
    public let repetitions: [Repetition]

    /// The name for files: the exercise's or `transition`.
    public var label: String { exercise?.rawValue ?? "transition" }
  }

  /// One repetition.
  public struct Repetition: Hashable, Codable, Sendable {
    /// When it begins, in seconds.
    public let start: Double
    /// When it ends, in seconds.
    public let end: Double
  }

  /// Who does it.
  public let person: SyntheticPerson
  /// What is done when, in order.
  public let segments: [Segment]
  private let track: PostureTrack
  private let sway: Sway
  private let solver: BodySolver

  /// Lays out a session.
  ///
  /// - Parameters:
  ///   - parts: What is done, in order; at least one.
  ///   - person: Who does it.
  ///   - seed: Decides style, tempo and sway; the same seed gives the same session.
  public init(_ parts: [Part], person: SyntheticPerson = .average, seed: UInt64) {
    precondition(!parts.isEmpty, "A session needs at least one part.")
    var generator = SeededGenerator(seed: seed)
    self.person = person
    solver = BodySolver(
      person: person, kneeSpread: generator.uniform(0.05...0.35),
      elbowSpread: generator.uniform(0.4...1))
    sway = Sway(using: &generator)
    var script = SessionScript(person: person)
    for part in parts {
      script.append(part, using: &generator)
    }
    segments = script.segments
    track = PostureTrack(script.keys)
  }

  /// How long it lasts, in seconds.
  public var duration: Double { segments.last?.end ?? 0 }

  /// The body at a time; before the start and after the end the person keeps still but for a sway.
  public func skeleton(at time: Double) -> Skeleton {
    solver.skeleton(for: sway.applied(to: track.posture(at: time), at: time))
  }

  /// The segment at a time; the first one before the start and the last one from the end on.
  public func segment(at time: Double) -> Segment {
    segments.first { time < $0.end } ?? segments[segments.count - 1]
  }

  /// How many repetitions of all exercises are complete at a time.
  public func completedRepetitions(at time: Double) -> Int {
    segments.reduce(0) { count, segment in
      count + segment.repetitions.count { $0.end <= time }
    }
  }
}
