import Foundation
public import KinemaAction
import KinemaNetwork
import KinemaPose
package import KinemaSynth

/// Transfer learning: a training that starts from the layers of a trained classifier, so that a few
/// takes of each action suffice.
///
/// Synthetic people who do other things become examples of the class for everything else.
///
/// ```swift
/// let exercise = try ActionClassifier(contentsOf: BuiltInModel.exercise.url)
/// let session = try ActionClassifierTrainingSession(
///   training: takes, parameters: TransferLearning.parameters,
///   transferring: TransferLearning(from: exercise))
/// ```
public struct TransferLearning: Sendable {
  /// The classifier whose layers a training starts from: one that ``ActionClassifierParameters``
  /// with the algorithm `tcn` made, such as the built-in `Exercise`.
  public let base: ActionClassifier
  /// Whether the new model also has the labels of the base, learnt from synthetic people.
  public var keepsLabels: Bool
  /// Whether synthetic people who do other things are added.
  public var addsOther: Bool
  /// The motions of the synthetic people.
  package var library = Motion.library
  /// The factor of the learning rate of the base's layers.
  package var bodyFactor: Float = 0.3
  /// The number of synthetic sequences of other actions.
  package var otherCount = 600
  /// How many windows of each class an epoch has, against those of other actions.
  package var share = 1.0
  /// The share of the synthetic windows that is left out for each class: the most similar ones, which
  /// may show its action.
  package var similarShare = 0.03

  /// The label of the synthetic people, unless the takes have a class for everything else.
  public static let otherLabel = ActionClass.other.rawValue

  /// Creates a transfer from a classifier.
  public init(from base: ActionClassifier, keepsLabels: Bool = false, addsOther: Bool = true) {
    self.base = base
    self.keepsLabels = keepsLabels
    self.addsOther = addsOther
  }

  /// The defaults of a training with few takes.
  ///
  /// Six epochs, in which windows of the takes are repeated with varied augmentation.
  public static var parameters: ActionClassifierParameters {
    var parameters = ActionClassifierParameters()
    parameters.maximumIterations = 6
    parameters.batchSize = 128
    parameters.windowStride = 15
    return parameters
  }

  // MARK: - Labels

  /// The labels of a model for takes with the labels; throws ``TrainingError`` for a base whose
  /// labels synthetic people cannot show.
  public func labels(addedTo labels: some Sequence<String>) throws -> [String] {
    var all = Set(labels)
    if addsOther, !all.contains(where: DataChecks.isNegative) { all.insert(Self.otherLabel) }
    return try all.union(keptLabels).sorted()
  }

  private var keptLabels: [String] {
    get throws {
      guard keepsLabels else { return [] }
      let kept = base.labels.filter { !DataChecks.isNegative($0) }
      guard SyntheticMotionClass.named(kept) != nil else {
        throw TrainingError(
          .badParameter,
          "The labels of the model to add to are not those of synthetic people: "
            + "\(kept.joined(separator: ", ")); add to Exercise.")
      }
      return kept
    }
  }

  /// The class of the base for each label, `nil` for a new one.
  func classes(_ labels: [String]) -> [Int?] {
    labels.map { label in
      guard keepsLabels || DataChecks.isNegative(label) else { return nil }
      return base.labels.firstIndex(of: label)
        ?? (DataChecks.isNegative(label)
          ? base.labels.firstIndex(where: DataChecks.isNegative) : nil)
    }
  }

  // MARK: - Examples

