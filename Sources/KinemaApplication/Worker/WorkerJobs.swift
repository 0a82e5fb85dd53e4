import Foundation
import Kinema
import KinemaFiles
import KinemaPose

/// What a worker can do: the commands, and what is of use only to programs.
enum WorkerJobs {
  static let names = [
    "classify", "count", "evaluate", "info", "poses", "predict", "train", "watch",
  ]

  /// Runs a job; its result is what it prints, one JSON object.
  static func run(
    _ job: WorkerRequest.Job, _ answers: WorkerAnswers, _ folder: WorkerFolder
  ) async throws {
    switch job.name {
    case "classify":
      try await run(ClassifyCommand.self, [try medium(of: job)], job, ["model": job.model])
    case "count":
      try await run(CountCommand.self, [try medium(of: job)], job, ["model": job.model])
    case "train": try await run(TrainCommand.self, [try input(of: job)], job)
    case "evaluate" where job.options["counts"] != nil:
      try await run(EvaluateCommand.self, [], job, ["model": job.model])
    case "evaluate":
      try await run(EvaluateCommand.self, [try model(of: job), try input(of: job)], job)
    case "info": try await run(ModelInfoCommand.self, [try model(of: job)], job)
    case "poses": try await poses(job, folder)
    case "predict": try predict(job, folder)
    case "watch": try await WatchJob.run(job, try medium(of: job), answers)
    default:
      let nearest = Arguments.nearest(to: job.name, among: names)
      throw UsageError(
        "There is no job \(job.name.prefix(100))"
          + (nearest.map { "; did you mean \($0)?" } ?? ": use \(names.joined(separator: ", "))."))
    }
  }

  /// Runs a command for its JSON.
  private static func run(
    _ command: any Command.Type, _ operands: [String], _ job: WorkerRequest.Job,
    _ values: [String: String?] = [:]
  ) async throws {
    if job.model != nil, !values.keys.contains("model"), !operands.contains(job.model ?? "") {
      throw UsageError("The job \(job.name) takes no model.")
    }
    let words = try job.words(values) + ["--format=json", "--"] + operands
    try await command.run(try Arguments(words, options: Option.table(command.options)))
  }

  private static func poses(_ job: WorkerRequest.Job, _ folder: WorkerFolder) async throws {
    guard job.model == nil else { throw UsageError("The job poses takes no model.") }
    let medium = try medium(of: job)
    var words = try job.words()
    if job.options["output"] == nil {
      words.append("--output=\(try arrays(of: job, folder).appending(path: "poses.npz").path)")
    }
    let found = try await PoseCommand.extract(
      try Arguments(words + ["--", medium], options: Option.table(PoseCommand.options)))
    for report in found.reports { StandardStreams.print(try report.jsonText()) }
  }

  /// Classifies windows without a video.
  private static func predict(_ job: WorkerRequest.Job, _ folder: WorkerFolder) throws {
    guard job.options.isEmpty else { throw UsageError("The job predict has no options.") }
    let url = try Arguments.model(named: try model(of: job))
    let classifier = try ActionClassifier(contentsOf: url)
    let windows = try NumPyArray(contentsOf: URL(filePath: try input(of: job)))
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
    let file = try arrays(of: job, folder).appending(path: "probabilities.npy")
    try WholeFile.write(
      NumPyArray(probabilities, shape: [windows.shape[0], classifier.labels.count]).npy, to: file)
    let result: JSONObject = [
      "schema": 1, "model": url.deletingPathExtension().lastPathComponent,
      "labels": classifier.labels, "windows": windows.shape[0], "file": file.path,
    ]
    StandardStreams.print(try result.jsonText())
  }

  // MARK: - Members of requests

  private static func input(of job: WorkerRequest.Job) throws -> String {
    guard let input = job.input else { throw UsageError("The job \(job.name) has an input.") }
    return input
  }

  /// One video, image, file of poses, or stream.
  private static func medium(of job: WorkerRequest.Job) throws -> String {
    let input = try input(of: job)
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: input, isDirectory: &isFolder), isFolder.boolValue {
      throw UsageError("\(input) is a folder; send a job for each file in it.")
    }
    return input
  }

  private static func model(of job: WorkerRequest.Job) throws -> String {
    guard let model = job.model else { throw UsageError("The job \(job.name) names a model.") }
    return model
  }

  /// Where the arrays of a job are written.
  private static func arrays(of job: WorkerRequest.Job, _ folder: WorkerFolder) throws -> URL {
    guard let path = job.folder else { return try folder.next() }
    let url = URL(filePath: path)
    try OutputTarget.makeFolder(url)
    return url
  }
}
