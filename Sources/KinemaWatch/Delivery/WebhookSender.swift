package import Foundation
import KinemaFiles
import KinemaVideo
import Synchronization

/// Sends the messages of an ``Outbox`` to a web server, one at a time, each until it is acknowledged
/// with a status of 200 to 299.
package final class WebhookSender: Sendable {
  /// The pauses between attempts, in seconds: each is twice the one before, and up to a fifth longer, so
  /// that many senders do not come at once.
  package struct Pauses: Sendable {
    package var first = 1.0
    package var longest = 60.0

    package init() {}
  }

  private static let timeout = 15.0

  private let webhook: WatchConfiguration.Webhook
  private let title: String
  private let outbox: Outbox
  private let pauses: Pauses
  private let report: @Sendable (String) -> Void
  private let task = Mutex<Task<Void, Never>?>(nil)

  /// - Parameter name: What messages add to “The webhook”.
  package init(
    _ webhook: WatchConfiguration.Webhook, named name: String, outbox: Outbox,
    pauses: Pauses = Pauses(),
    report: @escaping @Sendable (String) -> Void
  ) {
    self.webhook = webhook
    title = "The webhook\(name)"
    self.outbox = outbox
    self.pauses = pauses
    self.report = report
  }

  package func start() {
    task.withLock { task in task = task ?? Task { await self.run() } }
  }

  /// Ends after the attempt under way; what is not acknowledged stays in the outbox.
  package func stop() async {
    let task = task.withLock { $0 }
    task?.cancel()
    await task?.value
  }

  private func run() async {
    for await _ in outbox.arrivals {
      while !Task.isCancelled, let entry = outbox.take() {
        guard await deliver(entry) else {
          outbox.giveBack(entry)
          return
        }
        outbox.acknowledge(entry)
      }
    }
  }

  /// Sends a message until it is acknowledged or refused.
  ///
  /// - Returns: `false` where the task was cancelled before.
  private func deliver(_ entry: Outbox.Entry) async -> Bool {
    var pause = pauses.first
    var hasFailed = false
    while true {
      do {
        let request = HTTPPost(
          to: webhook.address, headers: headers(for: entry.body), body: entry.body,
          authorities: webhook.authorities)
        // Not interrupted by a cancellation: an answer on its way is waited for.
        try await BlockingThread.run { try request.send(timeout: Self.timeout) }
        if hasFailed { report("\(title) receives events again.") }
        return true
      } catch let error as HTTPPost.Failure where error.isRefusal {
        report("\(title) has refused an event (\(error)): it is dropped.")
        return true
      } catch {
        if !hasFailed { report("\(title) cannot be reached (\(error)): it is tried again.") }
        hasFailed = true
      }
      guard
        (try? await Task.sleep(for: .seconds(pause * Double.random(in: 1...1.2)))) != nil
      else { return false }
      pause = min(2 * pause, pauses.longest)
    }
  }

  private func headers(for body: Data) -> [String: String] {
    var headers = ["Content-Type": "application/json"]
    guard let secret = webhook.secret else { return headers }
    let time = String(Int(Date().timeIntervalSince1970))
    headers["X-Kinema-Timestamp"] = time
    headers["X-Kinema-Signature"] = Self.signature(of: body, at: time, secret: secret)
    return headers
  }

  /// The HMAC-SHA256 (RFC 2104) of the time stamp, a full stop and the body, in hexadecimal digits.
  package static func signature(of body: Data, at time: String, secret: String) -> String {
    "sha256="
      + ContentHash.hmacSHA256(of: Data("\(time).".utf8) + body, key: Data(secret.utf8))
  }
}
