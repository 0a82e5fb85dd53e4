package import KinemaAction
import KinemaModelFiles
package import KinemaTraining

/// The parameters that a project sets; the others are the trainer's defaults.
package struct ProjectParameters: Codable, Hashable, Sendable {
  package enum Augmentation: String, Codable, Sendable {
    case `default`, flip, none
  }

  /// What is used for validation where the well of that name is empty.
  package enum Validation: Codable, Hashable, Sendable {
    case automatic
    case none
    /// A share of the training videos, above 0 and below 1.
    case share(Double)

    package init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let share = try? container.decode(Double.self) {
        self = .share(share)
        return
      }
      switch try container.decode(String.self) {
      case "auto": self = .automatic
      case "none": self = .none
      default:
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "neither auto, none nor a share")
      }
    }

    package func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .automatic: try container.encode("auto")
      case .none: try container.encode("none")
      case .share(let share): try container.encode(share)
      }
    }
  }

  /// The length of a window in seconds.
  package var duration: Double?
  package var frameRate: Double?
  package var iterations: Int?
  package var batchSize: Int?
  package var augmentation: Augmentation?
  package var algorithm: ActionClassifierParameters.Algorithm?
  package var validation: Validation?
  /// The model whose layers a training starts from, such as `Exercise`.
  package var from: String?
  /// Whether synthetic people who do other things are added, with ``from``.
  package var other: Bool?
  package var seed: UInt64?

  package init() {}

  /// The parameters of a training.
  ///
  /// - Throws: ``StudioError`` where one is out of range.
  package func training() throws -> ActionClassifierParameters {
    var parameters = from == nil ? ActionClassifierParameters() : TransferLearning.parameters
    parameters.targetFrameRate = frameRate ?? parameters.targetFrameRate
    if duration != nil || frameRate != nil {
      parameters.actionDuration = duration ?? ActionClassifierParameters().actionDuration
    }
    parameters.maximumIterations = iterations ?? parameters.maximumIterations
    parameters.batchSize = batchSize ?? parameters.batchSize
    // Else the layers decide.
    if from == nil { parameters.algorithm = algorithm ?? parameters.algorithm }
    parameters.seed = seed ?? parameters.seed
    switch augmentation ?? .default {
    case .default: parameters.augmentationOptions = [.horizontalFlip, .poses]
    case .flip: parameters.augmentationOptions = .horizontalFlip
    case .none: parameters.augmentationOptions = []
    }
    switch validation ?? .automatic {
    case .automatic: parameters.validation = .automatic
    case .none: parameters.validation = nil
    case .share(let share): parameters.validation = .fixed(ratio: share)
    }
    do {
      try parameters.check()
    } catch let error as TrainingError {
      throw StudioError(.badParameters(reason: error.message, text: error.text))
    }
    guard from == nil || algorithm != .stgcn else {
      throw StudioError(.wrongNetwork)
    }
    guard seed ?? 0 <= UInt64(Int64.max) else {
      throw StudioError(.largeSeed(limit: .max))
    }
    return parameters
  }

  /// The parameters with the trainer's defaults.
  ///
  /// A batch size that depends on the network stays `nil`.
  ///
  /// - Throws: ``StudioError`` where one is out of range.
  package func filled() throws -> ProjectParameters {
    let training = try training()
    var filled = self
    filled.duration = training.actionDuration
    filled.frameRate = training.targetFrameRate
    filled.iterations = training.maximumIterations
    filled.batchSize = training.batchSize
    filled.augmentation = augmentation ?? .default
    filled.algorithm = training.algorithm
    filled.validation = validation ?? .automatic
    filled.other = from.map { _ in other ?? true }
    filled.seed = training.seed
    return filled
  }

  /// The transfer from a model; `nil` without ``from``.
  ///
  /// - Parameter classifier: Loads the model of a name.
  package func transfer(
    _ classifier: (String) throws -> ActionClassifier
  ) throws -> TransferLearning? {
    guard let from else { return nil }
    return TransferLearning(
      from: try classifier(from),
      layers: try TransferLearning.layers(of: BuiltInModel(rawValue: from)),
      addsOther: other ?? true)
  }
}
