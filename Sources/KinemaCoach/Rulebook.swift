package import Foundation

/// The rules of good form for each exercise, as JSON that a trainer can read and change.
///
/// ```json
/// {"squats": {"follow": "hips", "range": "knee",
///             "depth": {"knee angle at the bottom": "below 100°", "say": "Go lower."}}}
/// ```
package struct Rulebook: Hashable, Sendable {
  package struct Exercise: Hashable, Sendable {
    /// The part of the body whose height makes the bottom and the top; `nil` for a posture that is held.
    package let lead: Lead?
    /// The joint whose angles at the turning points are the range of a repetition; `nil` without one.
    package let joint: JointAngle?
    /// Whether left and right do different things in a repetition, as in a lunge.
    package let isOneSided: Bool
    /// The rules in the order of their names.
    package let rules: [Rule]
  }

  /// The exercises by their labels.
  package private(set) var exercises: [String: Exercise]

  private static let (follow, range, sides) = ("follow", "range", "sides")
  private static let nothing = "nothing"
  private static let sideWords = ["together", "one at a time"]
  private static let (say, from, source, decides) = ("say", "from", "source", "decides")

  /// Reads a rulebook; throws ``CoachError``.
  package init(contentsOf url: URL) throws(CoachError) {
    try self.init(CoachFile.form.data(at: url), name: url.lastPathComponent)
  }

  /// Reads a rulebook; `name` is what errors call it.
  package init(_ data: Data, name: String) throws(CoachError) {
    let value = try CoachFile.value(of: data, name: name)
    guard let entries = value as? [String: Any], !entries.isEmpty else {
      throw CoachError(
        .malformed, "\(name) should be an object with the rules of each exercise by its label.")
    }
    exercises = [:]
    for (label, entry) in entries.sorted(by: { $0.key < $1.key }) {
      exercises[label] = try Self.exercise(entry, at: "\(name), \(label)")
    }
  }

  /// The rules of an exercise.
  package func exercise(_ label: String) throws(CoachError) -> Exercise {
    guard let exercise = exercises[label] else {
      throw CoachError(
        .noRules,
        "There are no rules for \(label); there are for \(exercises.keys.sorted().joined(separator: ", "))."
      )
    }
    return exercise
  }

  // MARK: - Parsing

  private static func exercise(_ entry: Any, at place: String) throws(CoachError) -> Exercise {
    guard var rules = entry as? [String: Any] else {
      throw CoachError(.malformed, "\(place): write an object with a rule by its name.")
    }
    let lead = (rules.removeValue(forKey: follow) as? String).map { (lead: Lead(rawValue: $0), $0) }
    guard let lead, lead.lead != nil || lead.1 == nothing else {
      let known = Lead.allCases.map { "“\($0.rawValue)”" }.joined(separator: ", ")
      throw CoachError(
        .malformed,
        "\(place): “\(follow)” names what goes down and up in a repetition, one of \(known), or is "
          + "“\(nothing)” where a posture is held.")
    }
    let joint = try rules.removeValue(forKey: range).map { (value) throws(CoachError) in
      guard let joint = (value as? String).flatMap(JointAngle.init(rawValue:)) else {
        let known = JointAngle.allCases.map { "“\($0.rawValue)”" }.joined(separator: ", ")
        throw CoachError(
          .malformed,
          "\(place): “\(range)” names the joint that bends in a repetition, one of \(known).")
      }
      return joint
    }
    let sides = try rules.removeValue(forKey: sides).map { (value) throws(CoachError) in
      guard let index = Self.sideWords.firstIndex(of: value as? String ?? "") else {
        throw CoachError(
          .malformed,
          "\(place): “\(Self.sides)” says whether left and right do the same, one of "
            + "\(Self.sideWords.map { "“\($0)”" }.joined(separator: ", ")).")
      }
      return index == 1
    }
    var parsed: [Rule] = []
    for (name, value) in rules.sorted(by: { $0.key < $1.key }) {
      let rule = try rule(value, named: name, at: "\(place), \(name)")
      guard lead.lead != nil || rule.measure.point == .throughout else {
        throw CoachError(
          .malformed,
          "\(place), \(name): of a posture that is held, “hips above the line throughout” is "
            + "measured.")
      }
      parsed.append(rule)
    }
    return Exercise(
      lead: lead.lead, joint: joint, isOneSided: sides ?? false, rules: parsed)
  }

  private static func rule(
    _ value: Any, named name: String, at place: String
  ) throws(CoachError) -> Rule {
    guard var entries = value as? [String: Any] else {
      throw CoachError(
        .malformed,
        "\(place): a rule is an object such as {\"knee angle at the bottom\": \"below 100°\", "
          + "\"say\": \"Go lower.\"}.")
    }
    guard let cue = entries.removeValue(forKey: say) as? String, !cue.isEmpty else {
      throw CoachError(.malformed, "\(place): “\(say)” is the cue and is missing.")
    }
    let views = try entries.removeValue(forKey: from).map { (value) throws(CoachError) in
      try self.views(value, at: place)
    }
    let source = entries.removeValue(forKey: source) as? String
    let decides = try entries.removeValue(forKey: decides).map { (value) throws(CoachError) in
      guard let decides = value as? Bool else {
        throw CoachError(
          .malformed,
          "\(place): “\(Self.decides)” is true or false: whether a repetition is good only "
            + "where this rule is kept.")
      }
      return decides
    }
    guard entries.count == 1, let (key, text) = entries.first else {
      throw CoachError(
        .malformed,
        "\(place): a rule has one measure beside “\(say)”, “\(from)”, “\(self.decides)” and "
          + "“\(self.source)”, not "
          + "\(entries.isEmpty ? "none" : entries.keys.sorted().joined(separator: ", ")).")
    }
    guard let measure = Measure(named: key) else {
      let known = Measure.all.map(\.name).joined(separator: ", ")
      throw CoachError(.malformed, "\(place): “\(key)” is not measured; there are: \(known).")
    }
    guard let text = text as? String, let limits = Rule.Limits(text, in: measure.unit) else {
      let unit = measure.unit.rawValue
      throw CoachError(
        .malformed,
        "\(place): “\(key)” takes a limit such as “below 90\(unit)”, “above 90\(unit)” or "
          + "“from 80\(unit) to 100\(unit)”, not “\(text)”.")
    }
    return Rule(
      name: name, measure: measure, limits: limits, limit: text, say: cue, views: views,
      source: source, decides: decides ?? false)
  }

  private static func views(_ value: Any, at place: String) throws(CoachError) -> Set<CameraView> {
    let names = (value as? [String]) ?? (value as? String).map { [$0] } ?? []
    let views = names.compactMap(CameraView.init(rawValue:))
    guard !views.isEmpty, views.count == names.count else {
      let known = CameraView.allCases.map { "“\($0.rawValue)”" }.joined(separator: ", ")
      throw CoachError(.malformed, "\(place): “\(from)” takes one or several of \(known).")
    }
    return Set(views)
  }
}
