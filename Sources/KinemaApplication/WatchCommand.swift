import Foundation
import Kinema
import KinemaReport
import KinemaServer
import KinemaWatch

/// `kinema watch`: watches sources without a browser, and sends what happens to other systems.
enum WatchCommand: Command {
  static let name = "watch"
  static let abstract = "Watch cameras without a browser, and send events to other systems."
  static let operands = "FILE.json | SOURCE …"
  static let discussion = """
    Prints each event as a line of JSON: an action begins, lasts or ends, a count is reached, a set is
    finished, a person enters or leaves, nobody is in view, a person falls or lies, a source is stale or
    back. FILE.json names sources, rules, an MQTT broker and a webhook; a change of it takes effect at
    once. SOURCE is a camera (/dev/video0), a stream (rtsp://…, http://…), or a file (a video or .npz),
    which is processed to its end.

      {"sources": [{"name": "Gym", "address": "rtsp://camera.local/stream", "rotate": 90}],
       "rules": [{"when": {"event": "fall"}, "then": ["mqtt", "webhook"], "picture": true},
                 {"when": {"action": "lying", "for": 10}, "then": ["mqtt"]},
                 {"when": {"action": "squats", "count": 10}, "then": ["webhook"]}],
       "mqtt": {"host": "broker.local", "tls": true, "username": "kinema", "password": "$PASSWORD"},
       "webhook": {"url": "https://example.org/kinema", "secret": "$SECRET"}}

    Events wait on disk until their receiver has acknowledged them, also over restarts. Pictures leave
    only where a rule says "picture": true, or "clip": 10 for a video of ten seconds. Ctrl-C ends.
    """
  static let examples = """
    kinema watch rtsp://camera.local/stream
        Print events of a camera as they happen.
    kinema watch watch.json
        Watch all cameras of a file, and send events by its rules.
    kinema watch watch.json --check
        Check the file without watching.
    kinema watch workout.mp4 | grep setFinished
        Print the sets of a video.
    """
  static let options = """
    --model MODEL  The action classifier of each SOURCE (default Exercise).
    --data FOLDER  Where events wait for their receivers.
    --threads N  Threads that all sources share (default: one for each core).
    --precision P  full (default), or fast where the processor has bf16.
    --check  Only check FILE.json.
    \(PictureAdjustment.options)
    """

  /// How long events of files that have ended may take to arrive, in seconds.
  private static let drainTime = 10.0

  static func run(_ arguments: Arguments) async throws {
    guard let first = arguments.operands.first else {
      throw UsageError("Name a SOURCE, or a file of them.")
    }
    let isFile = arguments.operands.count == 1 && first.lowercased().hasSuffix(".json")
    let file = try isFile ? WatchFile(URL(filePath: first)) : nil
    let configuration = try file?.configuration ?? operands(arguments)
    if arguments.has("check") {
      let sources = configuration.sources.count.counted("source")
      return StandardStreams.print("\(first) is valid: \(sources).\n")
    }
    let watcher = try Watcher(setup(arguments))
    try await watcher.apply(configuration)
    let publishing = Task { await watcher.publishStates() }
    defer { publishing.cancel() }
    do {
      if let file {
        try await watcher.follow(file) { try StandardStreams.checkOutput() }
      } else {
        try await watcher.waitForSources()
      }
      try Task.checkCancellation()
    } catch {
      await watcher.stop()
      if error is CancellationError { return }
      throw error
    }
    await watcher.stop(draining: drainTime)
  }

  private static func setup(_ arguments: Arguments) throws -> Watcher.Setup {
    let precision = try arguments.choice(
      "precision", default: HumanBodyPoseExtractor.Precision.full)
    precision.reportIfMissing()
    let threads =
      try arguments.integer("threads", within: 1...256)
      ?? ProcessInfo.processInfo.activeProcessorCount
    let builtIn = arguments.value("model") ?? BuiltInModel.exercise.rawValue
    return Watcher.Setup(
      folder: arguments.url("data") ?? DataFolder.url().appending(path: "watch"),
      pool: PosePool(workerCount: threads), precision: precision,
      classifier: { try ActionClassifier(contentsOf: Arguments.model(named: $0 ?? builtIn)) },
      print: { line in
        StandardStreams.print(line)
        StandardStreams.flush()
      }, report: { StandardStreams.printMessage("kinema: \($0)") })
  }

  /// The sources of the command line, named after their addresses.
  private static func operands(_ arguments: Arguments) throws -> WatchConfiguration {
    let adjustment = try PictureAdjustment(arguments)
    var names: [String: Int] = [:]
    return WatchConfiguration(
      sources: try arguments.operands.map { operand in
        let source = try LiveSource(operand)
        if case .file(let url) = source, !FileManager.default.isReadableFile(atPath: url.path) {
          throw CommandFailure(
            .noInput, "\(operand) is not a readable file, stream or camera.")
        }
        names[source.name, default: 0] += 1
        let number = names[source.name] ?? 1
        return .init(
          name: number == 1 ? source.name : "\(source.name) \(number)", address: operand,
          adjustment: adjustment)
      })
  }
}
