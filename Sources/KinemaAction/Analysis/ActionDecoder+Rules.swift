extension ActionDecoder {
  /// The thresholds, chosen by the train clips (`kinema evaluate`): the share of the exercises' time
  /// that is named rightly, less false stretches.
  package struct Rules: Sendable {
    /// How long an action lasts at least, in seconds.
    var leastDuration = 1.3
    /// How long a part of an action lasts at most.
    var longestPart = 2.4
    /// How long a transition lasts at most.
    var longestTransition = 2.7
    /// How many independent observations the windows of one window's length are worth.
    var independence = 3.0
    /// What a stream's window that is not full yet is worth, of a full one: it shows less, and comes
    /// sooner after the one before.
    ///
    /// On the train clips of `Exercise`, 0.25 to 0.3 name nothing false within the median delay of 1.0 s;
    /// 0.2 delays the right name, and 0.4 names something false.
    var openingWeight = 0.3
    /// The probability that a state gives to labels that are not its own.
    var confusion = 0.01
    /// How well a transition explains windows labelled as an action, as one that consists of others,
    /// and as something else.
    var transition = (action: 0.1, whole: 0.6, other: 0.4)
    /// What changes cost, as negative logarithms of their probabilities, where there are as many labels
    /// as ``labelCounts``; where there are more, they share the probability: from one action to another;
    /// between an action and one of its parts as an action of its own; into or out of an action;
    /// between two states that are no action; into or out of a part of the action under way; and a
    /// transition itself.
    var costs = (
      change: 4.0, partToWhole: 8.0, edge: 2.75, rest: 1.5, part: 0.7, transition: 1.5
    )

    /// How many labels are actions, and how many none, in the model by which the costs were chosen,
    /// `Exercise`.
    var labelCounts = (actions: 5.0, others: 1.0)
    /// By how much the probability of a label that is reported may fall below the threshold of
    /// confidence until it is reported no longer, while no other label is confident.
    ///
    /// In a stream, 0.2 joins stretches that doubt splits: with `Workout`, F1@50 of the train clips is .57
    /// and there are 2.6 false stretches a minute; with 0.1, .56 and 2.7. `Exercise` has the same with both.
    /// Measured with models that were trained without ``KinemaSynth/UprightMistake``.
    var stayingMargin = 0.0
    /// Whether a stream that begins, or begins again after windows without a person, is as likely in one of
    /// the actions as in none of them, so that each label has a share; otherwise each label is as likely.
    ///
    /// Shared, one window of 0.6 names nothing: without, streams of `Exercise` have 0.26 false stretches a
    /// minute on the train clips, with it 0.13; those of `Workout` 3.4 and 2.7, with the same models.
    var sharesStart = false
    /// When a group is named beside a label.
    var doubt = StretchDoubt.Rules()

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
}
