/// Counts connections and requests by address, and says when there are enough.
struct Doorkeeper {
  private struct Guest {
    var connections = 0
    var arrivals: TokenBucket
    var requests: TokenBucket
  }

  private let limits: WebServer.Limits
  private var guests: [String: Guest] = [:]
  private var count = 0

  init(limits: WebServer.Limits) { self.limits = limits }

  /// Whether an address may have another connection; it is counted until ``leave(_:)``.
  mutating func admits(_ address: String, at now: Double) -> Bool {
    forgetQuiet(at: now)
    var guest = guests[address] ?? newGuest(at: now)
    defer { guests[address] = guest }
    guard guest.arrivals.take(at: now), guest.connections < limits.connectionsPerAddress,
      count < limits.connections
    else { return false }
    guest.connections += 1
    count += 1
    return true
  }

  mutating func leave(_ address: String) {
    count -= 1
    guests[address]?.connections -= 1
  }

  mutating func allowsRequest(_ address: String, at now: Double) -> Bool {
    guests[address]?.requests.take(at: now) ?? true
  }

  /// Forgets addresses whose rates are full again, so that the table stays small.
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
      requests: TokenBucket(rate: limits.requestsPerSecond, burst: limits.requestsBurst, at: now))
  }
}
