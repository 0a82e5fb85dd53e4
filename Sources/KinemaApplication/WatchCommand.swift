import Foundation
import Kinema
import KinemaHTTP
import KinemaReport
import KinemaServer
import KinemaWatch

/// `kinema watch`: watches sources without a browser, and sends what happens to other systems.
struct WatchCommand: Command {
  static let name = "watch"
  static let abstract = "Watch cameras without a browser, and send events to other systems."
  static let usage = "FILE.json | SOURCE … | --discover"
  static let discussion = """
    Prints each event as a line of JSON: a person enters or leaves, stands, sits, lies or falls, nobody is
    in view, a source is stale or back. Exercises and their counts only where a rule asks for them, or with
    --model. FILE.json names sources, rules, an MQTT broker and a webhook; a change of it takes effect at
    once. SOURCE is a camera (/dev/video0), a stream (rtsp://…, http://…), or a file (a video or .npz),
    which is processed to its end.

      {"sources": [{"name": "Gym", "address": "rtsp://camera.local/stream", "rotate": 90}],
       "rules": [{"when": {"event": "fall"}, "then": ["mqtt", "webhook"], "picture": true},
                 {"when": {"posture": "sitting", "for": 3600}, "then": ["mqtt"]},
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
        Check the file without watching, and print what each rule sends where.
    kinema watch watch.json --metrics 9100
        Also serve what each camera costs, for Prometheus.
    kinema watch --discover
        Find cameras in the local network.
    kinema watch workout.mp4 --model Exercise | grep setFinished
        Print the sets of a video.
    """
  @Option("MODEL", "Name actions as well, by this classifier (where a rule asks: Exercise).")
  var model: NamedModel?
  @Option("FOLDER", "Where events wait for their receivers.")
  var data: FolderPath?
  @Option("N", "Threads that all sources share (default: one for each core).", 1...256)
  var threads: Int?
  @Option("P", NetworkPrecision.help)
  var precision = NetworkPrecision.full
  @Option("DEVICE", NetworkDevice.help)
  var device = NetworkDevice.cpu
  @Option(
    "PORT", "Serve what each source costs at http://127.0.0.1:PORT/metrics; 0 for any port.",
    0...65535)
  var metrics: Int?
  @Flag("Only check FILE.json, and print what each rule sends where.")
  var check: Bool
  @Flag("Find cameras in the local network (ONVIF), and print the addresses of their streams.")
  var discover: Bool
  @Option("USER:PASSWORD", "What cameras that --discover finds ask for; or $NAME of a variable.")
  var login: String?
  var picture = PictureOptions()
  @Operands(0...Int.max)
  var inputs: [String]

  /// How long events of files that have ended may take to arrive, in seconds.
  private static let drainTime = 10.0

  func run() async throws {
    guard discover || login == nil else { throw UsageError("--login goes with --discover.") }
    if discover {
      guard inputs.isEmpty else { throw UsageError("--discover takes no SOURCE.") }
      return StandardStreams.print(try await CameraTable(login: login).text())
    }
    guard let first = inputs.first else {
      throw UsageError("Name a SOURCE, or a file of them; --discover finds cameras.")
    }
    let isFile = inputs.count == 1 && first.lowercased().hasSuffix(".json")
    let file = try isFile ? WatchFile(URL(filePath: first)) : nil
    let configuration = try file?.configuration ?? configuration()
    if check {
      try configuration.checkModels(NamedModel.classifiers(otherwise: model))
      let sources = configuration.sources.count.counted("source")
      return StandardStreams.print(
        "\(first) is valid: \(sources).\n\n" + WatchTable(configuration: configuration).text)
    }
    let trimming = HeapTrimming.start()
    defer { trimming.cancel() }
    let watcher = try Watcher(setup())
    let server = try metricsServer(watcher)
    try await watcher.apply(configuration)
    let serving = Task { try await server?.run() }
    defer { serving.cancel() }
    let publishing = Task { await watcher.publishStates() }
    defer { publishing.cancel() }
    do {
      if let file {
        try await watcher.follow(file) { try StandardStreams.checkOutput() }
      } else {
        try await watcher.waitForSources { try StandardStreams.checkOutput() }
      }
      try Task.checkCancellation()
    } catch {
      await watcher.stop()
      if error is CancellationError { return }
      guard let failure = error as? Watcher.SourceFailure else { throw error }
      throw CommandFailure(
        CommandFailure(failure.cause).status,
        "\(failure.source) could not be read to its end; see above.")
    }
    await watcher.stop(draining: Self.drainTime)
  }

  private func metricsServer(_ watcher: Watcher) throws -> WebServer? {
    guard let metrics else { return nil }
    var web = WebServer.Configuration()
    web.port = metrics
    let server = try WebServer(configuration: web, application: MetricsApplication(watcher))
    let address = server.url.appending(path: "metrics").absoluteString
    StandardStreams.printMessage("kinema: metrics are at \(address)")
    return server
  }

  private func setup() throws -> Watcher.Setup {
    let settings = NetworkSettings(precision: precision, device: device)
    settings.reportSubstitutes()
    let threads = threads ?? ProcessInfo.processInfo.activeProcessorCount
    var setup = Watcher.Setup(
      folder: data?.url ?? DataFolder.url().appending(path: "watch"),
      pool: PosePool(workerCount: threads), settings: settings,
      classifier: NamedModel.classifiers(otherwise: model),
      print: { line in
        StandardStreams.print(line)
        StandardStreams.flush()
      }, report: { StandardStreams.printMessage("kinema: \($0)") })
    setup.namesActions = model != nil
    setup.version = Application.version
    return setup
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
