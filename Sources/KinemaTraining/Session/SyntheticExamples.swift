import KinemaAction
import KinemaNetwork
import KinemaPose
import KinemaSynth

/// The synthetic people of a ``TransferLearning``, generated once for a training and for those
/// without some of its takes.
struct SyntheticExamples: Sendable {
  /// The windows of each class in an epoch without synthetic people.
  private static let leastWindowCount = 600
  /// How many windows long a sequence is.
  private static let sequenceLength = 5.0 / 3
  /// How far the windows of a sequence are apart, against those of takes: three windows of many people
  /// teach more, in the same time, than four of fewer.
  private static let strideFactor = 4.0 / 3

  private let transfer: TransferLearning
  private let labels: [String]
  private let parameters: ActionClassifierParameters
  /// Examples of the labels that are kept.
  private let kept: [TrainingWindows.Clip]
  private let others: [(motion: Motion, clip: TrainingWindows.Clip)]
  /// What gives windows of takes a probability of each motion; `nil` without other actions.
  private let motions: (network: Network, names: [String])?

  /// Generates them.
  ///
  /// - Parameters:
  ///   - kept: The labels of the base that the model keeps.
  ///   - labels: All labels of the model.
  init(
    of transfer: TransferLearning, keeping kept: [String], labels: [String], joints: [JointKey],
    parameters: ActionClassifierParameters
  ) throws {
    self.transfer = transfer
    self.labels = labels
    self.parameters = parameters
    try transfer.check(windowSize: parameters.predictionWindowSize, jointCount: joints.count)
    let other = labels.firstIndex(where: DataChecks.isNegative)
    func sample(
      _ classes: [SyntheticMotionClass], _ count: Int
    ) -> [(motion: Motion, clip: TrainingWindows.Clip)] {
      let sampler = SyntheticMotionSampler(
        classes: classes, duration: parameters.actionDuration * Self.sequenceLength,
        frameRate: parameters.targetFrameRate, seed: parameters.seed)
      return (0..<count).map { index in
        let sample = sampler.sample(index)
        let label = labels.firstIndex(of: sample.label) ?? other ?? 0
        let clip = TrainingWindows.Clip(
          label: label, values: sample.values, frameCount: sample.frameCount)
        return (sample.motion, clip)
      }
    }
    self.kept =
      SyntheticMotionClass.named(kept).map {
        sample($0, transfer.otherCount / 6 * kept.count).map(\.clip)
      } ?? []
    guard transfer.addsOther, other != nil else {
      (others, motions) = ([], nil)
      return
    }
    guard joints == JointKey.body else {
      throw TrainingError(
        .badParameter, "Synthetic people show no hands; add none of them with --no-other.",
        text: MessageText("noSyntheticHands"))
    }
    let classifier = try ActionClassifier(contentsOf: BuiltInModel.motions.url)
    motions = (
      try TransferLearning.network(
        of: classifier, windowSize: parameters.predictionWindowSize, jointCount: joints.count),
      classifier.labels
    )
    let library = transfer.library.filter {
      !kept.contains($0.action.rawValue) && !kept.contains($0.name)
    }
    others = sample(
      [SyntheticMotionClass(TransferLearning.otherLabel, motions: library)], transfer.otherCount)
  }

  /// Takes and synthetic examples, with the windows of the takes repeated: augmentation varies them.
  func windows(beside takes: TrainingWindows) -> TrainingWindows {
    let left = motions(like: takes)
    let clips = kept + others.filter { !left.contains($0.motion) }.map(\.clip)
    var all = takes
    var spaced = parameters
    spaced.windowStride = Int((Double(parameters.stride) * Self.strideFactor).rounded())
    all.add(TrainingWindows(clips: clips, joints: takes.joints, parameters: spaced))
    let counts = Dictionary(grouping: all.windows) { all.label(of: $0) }.mapValues(\.count)
    let most = Double(counts.values.max() ?? 0)
    all.repeatWindows(to: clips.isEmpty ? Self.leastWindowCount : Int(most * transfer.share))
    return all
  }

  /// The motions that look like a class of the takes.
  private func motions(like takes: TrainingWindows) -> Set<Motion> {
    guard let motions else { return [] }
    let workspace = Workspace(motions.network)
    let byLabel = Dictionary(grouping: takes.windows) { takes.label(of: $0) }
    return byLabel.filter { !DataChecks.isNegative(labels[$0.key]) }.values.reduce(into: []) {
      let probabilities = $1.map { window in
        workspace.run(takes.values(of: window))
        return workspace.output(0)
      }
      $0.formUnion(transfer.likeness.motions(like: probabilities, named: motions.names))
    }
  }
}
