public import Foundation
public import KinemaCounting
public import KinemaModelFiles
import KinemaNetwork
public import KinemaPose
internal import Synchronization

/// Classifies what a person does in a window of poses, by a model that Create ML or Kinema trained.
///
/// - Input: windows of ``windowSize`` frames, each with x, y and confidence of every one of
///   ``joints``: normalised coordinates, the origin at the lower left. A joint that was not found
///   is (0, 1, 0), a frame without a person is all zeros.
/// - Output: a probability for each of ``labels``.
///
/// Models are read from Core ML's `.mlmodel` and from a `.mlpackage` that holds one: body actions,
/// hand actions and hand poses. Predictions may be asked for from several threads at once; each
/// costs one core.
public final class ActionClassifier: Sendable {
  /// The labels, in the model's order; integer labels in decimal.
  public var labels: [String] { information.labels }
  /// The number of frames in a window.
  public var windowSize: Int { information.windowSize }
  /// The joints of a frame in the order in which the model takes them: ``KinemaPose/JointKey/body``
  /// or ``KinemaPose/JointKey/hand``.
  public var joints: [JointKey] { information.jointCount == 18 ? JointKey.body : JointKey.hand }
  /// The frame rate of the training, in frames per second, where the file gives it.
  public var frameRate: Double? { information.frameRate }
  /// The file's metadata.
  public var metadata: ModelMetadata { information.metadata }
  /// What the labels are: in the file's metadata, else by their names.
  public let labelKinds: LabelKinds
  /// Whether any label is an exercise.
  package let hasExercises: Bool
  package let model: ActionModel
  package var information: ModelInformation { model.information }
  /// Memory of finished runs, for reuse.
  private let workspaces = Mutex<[Workspace]>([])

  /// Loads a `.mlmodel` file, or a `.mlpackage` directory that holds one.
  ///
  /// - Throws: ``ActionError`` with what the file is, where it is no action classifier. Memory
  ///   and time are bounded, whatever the file holds.
  public convenience init(contentsOf url: URL) throws {
    self.init(try ActionModel(contentsOf: url))
  }

  /// Loads a model from its bytes; `name` is for messages.
  package convenience init(_ bytes: [UInt8], name: String) throws {
    self.init(try ActionModel(bytes, name: name))
  }

  private init(_ model: ActionModel) {
    self.model = model
    let kinds = LabelKinds(model.information.metadata)
    labelKinds = kinds
    hasExercises = model.information.labels.contains { kinds.isExercise($0) }
  }

  /// Predicts what is done in a window.
  ///
  /// - Parameter window: `[windowSize, 3, joints]` numbers, row by row; the middle dimension is x,
  ///   y and confidence.
  /// - Throws: ``ActionError`` for another number of values, and for values that are not finite.
  public func predict(_ window: [Float]) throws -> ClassificationDistribution {
    let shape = model.network.inputShape
    guard window.count == shape.count else {
      throw ActionError(
        .invalidWindow,
        "the window has \(window.count) numbers where the model takes \(shape), \(shape.count)")
    }
    guard window.allSatisfy(\.isFinite) else {
      throw ActionError(.invalidWindow, "the window has values that are not finite")
    }
    let workspace = workspaces.withLock { $0.popLast() } ?? Workspace(model.network)
    defer { workspaces.withLock { $0.append(workspace) } }
    workspace.run(window)
    let probabilities = workspace.output(0)
    guard probabilities.allSatisfy(\.isFinite) else {
      throw ActionError(
        .invalidPrediction,
        "the model gives numbers that are not finite; its weights are damaged or far too large")
    }
    return ClassificationDistribution(
      labels: labels, probabilities: probabilities,
      logits: model.givesLogits ? workspace.output(1) : nil)
  }
}
