import Foundation
import Kinema
import KinemaFiles
import KinemaPose

/// What a worker does for other programs: a command, or what is of use only to them.
protocol WorkerJob: OptionGroup {
  static var name: String { get }
  /// The options with which the command prints what is no JSON, and what that is; no request gives them.
  static var printed: [String: String] { get }
  /// Runs with what a request gives; the result is what it prints, one JSON object.
  func run(_ request: WorkerRequest.Job, _ context: WorkerJobs.Context) async throws
}

enum WorkerJobs {
  struct Context {
    let answers: WorkerAnswers
    let folder: WorkerFolder
  }

  static let all: [any WorkerJob.Type] = [
    AnglesCommand.self, AssessCommand.self, ClassifyCommand.self, CoachCommand.self,
    CountCommand.self,
    EvaluateCommand.self, InfoJob.self, PosesJob.self,
    ConvertJob.self, PredictJob.self, PushJob.self, SynthJob.self, TrainCommand.self, WatchJob.self,
  ]

  static func run(_ request: WorkerRequest.Job, _ context: Context) async throws {
    guard let job = all.first(where: { $0.name == request.name }) else {
      let names = all.map { $0.name }
      let nearest = Spelling.nearest(to: request.name, among: names)
      throw UsageError(
        "There is no job \(request.name.prefix(100))"
          + (nearest.map { "; did you mean \($0)?" } ?? ": use \(names.joined(separator: ", "))."))
    }
    try await job.init().run(request, context)
  }
}

extension WorkerJob {
  static var printed: [String: String] { [:] }

  /// Takes what a request gives.
  ///
  /// - Parameter model: Whether its model is an option, or no matter of the job or an operand.
  func take(
    _ request: WorkerRequest.Job, model: ModelUse = .none, operands: [String]
  ) throws {
    for (name, reason) in WorkerJobs.reserved where request.options[name] != nil {
      throw UsageError(reason)
    }
    for (name, text) in Self.printed where request.options[name]?.isGiven == true {
      throw UsageError("The option \(name) is not possible; kinema \(Self.name) prints \(text).")
    }
    var options = request.options
    switch (model, request.model) {
    case (.optional, let model?): options["model"] = .value(model)
    case (.none, .some): throw UsageError("The job \(request.name) takes no model.")
    default: break
    }
    if let format = declarations.first(where: { $0.name == "format" })?.declaration.kind,
      case .choice(let words) = format, words.contains("json")
    {
      options["format"] = .value("json")
    }
    try take(options, operands: operands)
  }

  /// What a request can give, for other languages.
  static var optionDescriptions: [JSONObject] {
    Self().optionDescriptions(without: Set(WorkerJobs.reserved.keys))
  }
}

enum ModelUse { case none, optional, operand }

extension WorkerJobs {
  /// The options that no request gives, and why.
  static let reserved = [
    "format": "The option format is not possible; results are JSON.",
    "model": "The model is a member of the request, not an option.",
  ]
}

// MARK: - Commands

extension WorkerJob where Self: Command {
  func run(_ request: WorkerRequest.Job, _ context: WorkerJobs.Context) async throws {
    try take(request, model: .optional, operands: [try request.medium()])
    try await run()
  }
}

extension AnglesCommand: WorkerJob {}
extension AssessCommand: WorkerJob {
  static let printed = ["list": "the tests", "show-tests": "the definitions"]
}
extension ClassifyCommand: WorkerJob {}
extension CoachCommand: WorkerJob {
  static let printed = ["show-rules": "the rules"]
}
extension CountCommand: WorkerJob {}

extension TrainCommand: WorkerJob {
  func run(_ request: WorkerRequest.Job, _ context: WorkerJobs.Context) async throws {
    try take(request, operands: [try request.requiredInput()])
    try await run()
  }
}

extension EvaluateCommand: WorkerJob {
  func run(_ request: WorkerRequest.Job, _ context: WorkerJobs.Context) async throws {
    if request.options["counts"] != nil {
      try take(request, model: .optional, operands: [])
    } else {
      try take(
        request, model: .operand,
        operands: [try request.requiredModel(), try request.requiredInput()])
    }
    try await run()
  }
}

