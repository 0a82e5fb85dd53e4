/// What a test gave: measurements, each with its standard error or the reason why it can't be seen.
package struct Assessment: Sendable {
  /// A measurement's unit, as it is written behind the number.
  package enum Unit: String, Sendable {
    case seconds = "s"
    case degrees = "°"
    case percent = "%"
    case metres = "m"
    case metresPerSecond = "m/s"
    case stepsPerMinute = "steps/min"
    case count = ""
  }

  package enum Outcome: Sendable {
    case value(Estimate)
    /// The reason, to follow “can't be seen: ”.
    case unseen(String)

    package var estimate: Estimate? { if case .value(let value) = self { value } else { nil } }
    package var reason: String? { if case .unseen(let reason) = self { reason } else { nil } }
  }

  package struct Measurement: Sendable {
    package let name: String
    package let side: Side?
    package let unit: Unit
    package let outcome: Outcome

    init(_ name: String, _ side: Side? = nil, in unit: Unit, _ outcome: Outcome) {
      (self.name, self.side, self.unit, self.outcome) = (name, side, unit, outcome)
    }

    init(_ name: String, _ side: Side? = nil, in unit: Unit, _ value: Double, _ error: Double) {
      self.init(name, side, in: unit, .value(Estimate(value: value, error: error)))
    }
  }

  /// A part of the test, in seconds of the file.
  package struct Phase: Sendable {
    package let name: String
    package let side: Side?
    package let start, end: Double

    init(_ name: String, _ side: Side? = nil, from start: Double, to end: Double) {
      (self.name, self.side, self.start, self.end) = (name, side, start, max(start, end))
    }
  }

  /// What the phases were found in.
  package struct Curve: Sendable {
    package let name: String
    package let side: Side?
    package let unit: Unit
    package let points: [(time: Double, value: Double)]
  }

  package internal(set) var measurements: [Measurement] = []
  package internal(set) var phases: [Phase] = []
  package internal(set) var curves: [Curve] = []
  /// What should be known to read the measurements, a sentence each.
  package internal(set) var notes: [String] = []

  /// The sentence that stands with every result.
  package static let disclaimer = "An aid to training and observation, not a diagnosis."

  /// The measurement of a name; `nil` without one.
  package func measurement(_ name: String, _ side: Side? = nil) -> Measurement? {
    measurements.first { $0.name == name && $0.side == side }
  }
}

extension MotionTest {
  /// What the test gives of a person.
  ///
  /// - Parameters:
  ///   - course: The person over time, from the word “go” on or from any time before.
  ///   - metres: The way that was walked, where it isn't the test's.
  ///   - crossing: When the person crosses the two ends of that way, in seconds, where it is known.
  package func assess(
    _ course: PersonCourse, metres: Double? = nil, crossing: ClosedRange<Double>? = nil
  ) -> Assessment {
    switch measure {
    case .chairStands: chairStands(in: course)
    case .upAndGo: upAndGo(in: course)
    case .stance: stances(in: course)
    case .walk: walk(in: course, metres: metres ?? self.metres ?? 4, crossing: crossing)
    case .range: range(in: course)
    case .squat: squats(in: course)
    }
  }
}
