package import Foundation
import KinemaFiles
import KinemaVideo
import Synchronization

/// Sends the messages of an ``Outbox`` to a web server, each until it is acknowledged with a status of 200
/// to 299.
///
/// One at a time; those that the server has refused are sent again beside the others, one at a time as well.
package final class WebhookSender: Sendable {
  /// The pauses between attempts, in seconds: each is twice the one before, and up to a fifth longer, so
  /// that many senders do not come at once.
  package struct Pauses: Sendable {
    package var first = 1.0
    package var longest = 60.0

    package init() {}
  }

  /// How long an answer is waited for, in seconds.
  package static let timeout = 15.0

  private let webhook: WatchConfiguration.Webhook
  private let title: String
  private let outbox: Outbox
  private let pauses: Pauses
  private let timeout: TimeInterval
  private let report: @Sendable (String) -> Void
  private let outage = Mutex(OutageReport())
  private let tasks = Mutex<[Task<Void, Never>]>([])

  /// - Parameter name: What messages add to “The webhook”.
  package init(
    _ webhook: WatchConfiguration.Webhook, named name: String, outbox: Outbox,
    pauses: Pauses = Pauses(), timeout: TimeInterval = WebhookSender.timeout,
    report: @escaping @Sendable (String) -> Void
  ) {
    self.webhook = webhook
    title = "The webhook\(name)"
    self.outbox = outbox
    self.pauses = pauses
    self.timeout = timeout
    self.report = report
  }

  package func start() {
    tasks.withLock { tasks in
      guard tasks.isEmpty else { return }
      tasks = Outbox.Lane.allCases.map { lane in Task { await self.send(from: lane) } }
    }
  }

  /// Ends after the attempts under way; what is not acknowledged stays in the outbox.
  package func stop() async {
    let tasks = tasks.withLock { $0 }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  private func send(from lane: Outbox.Lane) async {
    var pause = pauses.first
    for await _ in outbox.arrivals(in: lane) {
      while !Task.isCancelled, let entry = outbox.take(from: lane) {
        do {
          try await deliver(entry.body)
          outbox.acknowledge(entry)
          if outage.withLock({ $0.received() }) { report("\(title) receives events again.") }
          pause = pauses.first
          continue
        } catch {
          let isRefused = (error as? HTTPPost.Failure)?.isRefusal ?? false
          outbox.giveBack(entry, to: isRefused ? .refused : lane)
          if outage.withLock({ $0.failed() }) {
            report("\(title) has not acknowledged an event (\(error)): it is sent again.")
          }
          // Others need not wait for it.
          if isRefused, lane == .regular { continue }
        }
        try? await Task.sleep(for: .seconds(pause * Double.random(in: 1...1.2)))
        pause = min(2 * pause, pauses.longest)
      }
    }
  }

  private func deliver(_ body: Data) async throws {
    let message = webhook.form.message(for: body)
    let request = HTTPPost(
      to: webhook.address, headers: headers(for: message), body: message.body,
      authorities: webhook.authorities)
    // Not interrupted by a cancellation: an answer on its way is waited for.
    try await BlockingThread.run { [timeout] in try request.send(timeout: timeout) }
  }

  private func headers(for message: WebhookForm.Message) -> [String: String] {
    var headers = message.headers.merging(webhook.headers) { $1 }
    guard let secret = webhook.secret else { return headers }
    let time = String(Int(Date().timeIntervalSince1970))
    headers["X-Kinema-Timestamp"] = time
    headers["X-Kinema-Signature"] = Self.signature(of: message.body, at: time, secret: secret)
    return headers
  }

  /// The HMAC-SHA256 (RFC 2104) of the time stamp, a full stop and the body, in hexadecimal digits.
  package static func signature(of body: Data, at time: String, secret: String) -> String {
    "sha256="
      + ContentHash.hmacSHA256(of: Data("\(time).".utf8) + body, key: Data(secret.utf8))
  }
}
