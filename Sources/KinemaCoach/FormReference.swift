import KinemaFiles

/// One's own best repetitions, with which others are compared phase by phase.
///
/// The way from a repetition's beginning over its turning point to its end is divided into as many
/// phases in each, so that quick and slow ones are compared posture by posture.
package struct FormReference: Sendable {
  package struct Difference: Hashable, Sendable {
    /// What differs, such as `knee angle` or `trunk lean`.
    package let name: String
    /// When it differs most, as a share of the repetition: 0.5 is its turning point.
    package let phase: Double
    /// The value and that of the reference, in degrees.
    package let value: Double
    package let reference: Double

    /// Such as `knee angle 128° (reference 92°) at the turning point`.
    package var text: String {
      "\(name) \(Int(saturating: value))° (reference \(Int(saturating: reference))°) \(moment)"
    }

    /// What to say about it.
    package var cue: String {
      let isAngle = name != FormCurves.lean
      let word =
        isAngle
        ? (value > reference ? "less bent" : "more bent")
        : (value > reference ? "leaning more" : "more upright")
      let part = isAngle ? name.replacing(" angle", with: "") : "trunk"
      return "Your \(part) is \(word) than in your best repetitions \(moment)."
    }

    private var moment: String {
      switch phase {
      case ..<0.15, 0.85...: "at the end points"
      case 0.4..<0.6: "at the turning point"
      case ..<0.5: "on the first way"
      default: "on the way back"
      }
    }
  }

  private let curves: [String: [String: [FormCurves.Point]]]

  /// The difference from which on it is reported, in degrees, beyond both errors and the spread of
  /// the reference's own repetitions.
  static let leastDifference = 12.0

  /// `nil` without repetitions.
  package init?(_ forms: [RepetitionForm]) {
    guard !forms.isEmpty else { return nil }
    // Those with a fault are only taken where there are no others.
    let byLabel = Dictionary(grouping: forms, by: \.label)
    curves = byLabel.mapValues { forms in
      let good = forms.filter { $0.verdict != .fault }
      return FormCurves.average((good.isEmpty ? forms : good).map(\.curves))
    }
  }

  /// The exercises that can be compared.
  package var labels: [String] { curves.keys.sorted() }

  /// How a repetition differs, most first; `nil` where the reference has none of its exercise.
  package func differences(of form: RepetitionForm) -> [Difference]? {
    guard let reference = curves[form.label] else { return nil }
    let own = form.curves
    let all = own.values.compactMap { name, points -> (excess: Double, difference: Difference)? in
      guard let others = reference[name] else { return nil }
      let worst = points.indices.compactMap { index -> (Int, Double)? in
        guard let point = points[index], let other = others[index] else { return nil }
        let distance = abs(point.value - other.value)
        return (index, distance - point.error - other.error - Self.leastDifference)
      }.max { $0.1 < $1.1 }
      guard let (index, excess) = worst, excess > 0, let point = points[index],
        let other = others[index]
      else { return nil }
      return (
        excess,
        Difference(
          name: name, phase: Double(index) / Double(FormCurves.count - 1), value: point.value,
          reference: other.value)
      )
    }
    return all.sorted { ($1.excess, $0.difference.name) < ($0.excess, $1.difference.name) }
      .map(\.difference)
  }
}

/// The angles of a repetition, phase by phase.
struct FormCurves: Sendable {
  typealias Point = Estimate?

  /// How many phases there are: the turning point is the middle one.
  static let count = 21
  static let lean = "trunk lean"

  /// The angles of each phase by their names.
  let values: [String: [Point]]

  init(_ values: [String: [Point]]) { self.values = values }

  /// The mean of several; its error includes how they differ.
  static func average(_ curves: [FormCurves]) -> [String: [Point]] {
    var names: Set<String> = []
    for curve in curves { names.formUnion(curve.values.keys) }
    var result: [String: [Point]] = [:]
    for name in names {
      result[name] = (0..<count).map { index in
        let points = curves.compactMap { $0.values[name]?[index] }
        guard !points.isEmpty else { return nil }
        let size = Double(points.count)
        let mean = points.reduce(0) { $0 + $1.value } / size
        let spread = points.reduce(0) { $0 + abs($1.value - mean) } / size
        return Estimate(
          value: mean, error: points.reduce(0) { $0 + $1.error } / size + spread)
      }
    }
    return result
  }
}
