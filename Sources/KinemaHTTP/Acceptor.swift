import Foundation
import Glibc
import Synchronization

/// Accepts connections, and gives each a thread of its own.
final class Acceptor: Sendable {
  /// How long what is under way may take once the server stops, in seconds.
  static let stopTimeout = 2.0

  private let listeners: Mutex<[ListeningSocket]>
  private let core: ServerCore
  private let bell = Bell()

  init(listeners: [ListeningSocket], core: ServerCore) {
    self.listeners = Mutex(listeners)
    self.core = core
  }

  /// Ends ``run()``; from any thread.
  func stop() {
    core.stop()
    bell.ring()
  }

  /// Accepts connections until ``stop()``, then waits for those and for the calls under way.
  func run() {
    // OpenSSL's writes to a connection that broke must fail rather than end the process.
    signal(SIGPIPE, SIG_IGN)
    acceptClients()
    listeners.withLock { $0 = [] }
    wait { core.connectionCount == 0 }
    core.shutDown()
    wait { core.connectionCount == 0 && core.taskCount == 0 }
  }

  /// Waits until something holds, for the time that stopping may take.
  private func wait(until holds: () -> Bool) {
    let end = SteadyClock.reading() + Self.stopTimeout
    while !holds(), SteadyClock.reading() < end { usleep(10_000) }
  }

  private func acceptClients() {
    var entries = (listeners.withLock { $0.map(\.descriptor) } + [bell.descriptor])
      .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while !core.isStopping {
      poll(&entries, nfds_t(entries.count), -1)
      for entry in entries.dropLast() where entry.revents != 0 {
        // Without free descriptors no client can be accepted or refused: try again in a moment.
        if !acceptClients(at: entry.fd) { usleep(250_000) }
      }
    }
  }

  /// - Returns: `false` where the process has no descriptors left.
  private func acceptClients(at listener: Int32) -> Bool {
    for _ in 0..<64 {
      let client = accept(listener, nil, nil)
      guard client >= 0 else { return errno != EMFILE && errno != ENFILE }
      _ = fcntl(client, F_SETFD, FD_CLOEXEC)
      _ = fcntl(client, F_SETFL, O_NONBLOCK)
      guard !isClosed(client) else {
        close(client)
        continue
      }
      let address = ListeningAddress.owner(of: client)
      guard core.admits(address) else {
        refuse(client)
        continue
      }
      guard
        let stream = ClientStream(client, tls: core.tls, silenceTimeout: core.limits.silenceTimeout)
      else { continue }
      core.add(stream, from: address)
      let thread = Thread { [core] in
        Connection(stream: stream, address: address, core: core).run()
        core.remove(stream)
      }
      thread.name = "kinema.client"
      thread.stackSize = 512 << 10
      thread.start()
    }
    return true
  }

  /// Whether a client has gone before it was accepted; it then takes nothing of its address's rate.
  private func isClosed(_ client: Int32) -> Bool {
    var byte: UInt8 = 0
    return recv(client, &byte, 1, Int32(MSG_PEEK)) == 0
  }

  /// Closes a connection, with a reason where no encryption is needed.
  private func refuse(_ client: Int32) {
    if core.tls == nil {
      let response = HTTPResponse.failure(503, code: "busy", MessageText("tooManyConnections"))
      let prepared = PreparedResponse(response, to: nil, keepsAlive: false)
      if case .data(let body) = prepared.body {
        _ = (prepared.head + body).withUnsafeBytes {
          send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
      }
      shutdown(client, Int32(SHUT_WR))
    }
    close(client)
  }
}
