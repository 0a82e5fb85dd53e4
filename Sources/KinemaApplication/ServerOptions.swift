import Foundation
import Glibc
import Kinema
import KinemaFiles
import KinemaHTTP
import KinemaServer

/// The server of `kinema live` and `kinema studio`.
struct ServerOptions: OptionGroup {
  @Option("DIRS", "Folders whose videos projects may use, separated by commas (default: this one).")
  var folder = ["."]
  @Option("MODEL", "The action classifier at the start (default Exercise).")
  var model: NamedModel?
  @Option("ADDRESS", "The address to listen on.")
  var host = "127.0.0.1"
  @Option("N", "The port (default 8642; 0 takes any that is free).", 0...65535)
  var port: Int?
  @Option("NAMES", "Additional host names, separated by commas.")
  var name: [String]?
  @Option("TOKEN", "Access token, which other users can see; see --token-file.")
  var token: String?
  @Option(
    "FILE", "A file with the access token (default: KINEMA_TOKEN, else random, none on loopback).")
  var tokenFile: URL?
  @Option("FILE", "The TLS certificate, PEM (default: self-signed).")
  var certificate: URL?
  @Option("FILE", "The certificate's key, PEM.")
  var key: URL?
  @Flag("Use TLS on loopback, too.")
  var tls: Bool
  @Option("N", "At most N sessions (default 4 per processor).", 1...1000)
  var sessions: Int?
  @Option("N", "At most N people per session (default 6).", 1...32)
  var persons: Int?
  @Option("P", NetworkPrecision.help)
  var precision = NetworkPrecision.full
  @Option("DEVICE", NetworkDevice.help)
  var device = NetworkDevice.cpu
  @Flag("Smooth the joints, for drawing.")
  var smooth: Bool
  @Option("FOLDER", "Folder of history, uploaded models and certificates.")
  var data: FolderPath?
  @Flag("Decode files in the server itself, on a machine without seccomp.")
  var noSandbox: Bool
  @Flag("Disable video recording.")
  var noRecording: Bool

  /// In bytes.
  private static let longestToken = 1024

  func options() throws -> LiveServer.Options {
    var options = LiveServer.Options()
    options.version = Application.version
    for folder in folder where !FileManager.default.fileExists(atPath: folder) {
      throw CommandFailure(.noInput, "There is no folder \(folder): check --folder.")
    }
    if !noSandbox {
      MediaChildren(executable: InstalledResource.executable).decodeForThisProcess()
    }
    options.importFolders = folder.map { URL(filePath: $0) }
    options.models = model.map { [$0.url] } ?? []
    options.live.maximumSessionCount = sessions ?? options.live.maximumSessionCount
    options.live.maximumPersonCount = persons ?? options.live.maximumPersonCount
    options.live.settings = NetworkSettings(precision: precision, device: device)
    options.live.settings.reportSubstitutes()
    options.live.isSmoothed = smooth
    options.isRecordingAllowed = !noRecording
    options.data = data?.url ?? options.data
    options.web.host = host
    options.web.port = port ?? options.web.port
    options.web.allowedHosts = name ?? []
    options.web.token = try accessToken()
    switch (certificate, key) {
    case (let certificate?, let key?):
      options.web.security = .files(certificate: certificate, key: key)
    case (nil, nil): options.web.security = tls ? .selfSigned : .automatic
    default: throw UsageError("--certificate and --key go together.")
    }
    return options
  }

  /// The token of the file, the environment or the command line.
  private func accessToken() throws -> String? {
    if let token {
      guard tokenFile == nil else { throw UsageError("Give --token-file or --token, not both.") }
      StandardStreams.printMessage(
        "kinema: other users of this computer can see --token: use --token-file or KINEMA_TOKEN.")
      return token
    }
    guard let tokenFile else {
      return ProcessInfo.processInfo.environment["KINEMA_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
    }
    guard let file = try? FileHandle(forReadingFrom: tokenFile),
      let content = try? file.read(upToCount: Self.longestToken) ?? Data()
    else { throw CommandFailure(.noInput, "\(tokenFile.path) cannot be read: check --token-file.") }
    // The server checks its characters.
    return String(decoding: content, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Serves until the command is interrupted.
  ///
  /// - Parameter page: The words before the address to open, the page's path below it and its
  ///   fragment.
  func serve(
    _ options: LiveServer.Options,
    page: (LiveServer) -> (words: String, path: String?, fragment: String?)
  ) async throws {
    // What it keeps of people is for its owner alone.
    umask(0o077)
    PrivateFolder.removeLeftovers()
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
}
