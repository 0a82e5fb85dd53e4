package import Foundation
public import KinemaAction
import KinemaFiles
public import KinemaModelFiles
import KinemaNetwork
import KinemaPose
package import KinemaSynth

/// Transfer learning: a training that starts from the layers of a trained classifier, so that a few
/// takes of each action suffice.
///
/// Synthetic people who do other things become examples of the class for everything else.
///
/// ```swift
/// let transfer = try TransferLearning(from: .exercise)
/// let session = try ActionClassifierTrainingSession(
///   training: takes, parameters: TransferLearning.parameters, transferring: transfer)
/// ```
public struct TransferLearning: Sendable {
  /// The classifier whose labels a new model can keep.
  public let base: ActionClassifier
  /// The classifier whose layers a training starts from, and whose network the new model has: one that
  /// ``ActionClassifierParameters`` with the algorithm `tcn` or `posture` made, such as the built-in
  /// `Workout`.
  public let layers: ActionClassifier
  /// Whether the new model also has the labels of the base, learnt from synthetic people.
  public var keepsLabels: Bool
  /// Whether synthetic people who do other things are added.
  public var addsOther: Bool
  /// The motions of the synthetic people.
  package var library = Motion.library
  /// The factor of the learning rate of ``layers``; chosen on seeds of development
  /// (`kinema bench few-shot`) among 0.03, 0.1, 0.3 and 1.
  package var bodyFactor: Float = 0.1
  /// The number of synthetic sequences of other actions: with more, other people who do an action of
  /// the takes are missed more often, and a training takes longer (docs/benchmarks.md).
  package var otherCount = 300
  /// How many sequences of other people who do what the takes show are added for each class; 0 for none.
  package var cloneCount = 60
  /// How many windows of each class an epoch has, against those of other actions.
  package var share = 1.0
  /// Which synthetic people are left out because they may show the action of a take.
  package var likeness = MotionLikeness()
  /// By which factor the actions of the takes are more frequent than in training, against those of
  /// synthetic people: takes of one person show less of an action than people do, so that others who
  /// do it are taken for other actions.
  ///
  /// With 2, about as many videos of other people are missed as windows of unrelated actions get the
  /// name of a take, on ten sets of real people of development (docs/benchmarks.md, “How well do few
  /// takes teach?”).
  package var odds: Float = 2

  /// The label of the synthetic people, unless the takes have a class for everything else.
  public static let otherLabel = ActionClass.other.rawValue

  /// Creates a transfer from a classifier.
  ///
  /// - Parameter layers: The classifier whose layers a training starts from; `nil` for `base`.
  public init(
    from base: ActionClassifier, layers: ActionClassifier? = nil, keepsLabels: Bool = false,
    addsOther: Bool = true
  ) {
    self.base = base
    self.layers = layers ?? base
    self.keepsLabels = keepsLabels
    self.addsOther = addsOther
  }

  /// Creates a transfer from a model that comes with Kinema, with the layers of
  /// ``BuiltInModel/workout``.
  ///
  /// - Throws: ``KinemaAction/ActionError`` where one of them is not installed.
  public init(
    from model: BuiltInModel, keepsLabels: Bool = false, addsOther: Bool = true
  ) throws {
    self.init(
      from: try ActionClassifier(contentsOf: model.url), layers: try Self.layers(of: model),
      keepsLabels: keepsLabels, addsOther: addsOther)
  }

  /// The layers that a training from a built-in model starts from; `nil` for another model's own.
  package static func layers(of model: BuiltInModel?) throws -> ActionClassifier? {
    try model.map { _ in try ActionClassifier(contentsOf: BuiltInModel.workout.url) }
  }

  /// The layers that a training from the model of a file starts from: those of a built-in one where
  /// the file is that of a built-in one, however its path is written; `nil` for its own.
  package static func layers(ofModelAt url: URL) throws -> ActionClassifier? {
    let file = url.resolvingSymlinksInPath()
    return try layers(
      of: BuiltInModel.allCases.first { $0.located()?.resolvingSymlinksInPath() == file })
  }

