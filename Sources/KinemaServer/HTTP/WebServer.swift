package import Foundation
import Glibc
import Synchronization

/// Serves an application over HTTP/1.1 and WebSockets, with or without TLS.
///
/// One thread of its own does all reading and writing; the application is asked in tasks. On a
/// loopback address nothing is asked of clients; on any other one only TLS is spoken and a token is
/// wanted. Whoever breaks the rules is refused or closed without the others noticing.
package final class WebServer: Sendable {
  /// Where the server is reached; with the port that was found where 0 was asked for.
  package let url: URL
  /// What clients must show; `nil` where nothing is asked.
  package let token: String?
  /// The certificate that TLS is spoken with, a PEM file; `nil` without TLS.
  package let certificate: URL?
  /// The SHA-256 of a certificate of the server's own making; `nil` without one.
  ///
  /// Whom a browser warns can tell by it that the certificate is this server's.
  package let selfSignedFingerprint: String?
  private let loop: ServiceLoop
  private let hasRun = Mutex(false)

  /// Binds to the address; clients that come before ``run()`` wait.
  ///
  /// - Throws: `ServerError`: `cannotListen` where the address or port cannot be had,
  ///   `badConfiguration` where the settings or the certificate will not do, `storage` where a
  ///   certificate cannot be kept.
  package init(
    configuration: Configuration, application: any WebApplication
  ) throws(ServerError) {
    guard (0...65535).contains(configuration.port) else {
      throw ServerError(
        .badConfiguration, "\(configuration.port) is not a port: give a number from 0 to 65535.")
    }
    let addresses = try ListeningAddress.resolve(configuration.host)
    let isLoopback = addresses.allSatisfy(\.isLoopback)
    let names = Self.names(configuration, addresses: addresses)
    let files = try Self.certificate(configuration, names: names, isLoopback: isLoopback)
    if let token = configuration.token, !Self.isUsable(token) {
      throw ServerError(
        .badConfiguration,
        "The token must have 16 characters or more, all of them letters, digits, -, . or _.")
    }
    let token = configuration.token ?? (isLoopback ? nil : Configuration.randomToken())
    let (descriptors, port) = try Self.listen(on: addresses, port: configuration.port)
    loop = try ServiceLoop(
      listening: descriptors, certificate: files, limits: configuration.limits,
      policy: AccessPolicy(hosts: Set(names), token: token, isSecure: files != nil),
      application: application)
    self.token = token
    certificate = files?.certificate
    selfSignedFingerprint =
      if case .files = configuration.security { nil } else { files?.fingerprint }
    url = Self.url(configuration.host, addresses: addresses, port: port, isSecure: files != nil)
  }

  /// The address for a browser: with the token, where there is one.
  package var addressToOpen: URL {
    guard let token else { return url }
    return url.appending(queryItems: [URLQueryItem(name: "token", value: token)])
  }

  /// How many connections there are.
  package var connectionCount: Int { loop.connectionCount }

  /// Serves until the task is cancelled or ``stop()`` is called.
  ///
  /// Then WebSockets are closed with 1001, answers under way get two seconds, and the application's
  /// tasks are cancelled.
  package func run() async throws {
    let isFirst = hasRun.withLock { hasRun in
      defer { hasRun = true }
      return !hasRun
    }
    guard isFirst else {
      throw ServerError(.cannotListen, "This server has run already: make another one.")
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let thread = Thread { [loop] in
          loop.run()
          continuation.resume()
        }
        thread.name = "kinema.network"
        thread.start()
      }
    } onCancel: {
      stop()
    }
    await tasksEnded()
  }

  /// Ends ``run()``; from any thread.
  package func stop() {
    loop.post(.stop)
  }

  /// Waits for the application's calls to return, but not for ever.
  private func tasksEnded() async {
    // In a task of its own: in a cancelled one sleeping would not wait.
    await Task.detached { [loop] in
      var waits = Int(ServiceLoop.stopTimeout / 0.02)
      while loop.taskCount > 0, waits > 0 {
        try? await Task.sleep(for: .milliseconds(20))
        waits -= 1
      }
    }.value
  }

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
    if !addresses.allSatisfy(\.isLoopback), let name = ListeningAddress.nameOfThisMachine() {
      names += [name, name + ".local"]
    }
    if addresses.contains(where: \.isWildcard) { names += ListeningAddress.ofThisMachine() }
    var seen: Set<String> = []
    return names.map { $0.lowercased() }.filter { !$0.isEmpty && seen.insert($0).inserted }
  }

  private static func certificate(
    _ configuration: Configuration, names: [String], isLoopback: Bool
  ) throws(ServerError) -> CertificateFiles? {
    switch configuration.security {
    case .automatic where isLoopback: return nil
    case .files(let certificate, let key):
      return try CertificateFiles(certificate: certificate, key: key)
    case .automatic, .selfSigned:
      guard let folder = configuration.certificateFolder else {
        throw ServerError(
          .badConfiguration,
          "A certificate of the server's own needs a folder to be kept in: give one.")
      }
      let required = configuration.allowedHosts.map { $0.lowercased() }
      return try CertificateFiles(selfSignedIn: folder, names: names, required: required)
    }
  }

  private static func listen(
    on addresses: [ListeningAddress], port: Int
  ) throws(ServerError) -> ([Int32], Int) {
    var descriptors: [Int32] = []
    var known = port
    var failure: ServerError?
    for address in addresses {
      do throws(ServerError) {
        let (descriptor, found) = try address.listen(port: known)
        descriptors.append(descriptor)
        known = found
      } catch {
        failure = failure ?? error
      }
    }
    // A name may have addresses, such as ::1, that this machine does not serve: one is enough, unless
    // somebody else is listening on another one.
    if let failure, descriptors.isEmpty || (port != 0 && failure.message.contains("in use")) {
      for descriptor in descriptors { close(descriptor) }
      throw failure
    }
    return (descriptors, known)
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
