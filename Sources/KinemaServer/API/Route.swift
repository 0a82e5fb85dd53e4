/// An address under `/api/v1/`.
enum Route: Hashable, Sendable {
  case information
  case models
  case model(String)
  case history
  case session(Int)
  case export(Int)
  case recording(Int)
  case routines
  case profiles
  case profile(Int)
  case live
  /// What the named sources show, their events, and the newest picture of one.
  case state
  case events
  case picture(String)

  static let prefix = ["api", "v1"]

  /// Reads a path; `nil` where there is nothing at it.
  init?(_ path: String) {
    let parts = path.split(separator: "/").map(String.init)
    guard parts.starts(with: Self.prefix) else { return nil }
    let rest = Array(parts.dropFirst(Self.prefix.count))
    let id = rest.count > 1 ? Self.number(rest[1]) : nil
    switch (rest.first, rest.count) {
    case ("info", 1): self = .information
    case ("live", 1): self = .live
    case ("state", 1): self = .state
    case ("events", 1): self = .events
    case ("sources", 3) where rest[2] == "picture": self = .picture(rest[1])
    case ("routines", 1): self = .routines
    case ("profiles", 1): self = .profiles
    case ("profiles", 2):
      guard let id else { return nil }
      self = .profile(id)
    case ("models", 1): self = .models
    case ("models", 2): self = .model(rest[1])
    case ("history", 1): self = .history
    case ("history", 2):
      guard let id else { return nil }
      self = .session(id)
    case ("history", 3):
      guard let id, let route = ["export": Route.export(id), "recording": .recording(id)][rest[2]]
      else { return nil }
      self = route
    default: return nil
    }
  }

  var methods: [String] {
    switch self {
    case .information, .history, .export, .recording, .live, .state, .events, .picture:
      ["GET", "HEAD"]
    case .models, .profiles: ["GET", "HEAD", "POST"]
    case .profile: ["PATCH", "DELETE"]
    case .model: ["DELETE"]
    case .routines: ["GET", "HEAD", "PUT", "DELETE"]
    case .session: ["GET", "HEAD", "PATCH", "DELETE"]
    }
  }

  /// The number of a session or a profile, written as the server writes it.
  private static func number(_ text: String) -> Int? {
    guard let id = Int(text), id > 0, String(id) == text else { return nil }
    return id
  }
}
