import Foundation
import Kinema
import KinemaCoach
import KinemaHTTP
import KinemaServer
import KinemaWatch

struct LiveCommand: Command {
  static let name = "live"
  static let abstract = "Serve the live app: recognise, time and count actions in a browser."
  static let usage = "[SOURCE …]"
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
  @Option("FILE", "Named sources to watch, with rules (see kinema watch), shown side by side.")
  var sources: URL?
  @Option("RULES", "The rulebook of form (see kinema coach; default: the built-in one).")
  var rules: URL?
  var server = ServerOptions()
  var picture = PictureOptions()
  @Operands(0...Int.max)
  var inputs: [String]

  func run() async throws {
    var options = try server.options()
    let adjustment = picture.adjustment
    guard adjustment == PictureAdjustment() || !inputs.isEmpty else {
      throw UsageError(
        "--rotate, --mirror and --stabilize go with a SOURCE; browsers rotate and mirror their own."
      )
    }
    for operand in inputs {
      options.sources.append(try await Self.source(operand).adjusted(by: adjustment))
    }
    if let rules {
      options.live.coach = Coach(try Rulebook(contentsOf: rules))
    }
    if let sources {
      options.watch = LiveServer.Watch(
        file: try WatchFile(sources),
        classifier: NamedModel.classifiers(otherwise: server.model),
        report: { StandardStreams.printMessage("kinema: \($0)") })
      options.watch?.namesActions = server.model != nil
    }
    try await server.serve(options) { _ in ("Kinema is live: ", nil, nil) }
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
