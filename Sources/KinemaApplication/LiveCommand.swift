import Foundation
import Kinema
import KinemaCoach
import KinemaHTTP
import KinemaServer
import KinemaWatch

enum LiveCommand: Command {
  static let name = "live"
  static let abstract = "Serve the live app: recognise, time and count actions in a browser."
  static let operands = "[SOURCE …]"
  static let discussion = """
    Starts a server and prints its address. The page uses the browser's camera, or a SOURCE that the
    server reads: a camera (/dev/video0), a stream (rtsp://…, http://…), a video file, which is looped,
    or a synthetic person, who is always available.

    Only this computer has access, unless --host is given: then the server requires TLS and a token,
    which is part of the printed address. Frames are discarded after processing; the history has
    actions, times and counts, and video only if a session records it.
    """
  static let examples = """
    kinema live
        Watch the browser's camera with the built-in model.
    kinema live --model MyActions.mlmodel
        Start with your own model.
    kinema live workout.mp4
        Offer a video file as a source.
    kinema live rtsp://camera.local/stream
        Offer a network camera as a source.
    kinema live /dev/video2 --rotate 90
        Offer a rotated camera.
    kinema live --rules mine.json
        Evaluate form by your own rules.
    kinema live --sources watch.json
        Watch the cameras of a file, side by side in the page, by its rules.
    kinema live --host 0.0.0.0 --name box.local
        Serve phones in the network: TLS and a token.
    """
  static let options = """
    --sources FILE  Named sources to watch, with rules (see kinema watch), shown side by side.
    --rules RULES  The rulebook of form (see kinema coach; default: the built-in one).
    --folder DIRS  Folders whose videos projects may use, separated by commas (default: this one).
    \(serverOptions)
    \(PictureAdjustment.options)
    """

  /// The options of the server, which ``StudioCommand`` has as well.
  static let serverOptions = """
    --model MODEL  The action classifier at the start (default Exercise).
    --host ADDRESS  The address to listen on (default 127.0.0.1).
    --port N  The port (default 8642; 0 takes any that is free).
    --name NAMES  Additional host names, separated by commas.
    --token TOKEN  Access token (default: random, none on loopback).
    --certificate FILE  The TLS certificate, PEM (default: self-signed).
    --key FILE  The certificate's key, PEM.
    --tls  Use TLS on loopback, too.
    --sessions N  At most N sessions (default 4 per processor).
    --persons N  At most N people per session (default 6).
    --precision P  full (default), or fast where the processor has bf16.
    --smooth  Smooth the joints, for drawing.
    --data FOLDER  Folder of history, uploaded models and certificates.
    --no-recording  Disable video recording.
    """

  static func run(_ arguments: Arguments) async throws {
    var options = try serverOptions(arguments)
    let adjustment = try PictureAdjustment(arguments)
    guard adjustment == PictureAdjustment() || !arguments.operands.isEmpty else {
      throw UsageError(
        "--rotate, --mirror and --stabilize go with a SOURCE; browsers rotate and mirror their own."
      )
    }
    for operand in arguments.operands {
      options.sources.append(try await source(operand).adjusted(by: adjustment))
    }
    if let rules = arguments.url("rules") {
      options.live.coach = Coach(try Rulebook(contentsOf: rules))
    }
    if let file = arguments.url("sources") {
      let builtIn = arguments.value("model") ?? BuiltInModel.exercise.rawValue
      options.watch = LiveServer.Watch(
        file: try WatchFile(file),
        classifier: { try ActionClassifier(contentsOf: Arguments.model(named: $0 ?? builtIn)) },
        report: { StandardStreams.printMessage("kinema: \($0)") })
    }
    try await serve(options) { _ in ("Kinema is live: ", nil, nil) }
  }

  /// Serves until the command is interrupted.
  ///
  /// - Parameter page: The words before the address to open, the page's path below it and its
  ///   fragment.
  static func serve(
    _ options: LiveServer.Options,
    page: (LiveServer) -> (words: String, path: String?, fragment: String?)
  ) async throws {
    let server = try await LiveServer(options)
    for notice in server.notices { StandardStreams.printMessage("kinema: \(notice)") }
    let (words, path, fragment) = page(server)
    var address = URLComponents(url: server.addressToOpen, resolvingAgainstBaseURL: false)
    if let path { address?.path = "/" + path }
    if let fragment { address?.percentEncodedFragment = fragment }
    StandardStreams.print("\(words)\((address?.url ?? server.addressToOpen).absoluteString)\n")
    StandardStreams.flush()
    if let fingerprint = server.selfSignedFingerprint {
      StandardStreams.printMessage(
        "The browser will warn of the self-signed certificate. Its SHA-256:\n"
          + fingerprint)
    }
    StandardStreams.printMessage("Open the address in a browser; press Ctrl-C to stop.")
    try await server.run()
  }

  static func serverOptions(_ arguments: Arguments) throws -> LiveServer.Options {
    var options = LiveServer.Options()
    options.version = Application.version
    let folders = arguments.value("folder")?.split(separator: ",").map(String.init) ?? ["."]
    for folder in folders where !FileManager.default.fileExists(atPath: folder) {
      throw CommandFailure(.noInput, "There is no folder \(folder): check --folder.")
    }
    options.importFolders = folders.map { URL(filePath: $0) }
    options.models = try arguments.model().map { [$0] } ?? []
    try arguments.set(&options.live.maximumSessionCount, from: "sessions", within: 1...1000)
    try arguments.set(&options.live.maximumPersonCount, from: "persons", within: 1...32)
    options.live.precision = try arguments.choice("precision", default: options.live.precision)
    options.live.precision.reportIfMissing()
    options.live.isSmoothed = arguments.has("smooth")
    options.isRecordingAllowed = !arguments.has("no-recording")
    options.data = arguments.url("data") ?? options.data
    options.web.host = arguments.value("host") ?? options.web.host
    options.web.port = try arguments.integer("port", within: 0...65535) ?? options.web.port
    options.web.allowedHosts = arguments.value("name")?.split(separator: ",").map(String.init) ?? []
    options.web.token = arguments.value("token")
    switch (arguments.url("certificate"), arguments.url("key")) {
    case (let certificate?, let key?):
      options.web.security = .files(certificate: certificate, key: key)
    case (nil, nil): options.web.security = arguments.has("tls") ? .selfSigned : .automatic
    default: throw UsageError("--certificate and --key go together.")
    }
    return options
  }

  /// A source as written on the command line; files must be videos, cameras must be connected.
  private static func source(_ text: String) async throws -> LiveSource {
    let source = try LiveSource(text)
    switch source {
    case .file(let url):
      guard FileManager.default.isReadableFile(atPath: url.path) else {
        throw CommandFailure(.noInput, "\(text) is not a readable file, stream or camera.")
      }
      for try await _ in try await VideoReader.read(contentsOf: url) { break }
    case .camera(let configuration):
      guard FileManager.default.fileExists(atPath: configuration.device) else {
        let others = LiveSource.cameras().map(\.device).joined(separator: ", ")
        throw CommandFailure(
          .noInput,
          "There is no camera \(configuration.device): connect it"
            + (others.isEmpty ? "." : ", or choose \(others)."))
      }
    default: break
    }
    return source
  }
}