struct InfoJob: WorkerJob {
  static let name = "info"

  func run(_ request: WorkerRequest.Job, _ context: WorkerJobs.Context) async throws {
    try take(request, model: .operand, operands: [])
    let command = ModelInfoCommand()
    try command.take(["format": .value("json")], operands: [try request.requiredModel()])
    try await command.run()
  }
}

struct PosesJob: WorkerJob {
  static let name = "poses"
  var extraction = PoseCommand()

  func run(_ request: WorkerRequest.Job, _ context: WorkerJobs.Context) async throws {
    try take(request, operands: [try request.medium()])
    if extraction.output == nil {
      extraction.output = try request.arrays(context.folder).appending(path: "poses.npz")
    }
    for report in try await extraction.extract().reports {
      StandardStreams.print(try report.jsonText())
    }
  }
}

struct ConvertJob: WorkerJob {
  static let name = "convert"
  var conversion = ModelConvertCommand()

  func run(_ request: WorkerRequest.Job, _ context: WorkerJobs.Context) async throws {
    try take(request, model: .operand, operands: [try request.requiredModel()])
    try await conversion.run()
    let result: JSONObject = ["schema": 1, "file": conversion.output?.url.path]
    StandardStreams.print(try result.jsonText())
  }
}

struct SynthJob: WorkerJob {
  static let name = "synth"
  static let printed = ["list": "the motions"]
  var synthesis = SynthCommand()

  func run(_ request: WorkerRequest.Job, _ context: WorkerJobs.Context) async throws {
    try take(request, operands: [])
    StandardStreams.print(try await synthesis.make().json.jsonText())
  }
}

struct PredictJob: WorkerJob {
  static let name = "predict"

  func run(_ request: WorkerRequest.Job, _ context: WorkerJobs.Context) async throws {
    guard request.options.isEmpty else { throw UsageError("The job predict has no options.") }
    let url = try NamedModel(named: try request.requiredModel()).url
    let classifier = try ActionClassifier(contentsOf: url)
    let windows = try NumPyArray(contentsOf: URL(filePath: try request.requiredInput()))
    let shape = [classifier.windowSize, 3, classifier.joints.count]
    guard windows.shape.count == 4, Array(windows.shape[1...]) == shape else {
      throw CommandFailure(
        .badData,
        "The array has the shape \(windows.shape) where the model takes [windows, "
          + "\(shape.map(String.init).joined(separator: ", "))].")
    }
    var probabilities: [Float] = []
    for index in 0..<windows.shape[0] {
      if index % 64 == 0 { try Task.checkCancellation() }
      probabilities += try classifier.predict(windows[index].floats).probabilities
      StandardStreams.showProgress(
        "classifying  \(index + 1) of \(windows.shape[0])", step: "classifying",
        share: Double(index + 1) / Double(windows.shape[0]))
    }
    let file = try request.arrays(context.folder).appending(path: "probabilities.npy")
    try WholeFile.write(
      NumPyArray(probabilities, shape: [windows.shape[0], classifier.labels.count]).npy, to: file)
    let result: JSONObject = [
      "schema": 1, "model": url.deletingPathExtension().lastPathComponent,
      "labels": classifier.labels, "windows": windows.shape[0], "file": file.path,
    ]
    StandardStreams.print(try result.jsonText())
  }
}

// MARK: - Members of requests

extension WorkerRequest.Job {
  func requiredInput() throws -> String {
    guard let input else { throw UsageError("The job \(name) has an input.") }
    return input
  }

  func requiredModel() throws -> String {
    guard let model else { throw UsageError("The job \(name) names a model.") }
    return model
  }

  /// One video, image, file of poses, or stream.
  func medium() throws -> String {
    let input = try requiredInput()
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: input, isDirectory: &isFolder), isFolder.boolValue,
      !PoseFile.isReadable(URL(filePath: input))
    {
      throw UsageError("\(input) is a folder; send a job for each file in it.")
    }
    return input
  }

  /// Where the arrays of a job are written.
  func arrays(_ folder: WorkerFolder) throws -> URL {
    guard let path = self.folder else { return try folder.next() }
    let url = URL(filePath: path)
    try OutputTarget.makeFolder(url)
    return url
  }
}
