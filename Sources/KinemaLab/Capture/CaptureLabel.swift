/// What a recording of motion capture shows, as far as a model may learn it.
package enum CaptureLabel: String, CaseIterable, Sendable {
  case walking, running, dancing, squats, lunges
  case sideLunges = "side_lunges"
  /// Chores, games and pantomime.
  case everyday
  case jumps
  case martialArts = "martial_arts"
  case sport

  /// Who is kept for measuring: about a quarter of the time of each kind.
  package static let heldOutSubjects: Set<String> = [
    "cmu_05", "cmu_08", "cmu_12", "cmu_16", "cmu_17", "cmu_29", "uiprmd_s02", "uiprmd_s06",
  ]

  /// The label of ``BuiltInRecipe/workout`` that it belongs to.
  package var label: String {
    switch self {
    case .everyday, .jumps, .martialArts, .sport: "other"
    default: rawValue
    }
  }

  /// Whether it is an exercise of `Workout`.
  package var isExercise: Bool {
    switch self {
    case .squats, .lunges, .sideLunges: true
    default: false
    }
  }

  /// What the network learns it as, apart from the motions of synthetic people.
  var name: String { "captured_\(rawValue)" }

  /// How much of the training it is, against the shares of ``KinemaSynth/SyntheticMotionClass``.
  var share: Double {
    switch self {
    case .everyday: 3
    case .walking, .dancing: 1.5
    case .martialArts, .sport, .jumps: 1
    case .running: 0.5
    case .squats, .lunges, .sideLunges: 0.3
    }
  }

  /// - Parameters:
  ///   - kind: The rough kind of `index.csv`.
  ///   - label: What is done, in words.
  /// - Returns: `nil` for what might be an exercise of a model and has no label of its own, and for
  ///   what changes from one of the labels to another.
  package init?(kind: String, label: String) {
    let words = Set(label.lowercased().split { !$0.isLetter }.map(String.init))
    guard words.isDisjoint(with: Self.ambiguous) else { return nil }
    switch kind {
    case "walk": self = .walking
    case "run / jog":
      guard words.isDisjoint(with: Self.interruptions) else { return nil }
      self = .running
    case "dance": self = .dancing
    case "jump / hop": self = .jumps
    case "martial arts / boxing / swordplay": self = .martialArts
    case "sport (ball games)": self = .sport
    case "gesture / everyday": self = .everyday
    case "exercise":
      guard let found = Self.exercises.first(where: { label.hasPrefix($0.name) }) else {
        return nil
      }
      self = found.label
    default: return nil
    }
  }

  /// Words of what resembles exercises: people sit down and get up, pull themselves up, or hold
  /// themselves up with their arms.
  private static let ambiguous: Set<String> = ["stand", "pull", "straight"]
  /// Words of runs in which something else is done as well.
  private static let interruptions: Set<String> = [
    "walk", "stop", "dive", "duck", "over", "jump", "side",
  ]
  /// The movements of UI-PRMD that are exercises of `Workout`, done rightly and wrongly.
  private static let exercises: [(name: String, label: CaptureLabel)] = [
    ("deep squat", .squats), ("inline lunge", .lunges), ("side lunge", .sideLunges),
  ]
}
