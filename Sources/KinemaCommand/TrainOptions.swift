import Foundation
import Kinema

struct TrainOptions {
  enum Augmentation: String, CaseIterable { case `default`, flip, none }

  let data: ActionClassifierDataSource
  let validation: ValidationData
  let test: ActionClassifierDataSource?
  /// The model to write; `nil` for a check of the data.
  let output: URL?
  let sessionFolder: URL
  let sessionOptions: ActionClassifierTrainingSession.Options
  let restarts: Bool
  let extraction: FeatureExtractor.Configuration
  let parameters: ActionClassifierParameters
  let transfer: TransferLearning?
  let metadata: ModelMetadata
  let format: ResultFormat

  init(_ arguments: Arguments) throws {
    guard let path = arguments.operands.first, arguments.operands.count == 1 else {
      throw UsageError("Name one folder or annotation file with labelled videos.")
    }
    data = try DataOptions.source(at: URL(filePath: path), arguments)
    test = try arguments.url("test").map { try DataOptions.source(at: $0, arguments) }
    extraction = try DataOptions.extraction(arguments)
    format = try arguments.choice("format", default: .table)
    restarts = arguments.has("restart")
    transfer = try Self.transfer(arguments)
    (parameters, validation) = try Self.parameters(
      arguments, transfer == nil ? ActionClassifierParameters() : TransferLearning.parameters)
    (output, sessionFolder) = try Self.places(arguments)
    var options = ActionClassifierTrainingSession.Options()
    options.threadCount = try arguments.integer("threads", within: 1...256)
    if let seconds = try arguments.number("checkpoint-every", within: 0...86_400) {
      options.checkpointInterval = .seconds(seconds)
    }
    sessionOptions = options
    metadata = Self.metadata(arguments, output: output)
  }

  private static func transfer(_ arguments: Arguments) throws -> TransferLearning? {
    guard arguments.value("from") == nil || arguments.value("add-to") == nil else {
      throw UsageError("--from and --add-to are alternatives; give one of them.")
    }
    guard let url = try arguments.model("from") ?? arguments.model("add-to") else {
      guard !arguments.has("no-other") else {
        throw UsageError("--no-other goes with --from or --add-to.")
      }
      return nil
    }
    guard arguments.value("algorithm") ?? "tcn" == "tcn" else {
      throw UsageError("--from and --add-to train the network tcn.")
    }
    return TransferLearning(
      from: try ActionClassifier(contentsOf: url), keepsLabels: arguments.value("add-to") != nil,
      addsOther: !arguments.has("no-other"))
  }

  private static func parameters(
    _ arguments: Arguments, _ defaults: ActionClassifierParameters
  ) throws -> (ActionClassifierParameters, ValidationData) {
    var parameters = defaults
    parameters.targetFrameRate =
      try arguments.number("frame-rate", within: 1...240) ?? parameters.targetFrameRate
    if let seconds = try arguments.number("duration", within: 0.05...120) {
      guard arguments.value("window") == nil else {
        throw UsageError("--window and --duration are alternatives; give one of them.")
      }
      parameters.actionDuration = seconds
    }
    try arguments.set(&parameters.predictionWindowSize, from: "window", within: 2...2000)
    try arguments.set(&parameters.maximumIterations, from: "iterations", within: 1...100_000)
    parameters.batchSize =
      try arguments.integer("batch-size", within: 1...4096) ?? parameters.batchSize
    parameters.earlyStoppingPatience = try arguments.integer("patience", within: 1...100_000)
    parameters.algorithm = try arguments.choice("algorithm", default: parameters.algorithm)
    parameters.precision = try arguments.choice("precision", default: parameters.precision)
    parameters.seed = try arguments.seed() ?? 1
    switch try arguments.choice("augment", default: Augmentation.default) {
    case .default: parameters.augmentationOptions = [.horizontalFlip, .poses]
    case .flip: parameters.augmentationOptions = .horizontalFlip
    case .none: parameters.augmentationOptions = []
    }
    let validation = try validation(arguments.value("validation") ?? "auto", arguments)
    if case .split(let strategy) = validation {
      parameters.validation = strategy
    } else {
      parameters.validation = nil
    }
    return (parameters, validation)
  }

  private static func validation(_ text: String, _ arguments: Arguments) throws -> ValidationData {
    switch text {
    case "auto": return .split(strategy: .automatic)
    case "none": return .none
    default:
      guard let share = Double(text) else {
        return .dataSource(try DataOptions.source(at: URL(filePath: text), arguments))
      }
      guard share > 0, share < 1 else {
        throw UsageError("--validation takes a share above 0 and below 1, not \(text).")
      }
      return .split(strategy: .fixed(ratio: share))
    }
  }

  private static func places(_ arguments: Arguments) throws -> (output: URL?, session: URL) {
    if arguments.has("check") { return (nil, URL(filePath: ".")) }
    guard let output = try arguments.outputURL("output") else {
      throw UsageError("Name the model to write with --output.")
    }
    guard output.pathExtension.lowercased() == "mlmodel" else {
      throw UsageError("The model is written as .mlmodel; \(output.lastPathComponent) is not.")
    }
    let folder = output.deletingLastPathComponent()
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isDirectory),
      isDirectory.boolValue
    else {
      throw CommandFailure(.inputOutput, "There is no folder \(folder.path) to write the model to.")
    }
    let session =
      arguments.url("session") ?? output.deletingPathExtension().appendingPathExtension("training")
    return (output, session)
  }

  private static func metadata(_ arguments: Arguments, output: URL?) -> ModelMetadata {
    let name =
      arguments.value("name") ?? output?.deletingPathExtension().lastPathComponent ?? "Actions"
    return ModelMetadata(
      shortDescription: arguments.value("description")
        ?? "\(name): classifies actions by the poses of a person; trained by Kinema.",
      author: arguments.value("author") ?? "", license: arguments.value("license") ?? "",
      version: "1")
  }
}
