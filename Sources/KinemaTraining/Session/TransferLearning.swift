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
  /// Which synthetic people are left out because they may show the action of a take.
  package var likeness = MotionLikeness()

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

  /// The synthetic people of a model with the labels.
  func examples(
    labels: [String], joints: [JointKey], parameters: ActionClassifierParameters
  ) throws -> SyntheticExamples {
    try SyntheticExamples(
      of: self, keeping: keptLabels, labels: labels, joints: joints, parameters: parameters)
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
}
