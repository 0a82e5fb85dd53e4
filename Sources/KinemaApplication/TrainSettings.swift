import Foundation
import Kinema
import KinemaStudio

/// What the options of `kinema train`, and those of a project, come to.
struct TrainSettings {
  let data: ActionClassifierDataSource
  /// Whether the examples are single poses in pictures.
  var isOfPictures: Bool { data.isOfPictures }
  let validation: ValidationData
  let test: ActionClassifierDataSource?
  /// The model to write; `nil` for a check of the data.
  let output: URL?
  let sessionFolder: URL
  let sessionOptions: ActionClassifierTrainingSession.Options
  let extraction: FeatureExtractor.Configuration
  let parameters: ActionClassifierParameters
  let transfer: TransferLearning?
  let metadata: ModelMetadata

  init(_ options: TrainCommand) throws {
    let url = URL(filePath: options.inputs.first ?? "")
    let project = try DataOptions.project(at: url)
    guard !options.hands || project == nil else {
      throw UsageError("A project of kinema studio is of bodies; train on hands from a folder.")
    }
    data = try options.data.source(at: url, ofHands: options.hands)
    test =
      try options.test.map { try options.data.source(at: $0, ofHands: options.hands) }
      ?? project?.source(.testing)
    let frames = FrameOptions()
    frames.threads = options.threads
    extraction = try options.data.extraction(project, frames, ofHands: options.hands)
    var set = try project?.description.parameters ?? ProjectParameters()
    transfer = try Self.transfer(options, set)
    if options.hands, let layers = transfer?.base, layers.joints != JointKey.hand {
      throw UsageError("--hands starts from a model of hands only; leave --from and --add-to out.")
    }
    // Other defaults hold with a transfer, also one of the command line.
    if transfer != nil { set.from = set.from ?? "" }
    var (parameters, validation) = try Self.parameters(options, set, project)
    if let transfer { parameters.algorithm = transfer.algorithm }
    if data.isOfPictures { try Self.useSinglePoses(options, &parameters) }
    (self.parameters, self.validation) = (parameters, validation)
    (output, sessionFolder) = try Self.places(options, project)
    var session = ActionClassifierTrainingSession.Options()
    session.threadCount = options.threads
    if let seconds = options.checkpointEvery { session.checkpointInterval = .seconds(seconds) }
    sessionOptions = session
    metadata = Self.metadata(
      options, try project?.description.metadata, output: output)
  }

  private static func transfer(
    _ options: TrainCommand, _ set: ProjectParameters
  ) throws -> TransferLearning? {
    guard options.from == nil || options.addTo == nil else {
      throw UsageError("--from and --add-to are alternatives; give one of them.")
    }
    let chosen = options.from ?? options.addTo
    guard let url = try (chosen ?? set.from.map { try NamedModel(named: $0) })?.url else {
      guard !options.noOther else {
        throw UsageError("--no-other goes with --from or --add-to.")
      }
      return nil
    }
    let transfer = TransferLearning(
      from: try ActionClassifier(contentsOf: url),
      layers: try TransferLearning.layers(ofModelAt: url),
      keepsLabels: options.addTo != nil,
      addsOther: !options.noOther && (chosen != nil || set.other ?? true))
    let network = transfer.algorithm
    guard options.algorithm ?? network == network else {
      throw UsageError(
        "--from and --add-to train the network of the layers they start from, here "
          + "\(network.rawValue); leave --algorithm out.")
    }
    return transfer
  }

  private static func parameters(
    _ options: TrainCommand, _ set: ProjectParameters, _ project: Project?
  ) throws -> (ActionClassifierParameters, ValidationData) {
    var parameters = try set.training()
    parameters.targetFrameRate = options.frameRate ?? parameters.targetFrameRate
    if let seconds = options.duration {
      guard options.window == nil else {
        throw UsageError("--window and --duration are alternatives; give one of them.")
      }
      parameters.actionDuration = seconds
    }
    if let window = options.window { parameters.predictionWindowSize = window }
    parameters.maximumIterations = options.iterations ?? parameters.maximumIterations
    parameters.batchSize = options.batchSize ?? parameters.batchSize
    parameters.earlyStoppingPatience = options.patience
    parameters.algorithm = options.algorithm ?? parameters.algorithm
    parameters.precision = options.precision ?? parameters.precision
    parameters.seed = options.seed ?? parameters.seed
    switch options.augment {
    case nil: break
    case .default?: parameters.augmentationOptions = [.horizontalFlip, .poses]
    case .flip?: parameters.augmentationOptions = .horizontalFlip
    case TrainCommand.Augmentation.none?: parameters.augmentationOptions = []
    }
    let validation =
      try options.validation.map { try self.validation($0, options) }
      ?? project?.validation() ?? .split(strategy: .automatic)
    if case .split(let strategy) = validation {
      parameters.validation = strategy
    } else {
      parameters.validation = nil
    }
    return (parameters, validation)
  }

  /// Makes the parameters those of a window of one frame.
  private static func useSinglePoses(
    _ options: TrainCommand, _ parameters: inout ActionClassifierParameters
  ) throws {
    guard options.window == nil, options.duration == nil, options.frameRate == nil else {
      throw UsageError(
        "Pictures show single poses; leave --window, --duration and --frame-rate out.")
    }
    guard options.algorithm ?? .posture == .posture else {
      throw UsageError("Single poses are classified by --algorithm posture; leave --algorithm out.")
    }
    let single = ActionClassifierParameters.singlePoses
    parameters.predictionWindowSize = single.predictionWindowSize
    parameters.algorithm = single.algorithm
  }

  private static func validation(
    _ text: String, _ options: TrainCommand
  ) throws -> ValidationData {
    switch text {
    case "auto": return .split(strategy: .automatic)
    case "none": return .none
    default:
      guard let share = Double(text) else {
        return .dataSource(
          try options.data.source(at: URL(filePath: text), ofHands: options.hands))
      }
      guard share > 0, share < 1 else {
        throw UsageError("--validation takes a share above 0 and below 1, not \(text).")
      }
      return .split(strategy: .fixed(ratio: share))
    }
  }

  private static func places(
    _ options: TrainCommand, _ project: Project?
  ) throws -> (output: URL?, session: URL) {
    if options.check { return (nil, URL(filePath: ".")) }
    let own = project?.exportedModel
    guard let output = options.output?.url ?? own else {
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
      options.session?.url ?? output.deletingPathExtension().appendingPathExtension("training")
    return (output, session)
  }

  private static func metadata(
    _ options: TrainCommand, _ set: ProjectDescription.Metadata?, output: URL?
  ) -> ModelMetadata {
    let subject =
      options.hands ? "the poses of hands" : "actions by the poses of a person"
    let name =
      options.name ?? output?.deletingPathExtension().lastPathComponent ?? "Actions"
    return ModelMetadata(
      shortDescription: options.description ?? set?.description
        ?? "\(name): classifies \(subject); trained by Kinema.",
      author: options.author ?? set?.author ?? "",
      license: options.license ?? set?.license ?? "", version: set?.version ?? "1")
  }
}

extension ActionClassifierParameters.Algorithm: OptionValue {}
extension ActionClassifierParameters.Precision: OptionValue {}
