import KinemaAction
import KinemaDepth
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
  /// How many sequences show the motions that the takes of a class show.
  private static let shownCount = 60
  /// How far the windows of a sequence are apart, against those of takes: three windows of many people
  /// teach more, in the same time, than four of fewer.
  private static let strideFactor = 4.0 / 3

  private let transfer: TransferLearning
  private let labels: [String]
  private let keptLabels: [String]
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
    keptLabels = kept
    self.parameters = parameters
    try transfer.check(windowSize: parameters.predictionWindowSize, jointCount: joints.count)
    if transfer.cloneCount > 0, joints == JointKey.body, BodyLifter.builtIn == nil {
      // Says what is wrong with the file.
      _ = try BodyLifter()
    }
    let other = labels.firstIndex(where: DataChecks.isNegative)
    func sample(
      _ classes: [SyntheticMotionClass], _ count: Int
    ) -> [(motion: Motion, clip: TrainingWindows.Clip)] {
      Self.sample(classes, count, parameters) { labels.firstIndex(of: $0) ?? other ?? 0 }
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
    let (classifier, names) = try transfer.motions()
    motions = (
      try TransferLearning.network(
        of: classifier, windowSize: parameters.predictionWindowSize, jointCount: joints.count),
      names
    )
    let library = transfer.library.filter { !Self.isMotion($0, of: kept) }
    others = sample(
      [SyntheticMotionClass(TransferLearning.otherLabel, motions: library)], transfer.otherCount)
  }

  /// Whether one of the labels is that of the motion or of its class.
  private static func isMotion(_ motion: Motion, of labels: [String]) -> Bool {
    labels.contains(motion.action.rawValue) || labels.contains(motion.name)
  }

  private static func sample(
    _ classes: [SyntheticMotionClass], _ count: Int, _ parameters: ActionClassifierParameters,
    label: (String) -> Int
  ) -> [(motion: Motion, clip: TrainingWindows.Clip)] {
    let sampler = SyntheticMotionSampler(
      classes: classes, duration: parameters.actionDuration * Self.sequenceLength,
      frameRate: parameters.targetFrameRate, seed: parameters.seed)
    return (0..<count).map { index in
      let sample = sampler.sample(index)
      let clip = TrainingWindows.Clip(
        label: label(sample.label), values: sample.values, frameCount: sample.frameCount)
      return (sample.motion, clip)
    }
  }

  /// Takes and synthetic examples, with the windows of the takes repeated: augmentation varies them.
  ///
  /// Where the takes of a class show motions of the library, half of its windows are those of synthetic
  /// people who do them.
  ///
  /// - Returns: The windows, and the classes whose motions synthetic people show.
  func windows(beside takes: TrainingWindows) -> (all: TrainingWindows, shown: Set<Int>) {
    let (left, shown) = motions(like: takes)
    let clips = kept + others.filter { !left.contains($0.motion) }.map(\.clip)
    var all = takes
    all.add(windows(of: clips, takes.joints))
    let counts = Dictionary(grouping: all.windows) { all.label(of: $0) }.mapValues(\.count)
    let most = Double(counts.values.max() ?? 0)
    let count = clips.isEmpty ? Self.leastWindowCount : Int(most * transfer.share)
    let clones = clones(of: takes)
    if !shown.isEmpty || !clones.isEmpty {
      all.repeatWindows(to: count / 2)
      let people = shown.sorted { $0.key < $1.key }.flatMap { label, motions in
        let people = SyntheticMotionClass(labels[label], motions: motions)
        return Self.sample([people], Self.shownCount, parameters) { _ in label }.map(\.clip)
      }
      var showing = windows(of: people + clones, takes.joints)
      showing.repeatWindows(to: count / 2)
      all.add(showing)
    }
    all.repeatWindows(to: count)
    return (all, Set(shown.keys))
  }

  /// Other people who do what the takes show; none of hands, and where too little of a body is seen.
  private func clones(of takes: TrainingWindows) -> [TrainingWindows.Clip] {
    guard transfer.cloneCount > 0, takes.joints == JointKey.body else { return [] }
    let duration = parameters.actionDuration * Self.sequenceLength
    let shown = Dictionary(grouping: takes.clips, by: \.label).sorted { $0.key < $1.key }
    return shown.flatMap { label, takes -> [TrainingWindows.Clip] in
      guard !DataChecks.isNegative(labels[label]),
        let cloning = TakeCloning(of: takes, frameRate: parameters.targetFrameRate)
      else { return [] }
      return (0..<transfer.cloneCount).map { index in
        cloning.clip(
          index, label: label, duration: duration,
          seed: parameters.seed &+ UInt64(label) &* 0x9E37_79B9_7F4A_7C15)
      }
    }
  }

  private func windows(of clips: [TrainingWindows.Clip], _ joints: [JointKey]) -> TrainingWindows {
    var spaced = parameters
    spaced.windowStride = Int((Double(parameters.stride) * Self.strideFactor).rounded())
    return TrainingWindows(clips: clips, joints: joints, parameters: spaced)
  }

  /// The motions that look like a class of the takes, and those that the takes of each class show.
  private func motions(
    like takes: TrainingWindows
  ) -> (like: Set<Motion>, shown: [Int: [Motion]]) {
    guard let motions else { return ([], [:]) }
    let workspace = Workspace(motions.network)
    let byLabel = Dictionary(grouping: takes.windows) { takes.label(of: $0) }
    var result: (like: Set<Motion>, shown: [Int: [Motion]]) = ([], [:])
    for (label, windows) in byLabel where !DataChecks.isNegative(labels[label]) {
      let probabilities = windows.map { window in
        workspace.run(takes.values(of: window))
        return workspace.output(0)
      }
      let (like, shown) = transfer.likeness.motions(like: probabilities, named: motions.names)
      result.like.formUnion(like)
      let new = shown.filter { !Self.isMotion($0, of: keptLabels) }
      if !new.isEmpty { result.shown[label] = new }
    }
    return result
  }
}
