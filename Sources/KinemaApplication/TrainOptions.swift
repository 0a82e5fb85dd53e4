import Foundation
import Kinema
import KinemaStudio

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
    let project = try DataOptions.project(at: URL(filePath: path))
    data = try DataOptions.source(at: URL(filePath: path), arguments)
    test =
      try arguments.url("test").map { try DataOptions.source(at: $0, arguments) }
      ?? project?.source(.testing)
    extraction = try DataOptions.extraction(arguments, project)
    format = try arguments.choice("format", default: .table)
    restarts = arguments.has("restart")
    var set = try project?.description.parameters ?? ProjectParameters()
    transfer = try Self.transfer(arguments, set)
    // Other defaults hold with a transfer, also one of the command line.
    if transfer != nil { set.from = set.from ?? "" }
    var (parameters, validation) = try Self.parameters(arguments, set, project)
    if let transfer { parameters.algorithm = transfer.algorithm }
    (self.parameters, self.validation) = (parameters, validation)
    (output, sessionFolder) = try Self.places(arguments, project)
    var options = ActionClassifierTrainingSession.Options()
    options.threadCount = try arguments.integer("threads", within: 1...256)
    if let seconds = try arguments.number("checkpoint-every", within: 0...86_400) {
      options.checkpointInterval = .seconds(seconds)
    }
    sessionOptions = options
    metadata = Self.metadata(
      arguments, try project?.description.metadata, output: output)
  }

  private static func transfer(
    _ arguments: Arguments, _ set: ProjectParameters
  ) throws -> TransferLearning? {
    guard arguments.value("from") == nil || arguments.value("add-to") == nil else {
      throw UsageError("--from and --add-to are alternatives; give one of them.")
    }
    let chosen = try arguments.model("from") ?? arguments.model("add-to")
    guard let url = try chosen ?? set.from.map({ try Arguments.model(named: $0) }) else {
      guard !arguments.has("no-other") else {
        throw UsageError("--no-other goes with --from or --add-to.")
      }
      return nil
    }
    let transfer = TransferLearning(
      from: try ActionClassifier(contentsOf: url),
      layers: try TransferLearning.layers(ofModelAt: url),
      keepsLabels: arguments.value("add-to") != nil,
      addsOther: !arguments.has("no-other") && (chosen != nil || set.other ?? true))
    let network = transfer.algorithm
    guard try arguments.choice("algorithm", default: network) == network else {
      throw UsageError(
        "--from and --add-to train the network of the layers they start from, here "
          + "\(network.rawValue); leave --algorithm out.")
    }
    return transfer
  }

  private static func parameters(
    _ arguments: Arguments, _ set: ProjectParameters, _ project: Project?
  ) throws -> (ActionClassifierParameters, ValidationData) {
    var parameters = try set.training()
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
    parameters.seed = try arguments.seed() ?? parameters.seed
    if arguments.value("augment") != nil {
      switch try arguments.choice("augment", default: Augmentation.default) {
      case .default: parameters.augmentationOptions = [.horizontalFlip, .poses]
      case .flip: parameters.augmentationOptions = .horizontalFlip
      case .none: parameters.augmentationOptions = []
      }
    }
    let validation =
      try arguments.value("validation").map { try self.validation($0, arguments) }
      ?? project?.validation() ?? .split(strategy: .automatic)
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

  private static func places(
    _ arguments: Arguments, _ project: Project?
  ) throws -> (output: URL?, session: URL) {
    if arguments.has("check") { return (nil, URL(filePath: ".")) }
    let own = project?.exportedModel
    guard let output = try arguments.outputURL("output") ?? own else {
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

  private static func metadata(
    _ arguments: Arguments, _ set: ProjectDescription.Metadata?, output: URL?
  ) -> ModelMetadata {
    let name =
      arguments.value("name") ?? output?.deletingPathExtension().lastPathComponent ?? "Actions"
    return ModelMetadata(
      shortDescription: arguments.value("description") ?? set?.description
        ?? "\(name): classifies actions by the poses of a person; trained by Kinema.",
      author: arguments.value("author") ?? set?.author ?? "",
      license: arguments.value("license") ?? set?.license ?? "", version: set?.version ?? "1")
  }
}
