package import Foundation
import Glibc

/// Serves an application over HTTP/1.1 and WebSockets, with or without TLS.
///
/// A thread accepts connections, and each connection has a thread of its own; the application is called in
/// tasks. On a loopback address clients need nothing; on any other one TLS and a token are required. A
/// client that breaks the rules is refused or closed without effect on the others.
package final class WebServer: Sendable {
  /// Where the server is reached; with the port that was found where 0 was asked for.
  package let url: URL
  /// The token that clients must send; `nil` where none is needed.
  package let token: String?
  /// The certificate of TLS, a PEM file; `nil` without TLS.
  package let certificate: URL?
  /// The SHA-256 of a self-signed certificate, by which a user can recognise it when the browser warns;
  /// `nil` without one.
  package let selfSignedFingerprint: String?
  private let core: ServerCore
  private let acceptor: Acceptor

  /// Binds to the address; clients that connect before ``run()`` wait.
  ///
  /// - Throws: `HTTPError`: `cannotListen` where the address or port is not available,
  ///   `badConfiguration` where the settings or the certificate cannot be used, `storage` where a
  ///   certificate cannot be written.
  package init(
    configuration: Configuration, application: any WebApplication
  ) throws(HTTPError) {
    guard (0...65535).contains(configuration.port) else {
      throw HTTPError(
        .badConfiguration, "\(configuration.port) is not a port: give a number from 0 to 65535.")
    }
    let addresses = try ListeningAddress.resolve(configuration.host)
    let isLoopback = addresses.allSatisfy(\.isLoopback)
    let names = Self.names(configuration, addresses: addresses)
    let files = try Self.certificate(configuration, names: names, isLoopback: isLoopback)
    if let token = configuration.token, !Self.isUsable(token) {
      throw HTTPError(
        .badConfiguration,
        "The token must have 16 characters or more, all of them letters, digits, -, . or _.")
    }
    let token = configuration.token ?? (isLoopback ? nil : Configuration.randomToken())
    let listeners = try Self.listen(on: addresses, port: configuration.port)
    core = ServerCore(
      limits: configuration.limits,
      policy: AccessPolicy(hosts: Set(names), token: token, isSecure: files != nil),
      application: application, tls: files?.tls)
    acceptor = Acceptor(listeners: listeners, core: core)
    self.token = token
    certificate = files?.certificate
    selfSignedFingerprint =
      if case .files = configuration.security { nil } else { files?.tls.fingerprint }
    url = Self.url(
      configuration.host, addresses: addresses, port: listeners[0].port, isSecure: files != nil)
  }

  /// The address for a browser: with the token, where there is one.
  package var addressToOpen: URL {
    guard let token else { return url }
    return url.appending(queryItems: [URLQueryItem(name: "token", value: token)])
  }

  package var connectionCount: Int { core.connectionCount }

  /// Serves until the task is cancelled or ``stop()`` is called.
  ///
  /// Then WebSockets are closed with 1001, the tasks that serve them cancelled, and answers under way
  /// get two seconds.
  package func run() async throws {
    guard !core.isStopping else {
      throw HTTPError(.cannotListen, "This server has stopped: make another one.")
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let thread = Thread { [acceptor] in
          acceptor.run()
          continuation.resume()
        }
        thread.name = "kinema.network"
        thread.start()
      }
    } onCancel: {
      stop()
    }
  }

  /// Ends ``run()``; from any thread.
  package func stop() { acceptor.stop() }

  // MARK: Setting up

  private static func isUsable(_ token: String) -> Bool {
    token.utf8.count >= 16
      && token.utf8.allSatisfy {
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
          || "-._".utf8.contains($0)
      }
  }

  /// The names that the server answers to, in lower case.
  private static func names(
    _ configuration: Configuration, addresses: [ListeningAddress]
  ) -> [String] {
    var names = ["localhost", "127.0.0.1", "::1"]
    names += addresses.map(\.text)
    names.append(configuration.host.trimmingCharacters(in: ["[", "]"]))
    names += configuration.allowedHosts
    if !addresses.allSatisfy(\.isLoopback) {
      let name = ProcessInfo.processInfo.hostName
      names += [name, name + ".local"]
    }
    if addresses.contains(where: \.isWildcard) { names += ListeningAddress.ofThisMachine() }
    var seen: Set<String> = []
    return names.map { $0.lowercased() }.filter { !$0.isEmpty && seen.insert($0).inserted }
  }

  private static func certificate(
    _ configuration: Configuration, names: [String], isLoopback: Bool
  ) throws(HTTPError) -> CertificateFiles? {
    switch configuration.security {
    case .automatic where isLoopback: return nil
    case .files(let certificate, let key):
      return try CertificateFiles(certificate: certificate, key: key)
    case .automatic, .selfSigned:
      guard let folder = configuration.certificateFolder else {
        throw HTTPError(
          .badConfiguration,
          "A self-signed certificate needs a folder: give one.")
      }
      let required = configuration.allowedHosts.map { $0.lowercased() }
      return try CertificateFiles(selfSignedIn: folder, names: names, required: required)
    }
  }

  /// - Returns: At least one socket; all have the same port.
  private static func listen(
    on addresses: [ListeningAddress], port: Int
  ) throws(HTTPError) -> [ListeningSocket] {
    var sockets: [ListeningSocket] = []
    var failure: HTTPError?
    for address in addresses {
      do throws(HTTPError) {
        sockets.append(try address.listen(port: sockets.first?.port ?? port))
      } catch {
        failure = failure ?? error
      }
    }
    // A name may have addresses, such as ::1, that this machine does not serve: one is enough, unless
    // another program listens on the others.
    if let failure, sockets.isEmpty || (port != 0 && failure.message.contains("in use")) {
      throw failure
    }
    return sockets
  }

  private static func url(
    _ host: String, addresses: [ListeningAddress], port: Int, isSecure: Bool
  ) -> URL {
    var name = host.trimmingCharacters(in: ["[", "]"])
    if let wildcard = addresses.first(where: \.isWildcard) {
      let own = ListeningAddress.ofThisMachine().filter {
        !$0.hasPrefix("127.") && $0 != "::1" && !$0.hasPrefix("fe80:")
      }
      name = own.first { !$0.contains(":") } ?? own.first ?? wildcard.text
    }
    if name.contains(":") { name = "[\(name)]" }
    let scheme = isSecure ? "https" : "http"
    return URL(string: "\(scheme)://\(name):\(port)/") ?? URL(filePath: "/")
  }
}
