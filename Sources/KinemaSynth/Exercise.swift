/// What a synthetic person can do.
public enum Exercise: String, CaseIterable, Codable, Sendable {
  /// Feet apart and arms up, feet together and arms down; a repetition ends with the feet together.
  case jumpingJacks = "jumping_jacks"
  /// A long step with the rear knee to the floor; each leg counts as one repetition.
  case lunges
  /// Down to a plank and up again, often with a push-up and a jump.
  case burpees
  /// Down with a bent trunk and up again, feet in place.
  case squats
  /// The chest to the floor and up again, straight from head to heel.
  case pushUps = "push_ups"
  /// Standing about: nothing is repeated.
  case standing
}

extension Exercise {
  /// How long one repetition takes, in seconds, from the quickest to the slowest person; standing
  /// has none.
  public var repetitionDurations: ClosedRange<Double> {
    switch self {
    case .jumpingJacks: 0.8...1.6
    case .lunges: 1.8...3.6
    case .burpees: 2.6...5.5
    case .squats: 1.6...3.8
    case .pushUps: 1.2...3
    case .standing: 0...0
    }
  }

  /// How long one repetition takes by default, in seconds.
  public var typicalRepetitionDuration: Double {
    switch self {
    case .jumpingJacks: 1
    case .lunges: 2.4
    case .burpees: 3.6
    case .squats: 2.4
    case .pushUps: 1.8
    case .standing: 0
    }
  }
}
