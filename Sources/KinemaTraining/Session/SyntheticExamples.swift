import KinemaNetwork
import KinemaPose
import KinemaSynth

/// The synthetic people of a ``TransferLearning``, generated once for a training and for those
/// without some of its takes.
struct SyntheticExamples: Sendable {
  /// A window of other actions: what is done in it, and the base's features of it.
  private typealias Window = (motion: Motion, features: [Float])

  /// The windows of each class in an epoch without synthetic people.
  private static let leastWindowCount = 600
  /// How many windows long a sequence is.
  private static let sequenceLength = 5.0 / 3

  private let transfer: TransferLearning
  private let labels: [String]
  private let parameters: ActionClassifierParameters
  private let body: Network
  /// Examples of the labels that are kept.
  private let kept: [TrainingWindows.Clip]
  private let others: [(motion: Motion, clip: TrainingWindows.Clip)]
  private let windows: [Window]

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
    body = try transfer.body(
      windowSize: parameters.predictionWindowSize, jointCount: joints.count)
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
      (others, windows) = ([], [])
      return
    }
    guard joints == JointKey.body else {
      throw TrainingError(
        .badParameter, "Synthetic people show no hands; add none of them with --no-other.")
    }
    let motions = transfer.library.filter {
      !kept.contains($0.action.rawValue) && !kept.contains($0.name)
    }
    let others = sample(
      [SyntheticMotionClass(TransferLearning.otherLabel, motions: motions)], transfer.otherCount)
    self.others = others
    let cut = TrainingWindows(clips: others.map(\.clip), joints: joints, parameters: parameters)
    let features = Self.features(of: cut, by: body)
    windows = zip(cut.windows, features).map { (others[$0.clip].motion, $1) }
  }

  /// Takes and synthetic examples, with the windows of the takes repeated: augmentation varies them.
  func windows(beside takes: TrainingWindows) -> TrainingWindows {
    let left = motions(like: takes)
    let clips = kept + others.filter { !left.contains($0.motion) }.map(\.clip)
    var all = takes
    all.add(TrainingWindows(clips: clips, joints: takes.joints, parameters: parameters))
    let counts = Dictionary(grouping: all.windows) { all.label(of: $0) }.mapValues(\.count)
    let most = Double(counts.values.max() ?? 0)
    all.repeatWindows(to: clips.isEmpty ? Self.leastWindowCount : Int(most * transfer.share))
    return all
  }

  /// The motions of other actions that look like a class of the takes.
  private func motions(like takes: TrainingWindows) -> Set<Motion> {
    let shown = zip(takes.windows, Self.features(of: takes, by: body)).map {
      (label: takes.label(of: $0), features: $1)
    }
    let byLabel = Dictionary(grouping: shown.filter { !DataChecks.isNegative(labels[$0.label]) }) {
      $0.label
    }
    return byLabel.values.reduce(into: []) {
      $0.formUnion(transfer.likeness.motions(like: $1.map(\.features), among: windows))
    }
  }

  /// The base's features of each window.
  private static func features(of windows: TrainingWindows, by body: Network) -> [[Float]] {
    let workspace = Workspace(body)
    return windows.windows.map {
      workspace.run(windows.values(of: $0))
      return workspace.output(0)
    }
  }
}
