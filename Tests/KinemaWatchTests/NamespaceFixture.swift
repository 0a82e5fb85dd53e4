import Foundation
import KinemaTestSupport
import Testing

/// A network namespace with a link to this machine, which whoever makes it removes.
final class Namespace {
  private static let ip = "/usr/sbin/ip"
  static let reason: Comment = "network namespaces need root and iproute2"
  /// Whether a namespace with a link can be made.
  static let isPossible: Bool = {
    guard geteuid() == 0, Helpers.hasMosquitto, FileManager.default.isExecutableFile(atPath: ip),
      let helpers = try? Helpers()
    else { return false }
    let namespace = Namespace(helpers, number: 0)
    defer { namespace.remove() }
    return (try? namespace.make()) != nil
  }()

  /// The address of what is in it.
  let address: String
  private let helpers: Helpers
  private let name: String
  private let link: String
  private let gateway: String
  private let network: String

  /// - Parameter number: Distinguishes namespaces of one process.
  init(_ helpers: Helpers, number: Int) {
    self.helpers = helpers
    let process = getpid()
    name = "kinema-\(process)-\(number)"
    // At most 15 characters.
    link = "kn\(process)-\(number)"
    // A range for measurements (RFC 2544), which no network routes.
    let range = "198.\(18 + process % 2).\(process / 2 % 256)"
    network = "\(range).\(4 * number)/30"
    (gateway, address) = ("\(range).\(4 * number + 1)", "\(range).\(4 * number + 2)")
  }

  func make() throws {
    // While the link is down, nothing else must answer for it.
    try run(["route", "replace", "unreachable", network, "metric", "9999"])
    try run(["netns", "add", name])
    try run(["link", "add", link, "type", "veth", "peer", "name", "inside", "netns", name])
    try run(["address", "add", "\(gateway)/30", "dev", link])
    try run(["-n", name, "address", "add", "\(address)/30", "dev", "inside"])
    try run(["-n", name, "link", "set", "lo", "up"])
    try run(["-n", name, "link", "set", "inside", "up"])
    try setLink("up")
    try run(["-n", name, "route", "add", "default", "via", gateway])
  }

  func setLink(_ state: String) throws { try run(["link", "set", link, state]) }

  func remove() {
    try? run(["route", "delete", "unreachable", network, "metric", "9999"])
    try? run(["link", "delete", link])
    try? run(["netns", "delete", name])
  }

  /// What a command begins with to run in the namespace.
  var command: [String] { [Self.ip, "netns", "exec", name] }

  private func run(_ arguments: [String]) throws {
    let process = try helpers.start(Self.ip, arguments)
    process.waitForEnd()
    try #require(process.terminationStatus == 0)
  }
}
