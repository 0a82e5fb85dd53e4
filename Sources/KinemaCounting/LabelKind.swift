import Foundation
import KinemaFiles
public import KinemaModelFiles

/// What a label says that a person does.
public enum LabelKind: String, Codable, Hashable, Sendable, CaseIterable {
  /// A movement that is counted in repetitions, such as squats.
  case counted
  /// What is held or goes on, and is timed: a plank, walking.
  case timed
  /// None of the actions: everything else, a rest, standing.
  case noAction = "none"
}

/// The kinds of a model's labels: those in its metadata, else those of their names.
public struct LabelKinds: Hashable, Sendable {
  /// Where a kind comes from.
  public enum Origin: String, Sendable {
    /// From the model's metadata.
    case metadata
    /// From the label's name; a name that is not known is an action that is counted.
    case name
  }

  /// Everything that a model's actions are not.
  private static let everythingElse: Set<String> = [
    "other", "none", "negative", "background", "nothing", "null", "noaction", "unknown", "neutral",
    "misc", "rest", "resting",
  ]
  /// Postures without an action.
  private static let postures: Set<String> = ["standing", "stand", "still", "idle"]
  /// What people do every day, which is timed and no exercise.
  private static let everyday: Set<String> = [
    "walking", "running", "sitting", "lying", "falling", "dancing",
  ]
  /// Exercises that are held.
  private static let held: Set<String> = [
    "plank", "planks", "forearmplank", "sideplank", "wallsit", "wallsits", "hollowhold", "deadhang",
  ]
  /// What happens to people and is not asked of them.
  private static let incidents: Set<String> = ["falling"]

  private let stored: [String: LabelKind]

  /// Kinds that are given; those of other labels come from their names.
  public init(_ kinds: [String: LabelKind] = [:]) { stored = kinds }

  /// The kinds in a model's metadata; unreadable ones are left out.
  public init(_ metadata: ModelMetadata) {
    let text = metadata.userDefined[ModelMetadata.Key.labelKinds] ?? ""
    let kinds = try? JSONDecoder().decodeForeign([String: String].self, from: Data(text.utf8))
    self.init((kinds ?? [:]).compactMapValues(LabelKind.init))
  }

  /// The kind of a label.
  public subscript(label: String) -> LabelKind { stored[label] ?? Self.kind(named: label) }

  /// Where the kind of a label comes from.
  public func origin(of label: String) -> Origin { stored[label] == nil ? .name : .metadata }

  /// Whether a label is an exercise: counted, or timed and not done every day.
  package func isExercise(_ label: String) -> Bool {
    switch self[label] {
    case .counted: true
    case .timed: !Self.everyday.contains(Self.folded(label))
    case .noAction: false
    }
  }

  /// Whether a label says only what a person does not do.
  package func isEverythingElse(_ label: String) -> Bool {
    self[label] == .noAction && !Self.postures.contains(Self.folded(label))
  }

  /// Whether people can be asked to do what a label says.
  package func canBeAskedFor(_ label: String) -> Bool {
    self[label] != .noAction && !isIncident(label)
  }

  /// Whether a label says what happens to people.
  package func isIncident(_ label: String) -> Bool { Self.incidents.contains(Self.folded(label)) }

  private static func kind(named label: String) -> LabelKind {
    let name = folded(label)
    if everythingElse.contains(name) || postures.contains(name) || isNegated(label)
      || name.hasPrefix("negative") || name.hasPrefix("other")
    {
      return .noAction
    }
    return everyday.contains(name) || held.contains(name) ? .timed : .counted
  }

  /// Whether a label is such as `no_squat`.
  private static func isNegated(_ label: String) -> Bool {
    ["no", "not", "non"].contains { label.lowercased().hasPrefix($0 + "_") }
  }

  /// A label without case, spaces, hyphens, underscores and full stops.
  package static func folded(_ label: String) -> String {
    label.lowercased().filter { !" _-.".contains($0) }
  }
}

extension ModelMetadata {
  /// Stores the kinds of labels, under `org.kinema.labelKinds`.
  package mutating func store(_ kinds: LabelKinds, of labels: [String]) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let values = Dictionary(labels.map { ($0, kinds[$0].rawValue) }) { first, _ in first }
    userDefined[Key.labelKinds] = String(decoding: try encoder.encode(values), as: UTF8.self)
  }
}
