/// Counts connections and requests by address, and says when it is enough.
struct Doorkeeper {
  /// Why a connection is turned away.
  enum Refusal { case full, tooMany, tooFast }

  private struct Guest {
    var connections = 0
    var arrivals: TokenBucket
    var requests: TokenBucket
  }

  private let limits: WebServer.Limits
  private var guests: [String: Guest] = [:]
  private var count = 0

  init(limits: WebServer.Limits) {
    self.limits = limits
  }

  /// Lets a connection in, and counts it until ``leave(_:)``, or says why not.
  mutating func enter(_ address: String, at now: Double) -> Refusal? {
    forgetQuiet(at: now)
    var guest = guests[address] ?? newGuest(at: now)
    defer { guests[address] = guest }
    guard guest.arrivals.take(at: now) else { return .tooFast }
    guard guest.connections < limits.connectionsPerAddress else { return .tooMany }
    guard count < limits.connections else { return .full }
    guest.connections += 1
    count += 1
    return nil
  }

  /// A connection has gone.
  mutating func leave(_ address: String) {
    count -= 1
    guests[address]?.connections -= 1
  }

  /// Whether an address may make a request now.
  mutating func allowsRequest(_ address: String, at now: Double) -> Bool {
    guests[address]?.requests.take(at: now) ?? true
  }

  /// Forgets addresses that have had their fill back, so that the table stays small.
  private mutating func forgetQuiet(at now: Double) {
    guard guests.count > 4 * limits.connections else { return }
    guests = guests.filter {
      $0.value.connections > 0 || !$0.value.arrivals.isFull(at: now)
        || !$0.value.requests.isFull(at: now)
    }
  }

  private func newGuest(at now: Double) -> Guest {
    Guest(
      arrivals: TokenBucket(
        rate: limits.newConnectionsPerSecond, burst: limits.newConnectionsBurst, at: now),
      requests: TokenBucket(
        rate: limits.requestsPerSecond, burst: limits.requestsBurst, at: now))
  }
}
