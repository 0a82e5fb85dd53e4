/// A person doing one motion after another, known at every moment.
///
/// The person stands or lies round the origin and faces z. Segments follow each other without gaps
/// from 0 to ``duration``; between motions with different postures there is a segment without a
/// motion, in which the person steps, gets down or gets up.
package struct SyntheticSession: Sendable {
  package struct Part: Hashable, Sendable {
    package var motion: Motion
    package var cycles: Int
    /// How long one cycle takes on average, in seconds.
    package var cycleDuration: Double
    /// Whether a motion that gets ahead does; else it is done on the spot.
    package var travels = true
    /// Whether the motion's postures come in any order and at any pace, as in ``Motion/idle``.
    ///
    /// It lasts as long as its cycles would take.
    package var isIrregular = false

    /// Repetitions of an exercise or, where nothing is counted, of the motion's cycles.
    ///
    /// Their average duration in seconds is by default what is typical.
    package static func motion(
      _ motion: Motion, repetitions: Int, repetitionDuration: Double? = nil
    ) -> Part {
      precondition(repetitions > 0, "A motion is done at least once.")
      let duration = repetitionDuration ?? motion.typicalCycleDuration
      precondition(duration > 0, "A repetition takes time.")
      return Part(motion: motion, cycles: repetitions, cycleDuration: duration)
    }

    /// Doing something for a number of seconds, in as many cycles as it usually takes.
    package static func motion(_ motion: Motion, seconds: Double) -> Part {
      precondition(seconds > 0, "A motion takes time.")
      let cycles = max(1, Int((seconds / motion.typicalCycleDuration).rounded()))
      return Part(motion: motion, cycles: cycles, cycleDuration: seconds / Double(cycles))
    }

    package func onTheSpot() -> Part {
      var part = self
      part.travels = false
      return part
    }

    /// The same without anything being repeated.
    package func irregular() -> Part {
      var part = self
      part.isIrregular = true
      return part
    }

    package static func standing(seconds: Double) -> Part { .motion(.standing, seconds: seconds) }
  }

  package struct Segment: Hashable, Sendable {
    /// What is done; `nil` on the way from one motion to the next.
    package let motion: Motion?
    /// When it begins, in seconds.
    package let start: Double
    /// When it ends, in seconds; the next one begins then.
    package let end: Double
    /// Its repetitions, which fill it from start to end; empty where nothing is counted.
    package let repetitions: [Repetition]

    package var label: String { motion?.name ?? "transition" }
  }

  package struct Repetition: Hashable, Codable, Sendable {
    /// When it begins, in seconds.
    package let start: Double
    /// When it ends, in seconds.
    package let end: Double

    package init(start: Double, end: Double) { (self.start, self.end) = (start, end) }
  }

  package let person: SyntheticPerson
  package let segments: [Segment]
  private let track: PostureTrack
  private let sway: Sway
  private let solver: BodySolver

  /// Creates a session of at least one part; the seed determines style, tempo and sway.
  package init(
    _ parts: [Part], person: SyntheticPerson = .average, manner: Manner = Manner(), seed: UInt64
  ) {
    precondition(!parts.isEmpty, "A session needs at least one part.")
    var generator = SeededGenerator(seed: seed)
    self.person = person
    solver = BodySolver(
      person: person, kneeSpread: generator.uniform(0...0.5),
      elbowSpread: generator.uniform(0.2...1.2))
    sway = Sway(using: &generator).scaled(by: manner.sway)
    var script = SessionScript(person: person, manner: manner)
    for part in parts {
      script.append(part, using: &generator)
    }
    segments = script.segments
    track = PostureTrack(script.keys)
  }

  package var duration: Double { segments.last?.end ?? 0 }

  /// The body at a time; before the start and after the end the person keeps still but for a sway.
  package func skeleton(at time: Double) -> Skeleton {
    solver.skeleton(for: sway.applied(to: track.posture(at: time), at: time))
  }

  /// How many frames the session has at a rate, in frames per second.
  package func frameCount(frameRate: Double) -> Int {
    precondition(frameRate > 0, "A frame rate must be above zero.")
    return Int((duration * frameRate).rounded(.up))
  }
}