  /// Synthetic examples for takes, without those of other actions that look like a take.
  func examples(
    for takes: TrainingWindows, labels: [String], parameters: ActionClassifierParameters
  ) throws -> [TrainingWindows.Clip] {
    let kept = try keptLabels
    let other = labels.firstIndex(where: DataChecks.isNegative)
    func sample(_ kinds: [SyntheticMotionClass], _ count: Int) -> [TrainingWindows.Clip] {
      let sampler = SyntheticMotionSampler(
        classes: kinds, duration: parameters.actionDuration * 5 / 3,
        frameRate: parameters.targetFrameRate, seed: parameters.seed)
      return (0..<count).map { index in
        let sample = sampler.sample(index)
        let label = labels.firstIndex(of: sample.label) ?? other ?? 0
        return TrainingWindows.Clip(
          label: label, values: sample.values, frameCount: sample.frameCount)
      }
    }
    var clips: [TrainingWindows.Clip] = []
    if let classes = SyntheticMotionClass.named(kept) {
      clips += sample(classes, otherCount / 6 * kept.count)
    }
    guard addsOther, other != nil else { return clips }
    let motions = library.filter { !kept.contains($0.action.rawValue) && !kept.contains($0.name) }
    let others = sample(
      [SyntheticMotionClass(Self.otherLabel, motions: motions)], otherCount)
    return clips + (try withoutSimilar(others, to: takes, other: other, parameters))
  }

  /// The clips without those most similar to each class of the takes, by the base's features.
  private func withoutSimilar(
    _ clips: [TrainingWindows.Clip], to takes: TrainingWindows, other: Int?,
    _ parameters: ActionClassifierParameters
  ) throws -> [TrainingWindows.Clip] {
    let body = try body(windowSize: parameters.predictionWindowSize, jointCount: takes.joints.count)
    let workspace = Workspace(body)
    func features(_ windows: TrainingWindows, _ window: TrainingWindows.Window) -> [Float] {
      workspace.run(windows.values(of: window))
      return workspace.output(0)
    }
    var known: [Int: [[Float]]] = [:]
    for window in takes.windows where takes.label(of: window) != other {
      known[takes.label(of: window), default: []].append(features(takes, window))
    }
    let windows = TrainingWindows(clips: clips, joints: takes.joints, parameters: parameters)
    let found = windows.windows.map { (clip: $0.clip, features: features(windows, $0)) }
    let count = Int(Double(found.count) * similarShare)
    var similar: Set<Int> = []
    for label in known.keys.sorted() {
      let distances = found.map { window in
        (known[label] ?? []).map { Self.squaredDistance($0, window.features) }.min() ?? .infinity
      }
      let nearest = found.indices.sorted { (distances[$0], $0) < (distances[$1], $1) }.prefix(count)
      similar.formUnion(nearest.map { found[$0].clip })
    }
    return clips.indices.filter { !similar.contains($0) }.map { clips[$0] }
  }

  private static func squaredDistance(_ one: [Float], _ other: [Float]) -> Float {
    var sum: Float = 0
    for index in one.indices {
      let difference = one[index] - other[index]
      sum += difference * difference
    }
    return sum
  }

  /// The base up to the values that its last layer takes; throws ``TrainingError`` where its layers
  /// are none of Kinema's `tcn`, or of other joints.
  func body(windowSize: Int, jointCount: Int) throws -> Network {
    do {
      let trainer = try NetworkTrainer(
        TrainableNetworkSpecification(
          architecture: .tcn, windowSize: windowSize, jointCount: jointCount, classCount: 2),
        options: NetworkTrainingOptions(batchSize: 1))
      try trainer.adopt(base.graph, classes: [nil, nil])
      return try Network(trainer.graph(), outputs: ["features"])
    } catch let error as NetworkError {
      throw TrainingError(
        .badParameter,
        "A training cannot start from this model: \(error.message); take one that kinema train made "
          + "for the same joints with --algorithm tcn, such as Exercise.", cause: error)
    }
  }

  /// Takes and synthetic examples, with the windows of the takes repeated: augmentation varies them.
  func windows(
    _ takes: TrainingWindows, labels: [String], parameters: ActionClassifierParameters
  ) throws -> TrainingWindows {
    let synthetic = try examples(for: takes, labels: labels, parameters: parameters)
    var windows = TrainingWindows(
      clips: takes.clips + synthetic, joints: takes.joints, parameters: parameters)
    let counts = Dictionary(grouping: windows.windows) { windows.label(of: $0) }.mapValues(\.count)
    let most = Double(counts.values.max() ?? 0)
    windows.repeatWindows(
      to: synthetic.isEmpty ? Self.leastWindowCount : Int(most * share))
    return windows
  }

  /// The windows of each class in an epoch without synthetic people.
  private static let leastWindowCount = 600
}
