/// Counts connections and requests by address, and says when there are enough.
struct ConnectionLimiter {
  /// Who makes a request; each kind has a rate of its own, so that none takes another's.
  enum Visitor: Hashable {
    case stranger
    /// Sends the server's token, or needs none.
    case tokenHolder
    /// Asks whether the server is healthy.
    case healthCheck
  }

  enum Admission {
    case admitted
    /// The address, or the server, has as many connections as it may have.
    case isCrowded(ofAddress: Bool)
    /// The address opens connections too fast.
    case tooFast
  }

  private struct Guest {
    var connections = 0
    var arrivals: TokenBucket
    /// Further connections while someone with the token is connected from the same address.
    var neighbours: TokenBucket
    var requests: [Visitor: TokenBucket] = [:]
  }

  private let limits: WebServer.Limits
  private var guests: [String: Guest] = [:]
  private var count = 0

  init(limits: WebServer.Limits) { self.limits = limits }

  /// Whether an address may have another connection; where admitted, ``enter(_:)`` counts it.
  ///
  /// - Parameter hasTokenHolder: Whether someone with the token is connected from the address.
  mutating func admission(
    of address: String, hasTokenHolder: Bool, at now: Double
  ) -> Admission {
    forgetQuiet(at: now)
    var guest =
      guests[address] ?? Guest(arrivals: arrivals(1, at: now), neighbours: arrivals(10, at: now))
    defer { guests[address] = guest }
    guard guest.arrivals.take(at: now) || hasTokenHolder && guest.neighbours.take(at: now) else {
      return .tooFast
    }
    if guest.connections >= limits.connectionsPerAddress { return .isCrowded(ofAddress: true) }
    return count < limits.connections ? .admitted : .isCrowded(ofAddress: false)
  }

  /// The rate of new connections, or a multiple of it.
  private func arrivals(_ factor: Double, at now: Double) -> TokenBucket {
    TokenBucket(
      rate: factor * limits.newConnectionsPerSecond, burst: factor * limits.newConnectionsBurst,
      at: now)
  }

  /// Counts a connection until ``leave(_:)``.
  mutating func enter(_ address: String) {
    count += 1
    guests[address]?.connections += 1
  }

  func connectionCount(of address: String) -> Int { guests[address]?.connections ?? 0 }

  mutating func leave(_ address: String) {
    count -= 1
    guests[address]?.connections -= 1
  }

  mutating func allowsRequest(
    _ address: String, of visitor: Visitor, at now: Double
  ) -> Bool {
    guard guests[address] != nil else { return true }
    let factor = visitor == .tokenHolder ? 10.0 : 1
    let full = TokenBucket(
      rate: factor * limits.requestsPerSecond, burst: factor * limits.requestsBurst, at: now)
    return guests[address]?.requests[visitor, default: full].take(at: now) ?? true
  }

  /// Forgets addresses whose rates are full again, so that the table stays small.
  private mutating func forgetQuiet(at now: Double) {
    guard guests.count > 4 * limits.connections else { return }
    guests = guests.filter {
      $0.value.connections > 0 || !$0.value.arrivals.isFull(at: now)
        || !$0.value.neighbours.isFull(at: now)
        || !$0.value.requests.values.allSatisfy { $0.isFull(at: now) }
    }
  }
}
