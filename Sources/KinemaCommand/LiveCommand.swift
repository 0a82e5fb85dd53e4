import Foundation
import Kinema
import KinemaServer

/// `kinema live`: serves the live app.
enum LiveCommand: Command {
  static let name = "live"
  static let abstract = "Watch a camera in the browser: name, time and count what people do."
  static let operands = "[SOURCE …]"
  static let discussion = """
    Starts a server and prints its address; open that in a browser. The browser's own camera is watched,
    or a SOURCE that the server looks at itself: a camera (/dev/video0), a stream (rtsp://…, http://…),
    a video file, which is looped, or a synthetic person, who is always there to try things out.

    Only this computer can reach the server, unless --host says otherwise: then it speaks TLS and
    wants a token, which is part of the address that is printed. Pictures are looked at and forgotten;
    what was done and how often is kept in the history, and video only where a session records it.
    Ctrl-C ends the server; sessions are saved.
    """
  static let examples: [(line: String, meaning: String)] = [
    ("kinema live", "Watch the browser's camera with the built-in model."),
    ("kinema live --model MyActions.mlmodel", "Begin with a model of your own."),
    ("kinema live workout.mp4", "Offer a video file instead of a camera."),
    ("kinema live rtsp://camera.local/stream", "Offer a network camera."),
    ("kinema live /dev/video2 --rotate 90", "Offer a camera that stands on its side."),
    (
      "kinema live --host 0.0.0.0 --name box.local",
      "Let phones in the network watch: TLS and a token."
    ),
  ]
  static let options =
    [
      Option("model", value: "MODEL", "The action classifier to begin with (default Exercise)."),
      Option("host", value: "ADDRESS", "The address to listen on (default 127.0.0.1)."),
      Option("port", value: "N", "The port (default 8642; 0 takes any that is free)."),
      Option("name", value: "NAMES", "Further host names that browsers use, separated by commas."),
      Option("token", value: "TOKEN", "What clients must show (default: made up, except locally)."),
      Option("certificate", value: "FILE", "The TLS certificate, PEM (default: self-signed)."),
      Option("key", value: "FILE", "The certificate's key, PEM."),
      Option("tls", "Speak TLS on this computer's own address as well."),
      Option("sessions", value: "N", "At most N sessions at once (default 4 for each processor)."),
      Option("persons", value: "N", "Follow at most N people in a session (default 6)."),
      Option("precision", value: "P", "full (default), or fast where the processor has bf16."),
      Option("smooth", "Calm the trembling of joints, for the picture's sake."),
      Option("data", value: "FOLDER", "Where history, uploaded models and certificates are kept."),
      Option("no-recording", "Never record video, also where a session asks for it."),
    ] + PictureAdjustment.options

  static func run(_ arguments: Arguments) async throws {
    let server = try await LiveServer(try options(arguments))
    for notice in server.notices { StandardStreams.printMessage("kinema: \(notice)") }
    StandardStreams.print("Kinema is live: \(server.addressToOpen.absoluteString)\n")
    StandardStreams.flush()
    if let fingerprint = server.selfSignedFingerprint {
      StandardStreams.printMessage(
        "The browser will warn of the certificate, which is this server's own. Its SHA-256:\n"
          + fingerprint)
    }
    StandardStreams.printMessage("Open the address in a browser; Ctrl-C ends.")
    try await server.run()
  }

  private static func options(_ arguments: Arguments) throws -> LiveServer.Options {
    var options = LiveServer.Options()
    options.version = KinemaTool.version
    let adjustment = try PictureAdjustment(arguments)
    guard adjustment == PictureAdjustment() || !arguments.operands.isEmpty else {
      throw UsageError(
        "--rotate, --mirror and --stabilize go with a SOURCE; browsers turn and mirror their own.")
    }
    options.sources = try arguments.operands.map { try source($0).adjusted(by: adjustment) }
    options.models = try arguments.model().map { [$0] } ?? []
    options.maximumSessionCount = try arguments.integer("sessions", within: 1...1000)
    options.maximumPersonCount = try arguments.integer("persons", within: 1...32)
    options.precision = try arguments.choice(
      "precision", default: HumanBodyPoseExtractor.Precision.full)
    options.precision.tellWhereMissing()
    options.isSmoothed = arguments.has("smooth")
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

  /// A source as a person types it; a file must be there.
  private static func source(_ text: String) throws -> LiveSource {
    let source = try LiveSource(text)
    if case .file(let url) = source, !FileManager.default.isReadableFile(atPath: url.path) {
      throw CommandFailure(
        .noInput, "\(text) is no file that can be read, no stream and no camera.")
    }
    return source
  }
}
