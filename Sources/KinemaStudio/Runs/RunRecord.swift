package import Foundation
package import KinemaTraining

/// What should be known of a run's model: a stable name with values, as ``StudioMessage``.
package enum RunNote: Codable, Hashable, Sendable {
  case notEvaluated(well: Well, reason: String, text: MessageText?)
  case notCalibrated(iteration: Int)
  case takesRight(right: Int, takes: Int)
  case noValidation

  /// The sentence in English.
  package var sentence: String { MessageText(case: self, prefix: "note.").sentence }
}

/// A training of a project, as its `run.json` keeps it.
package struct RunRecord: Codable, Hashable, Sendable, Identifiable {
  package enum State: String, Codable, Sendable {
    case waiting, extracting, training, evaluating, paused, done, stopped, failed

    /// Whether the run has a turn or waits for one.
    package var isUnderWay: Bool {
      switch self {
      case .waiting, .extracting, .training, .evaluating: true
      case .paused, .done, .stopped, .failed: false
      }
    }
  }

  /// The accuracy by frames on each set, 0…1; `nil` for a set without examples.
  package struct Summary: Codable, Hashable, Sendable {
    package var training: Double?
    package var validation: Double?
    package var testing: Double?
  }

  /// What is known of takes that were left out in turn.
  package struct LeftOut: Codable, Hashable, Sendable {
    /// The share of right takes, 0…1.
    package var accuracy: Double
    /// The bounds of its 95 % interval.
    package var lower: Double
    package var upper: Double
    /// The two labels that are confused most often; `nil` without a mistake.
    package var confused: [String]?
  }

  /// The number of the run in its project, from 1.
  package let id: Int
  package var name: String
  package let created: Date
  package var state = State.waiting
  /// The parameters as trained, defaults filled in.
  package var parameters: ProjectParameters
  /// Whether its next turn ends it with the best epoch so far.
  var isEnding = false
  /// The model's labels, once they are known.
  package var classes: [String] = []
  /// The best epoch so far.
  package var best: Int?
  package var summary = Summary()
  package var leaveOneOut: LeftOut?
  /// Why it failed, or has no model, in a sentence.
  package private(set) var message: String?
  /// The same by name; `nil` in records of earlier versions.
  package private(set) var messageText: StudioMessage?
  /// What should be known of its model, a sentence each.
  package private(set) var notes: [String] = []
  /// The same by name; `nil` in records of earlier versions.
  package private(set) var noteTexts: [RunNote]?
  /// What the data check found, also with poses; `nil` before they are extracted.
  package var findings: [Finding]?
  package var history: [TrainingMetrics] = []

  /// A run that waits for its first turn; throws ``StudioError`` for parameters out of range.
  init(id: Int, name: String?, parameters: ProjectParameters) throws {
    self.id = id
    self.name = try Self.checked(name ?? "Run \(id)")
    created = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded())
    self.parameters = try parameters.filled()
  }

  /// The number of epochs that it trains.
  package var iterationCount: Int { parameters.iterations ?? 0 }

  mutating func report(_ text: StudioMessage?) {
    messageText = text
    message = text?.sentence
  }

  mutating func note(_ texts: [RunNote]) {
    noteTexts = texts
    notes = texts.map(\.sentence)
  }

  /// A name without spaces around it; throws ``StudioError`` for one that cannot be used.
  static func checked(_ name: String) throws -> String {
    let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
    guard ProjectDescription.isLine(name), name.count <= ProjectDescription.longestName else {
      throw StudioError(.badName(limit: ProjectDescription.longestName))
    }
    return name
  }
}