  /// The defaults of a training with few takes.
  ///
  /// Six epochs, in which windows of the takes are repeated with varied augmentation; the network of the
  /// built-in layers.
  public static var parameters: ActionClassifierParameters {
    var parameters = ActionClassifierParameters()
    parameters.algorithm = .posture
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
            + "\(kept.joined(separator: ", ")); add to Exercise.",
          text: MessageText("notSyntheticLabels"))
      }
      return kept
    }
  }

  /// What is added to the score of each label: log ``odds`` to those that the takes alone teach, where
  /// synthetic people teach others.
  ///
  /// - Parameter shown: The labels of takes whose motions synthetic people show as well.
  package func scoreOffsets(_ labels: [String], shown: Set<String> = []) throws -> [Float] {
    let kept = shown.union(try keptLabels)
    let synthetic = labels.filter { kept.contains($0) || addsOther && DataChecks.isNegative($0) }
    guard !synthetic.isEmpty else { return labels.map { _ in 0 } }
    return labels.map { synthetic.contains($0) ? 0 : log(odds) }
  }

  /// The class of ``layers`` for each label, `nil` for a new one, and for one that they make of several
  /// motions.
  func classes(_ labels: [String]) -> [Int?] {
    let isMerged = Self.scoreCount(of: layers) != layers.labels.count
    return labels.map { label in
      guard !isMerged, keepsLabels || DataChecks.isNegative(label) else { return nil }
      return layers.labels.firstIndex(of: label)
        ?? (DataChecks.isNegative(label)
          ? layers.labels.firstIndex(where: DataChecks.isNegative) : nil)
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

  // MARK: - Networks

  /// The network of ``layers``, which the new model has as well.
  public var algorithm: ActionClassifierParameters.Algorithm { Self.algorithm(of: layers) }

  private static func algorithm(
    of classifier: ActionClassifier
  ) -> ActionClassifierParameters.Algorithm {
    classifier.model.graph.nodes.contains { $0.name == "posture" } ? .posture : .tcn
  }

  /// How many scores a classifier has: one for each label, or for each motion that its labels are made
  /// of.
  private static func scoreCount(of classifier: ActionClassifier) -> Int {
    let scores = classifier.model.graph.nodes.first { $0.name == "scores" }?.layer as? InnerProduct
    return scores?.outputChannels ?? classifier.labels.count
  }

  /// A classifier whose scores are those of motions, and what each of them is the score of: ``layers``,
  /// or `Workout` where they know no motions.
  func motions() throws -> (classifier: ActionClassifier, names: [String]) {
    func names(_ classifier: ActionClassifier) -> [String] {
      let kept = classifier.metadata.userDefined[TrainedActionClassifier.MetadataKey.parts]
      // Metadata of others may say anything.
      let parts = kept.flatMap {
        try? JSONDecoder().decodeForeign([String].self, from: Data($0.utf8))
      }
      guard let parts, parts.count == Self.scoreCount(of: classifier) else {
        return classifier.labels
      }
      return parts
    }
    let own = names(layers)
    if own.count(where: { Motion.named($0) != nil }) * 2 > own.count { return (layers, own) }
    let workout = try ActionClassifier(contentsOf: BuiltInModel.workout.url)
    return (workout, names(workout))
  }

  /// Throws ``TrainingError`` where the layers of ``layers`` are none of Kinema's compact networks, or
  /// of other joints.
  func check(windowSize: Int, jointCount: Int) throws {
    do {
      _ = try Self.network(of: layers, windowSize: windowSize, jointCount: jointCount)
    } catch let error as NetworkError {
      throw TrainingError(
        .badParameter,
        "A training cannot start from this model: \(error.message); take one that kinema train made "
          + "for the same joints with --algorithm tcn or posture, or Exercise.",
        text: MessageText("badStart", ["reason": error.message]), cause: error)
    }
  }

  /// A classifier's network on windows of another size, which gives the probabilities of what its
  /// scores stand for; throws ``NetworkError`` where it is none of Kinema's compact networks, or of
  /// other joints.
  static func network(
    of classifier: ActionClassifier, windowSize: Int, jointCount: Int
  ) throws -> Network {
    let count = scoreCount(of: classifier)
    let trainer = try NetworkTrainer(
      TrainableNetworkSpecification(
        architecture: algorithm(of: classifier).architecture, windowSize: windowSize,
        pointCount: jointCount, classCount: count),
      options: NetworkTrainingOptions(batchSize: 1))
    try trainer.adopt(classifier.model.graph, classes: Array(0..<count))
    return try Network(trainer.graph(), outputs: [NetworkTrainer.outputName])
  }
}
