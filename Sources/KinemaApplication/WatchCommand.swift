import Foundation
import Kinema
import KinemaReport
import KinemaServer
import KinemaWatch

/// `kinema watch`: watches sources without a browser, and sends what happens to other systems.
struct WatchCommand: Command {
  static let name = "watch"
  static let abstract = "Watch cameras without a browser, and send events to other systems."
  static let usage = "FILE.json | SOURCE …"
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
  @Option("MODEL", "The action classifier of each SOURCE (default Exercise).")
  var model: NamedModel?
  @Option("FOLDER", "Where events wait for their receivers.")
  var data: FolderPath?
  @Option("N", "Threads that all sources share (default: one for each core).", 1...256)
  var threads: Int?
  @Option("P", NetworkPrecision.help)
  var precision = NetworkPrecision.full
  @Flag("Only check FILE.json.")
  var check: Bool
  var picture = PictureOptions()
  @Operands(1...Int.max, "Name a SOURCE, or a file of them.")
  var inputs: [String]

  /// How long events of files that have ended may take to arrive, in seconds.
  private static let drainTime = 10.0

  func run() async throws {
    let first = inputs.first ?? ""
    let isFile = inputs.count == 1 && first.lowercased().hasSuffix(".json")
    let file = try isFile ? WatchFile(URL(filePath: first)) : nil
    let configuration = try file?.configuration ?? configuration()
    if check {
      try configuration.checkModels(NamedModel.classifiers(otherwise: model))
      let sources = configuration.sources.count.counted("source")
      return StandardStreams.print("\(first) is valid: \(sources).\n")
    }
    let watcher = try Watcher(setup())
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
    await watcher.stop(draining: Self.drainTime)
  }

  private func setup() throws -> Watcher.Setup {
    precision.reportIfMissing()
    let threads = threads ?? ProcessInfo.processInfo.activeProcessorCount
    return Watcher.Setup(
      folder: data?.url ?? DataFolder.url().appending(path: "watch"),
      pool: PosePool(workerCount: threads), precision: precision,
      classifier: NamedModel.classifiers(otherwise: model),
      print: { line in
        StandardStreams.print(line)
        StandardStreams.flush()
      }, report: { StandardStreams.printMessage("kinema: \($0)") })
  }

  /// The sources of the command line, named after their addresses.
  private func configuration() throws -> WatchConfiguration {
    let adjustment = picture.adjustment
    var names: [String: Int] = [:]
    return WatchConfiguration(
      sources: try inputs.map { operand in
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
