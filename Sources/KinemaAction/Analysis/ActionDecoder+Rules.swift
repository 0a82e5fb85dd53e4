extension ActionDecoder {
  /// The thresholds, of a model that brings none of its own (``ActionRecognizer/Rules/course``).
  package struct Rules: Hashable, Codable, Sendable {
    /// How well a transition explains windows labelled as an action, as one that consists of others,
    /// and as something else.
    package struct Transition: Hashable, Codable, Sendable {
      package var action = 0.1
      package var whole = 0.6
      package var other = 0.4
    }

    /// What changes cost, as negative logarithms of their probabilities.
    package struct Costs: Hashable, Codable, Sendable {
      /// From one action to another.
      package var change = 4.0
      /// Between an action and one of its parts as an action of its own.
      package var partToWhole = 8.0
      /// Into or out of an action.
      package var edge = 2.75
      /// Between two states that are no action.
      package var rest = 1.5
      /// Into or out of a part of the action under way.
      package var part = 0.7
      /// A transition itself.
      package var transition = 1.5
    }

    /// How many labels are actions, and how many none.
    package struct LabelCounts: Hashable, Codable, Sendable {
      package var actions = 5.0
      package var others = 1.0
    }

    /// How long an action lasts at least, in seconds.
    package var leastDuration = 1.3
    /// How long a part of an action lasts at most.
    package var longestPart = 2.4
    /// How long a transition lasts at most.
    package var longestTransition = 2.7
    /// How many independent observations the windows of one window's length are worth.
    package var independence = 3.0
    /// What a stream's window that is not full yet is worth, of a full one: it shows less, and comes
    /// sooner after the one before.
    ///
    /// On the train clips of `Exercise`, 0.25 to 0.3 name nothing false within the median delay of 1.0 s;
    /// 0.2 delays the right name, and 0.4 names something false.
    package var openingWeight = 0.3
    /// The probability that a state gives to labels that are not its own.
    package var confusion = 0.01
    /// What transitions are made of.
    package var transition = Transition()
    /// What changes cost where there are as many labels as ``labelCounts``; where there are more, they
    /// share the probability.
    package var costs = Costs()
    /// The labels of the model by which the costs were chosen, `Exercise`.
    package var labelCounts = LabelCounts()
    /// By how much the probability of a label that is reported may fall below the threshold of
    /// confidence until it is reported no longer, while no other label is confident.
    ///
    /// In a stream, 0.2 joins stretches that doubt splits: with `Workout`, F1@50 of the train clips is .57
    /// and there are 2.6 false stretches a minute; with 0.1, .56 and 2.7. `Exercise` has the same with both.
    /// Measured with models that were trained without ``KinemaSynth/UprightMistake``.
    package var stayingMargin = 0.0
    /// Whether a stream that begins, or begins again after windows without a person, is as likely in one of
    /// the actions as in none of them, so that each label has a share; otherwise each label is as likely.
    ///
    /// Shared, one window of 0.6 names nothing: without, streams of `Exercise` have 0.26 false stretches a
    /// minute on the train clips, with it 0.13; those of `Workout` 3.4 and 2.7, with the same models.
    package var sharesStart = false
    /// The share of the windows in the confidence of an exercise, from 0 to 1.
    ///
    /// In a stream, it is that of the newest window; in a file, of the median over the stretch. The course has the
    /// rest; `nil` or 0: it has it all.
    package var windowShare: Double?
    /// The share of the newest half of a window in what a stream reads of it, from 0 to 1.
    ///
    /// The window as a whole has the rest; `nil` or 0: it has it all. A file is read from whole windows.
    package var recentShare: Double?
    /// When a group is named beside a label.
    package var doubt = StretchDoubt.Rules()

    package init() {}

    /// The rules for a stream, whose course is known up to now only: an action lasts longer, going into
    /// one or out of it costs more, a change from one to another as much as both, a transition costs
    /// less and explains less of an action that consists of others, and what is seen counts for more, as
    /// nothing comes after it.
    ///
    /// With the transition of a file for such actions, F1@50 of `Exercise` on the train clips is .84 instead
    /// of .85.
    ///
    /// A fixed delay of one to three windows, with the backward half over them, names no more of the
    /// time rightly.
    package static let live: Rules = {
      var rules = Rules()
      rules.leastDuration = 2
      rules.independence = 6
      rules.costs.edge = 3.5
      rules.costs.change = 2 * rules.costs.edge
      rules.sharesStart = true
      rules.transition.other = 0.6
      rules.transition.whole = 0.3
      rules.costs.transition = 1
      rules.stayingMargin = 0.2
      return rules
    }()
  }

  /// The rules of files and of streams.
  package struct Course: Hashable, Codable, Sendable {
    package var file = Rules()
    package var live = Rules.live

    package init() {}

    /// Whether all values are within their ranges: a model's file may hold anything.
    package var isUsable: Bool { file.areUsable && live.areUsable }
  }
}

extension ActionDecoder.Rules {
  /// The longest duration in seconds: states are expanded by it.
  private static let longestDuration = 30.0
  private static let highestCost = 50.0

  fileprivate var areUsable: Bool {
    let shares: [Double] = [
      openingWeight, confusion, transition.action, transition.whole, transition.other,
      stayingMargin, windowShare ?? 0, recentShare ?? 0, doubt.windowShare, doubt.leastConfidence,
      doubt.leastProbability,
    ]
    let durations = [leastDuration, longestPart, longestTransition]
    let prices = [
      costs.change, costs.partToWhole, costs.edge, costs.rest, costs.part, costs.transition,
    ]
    return shares.allSatisfy((0...1).contains)
      && durations.allSatisfy((0...Self.longestDuration).contains)
      && prices.allSatisfy((0...Self.highestCost).contains)
      && [independence, labelCounts.actions, labelCounts.others].allSatisfy {
        $0 > 0 && $0 <= 1e6
      }
  }
}
