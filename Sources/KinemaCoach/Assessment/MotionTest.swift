/// A test that is timed or measured from how a person moves, such as the 30-second chair stand.
///
/// Its definition is an entry of a ``TestBook``.
package struct MotionTest: Sendable {
  /// What is looked for and measured.
  package enum Measure: String, CaseIterable, Sendable {
    case chairStands = "chair stands"
    case upAndGo = "up and go"
    case stance = "single-leg stance"
    case walk
    case range = "range of motion"
    case squat = "overhead squat"
  }

  /// The direction in which an arm is raised.
  package enum Plane: String, CaseIterable, Sendable { case front, side }

  /// What the numbers of others are, for orientation.
  package struct Reference: Sendable {
    /// The measurement that it belongs to.
    package let of: String
    /// What the number means, with its source.
    package let note: String
    /// The number for everybody; `nil` where it depends on age and sex.
    package let everybody: Double?
    /// The numbers by sex and ages in years.
    package let bySex: [Sex: [(ages: ClosedRange<Int>, value: Double)]]

    /// The number for a person; `nil` where none is known.
    package func value(age: Int?, sex: Sex?) -> Double? {
      if let everybody { return everybody }
      guard let age, let sex else { return nil }
      return bySex[sex]?.first { $0.ages.contains(age) }?.value
    }
  }

  package enum Sex: String, CaseIterable, Sendable { case female, male }

  /// The name by which it is asked for, such as `chair-stand-30s`.
  package let id: String
  /// The name for people.
  package let name: String
  package let measure: Measure
  /// What the person does.
  package let instructions: String
  /// From where it is filmed.
  package let film: String
  /// Where the definition comes from.
  package let source: String
  /// How many times the person stands up; `nil` where time is limited.
  package let stands: Int?
  /// For how long the person stands up again and again, or the most seconds that a stance is timed.
  package let seconds: Double?
  /// The way that is walked, in metres.
  package let metres: Double?
  package let joint: JointAngle?
  package let plane: Plane?
  /// From which height on, as a share of the length of the legs, hips are those of a standing person, and below
  /// which those of a seated one.
  package let standing, seated: Double
  /// How high a foot is lifted, as a share of the length of the legs.
  package let lift: Double
  /// What a measurement should be, by its name.
  package let checks: [String: Rule.Limits]
  /// The limits of ``checks`` as the book has them.
  package let limits: [String: String]
  package let references: [Reference]
}
