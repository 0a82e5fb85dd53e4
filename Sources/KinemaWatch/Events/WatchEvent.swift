package import Foundation

/// Something that happened before a camera.
package struct WatchEvent: Hashable, Sendable {
  /// The kinds of events, as rules and receivers name them.
  package enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
    case actionBegins, actionLasts, actionEnds
    case countReached, setFinished, setRevised
    case personEnters, personLeaves, nobody
    case postureBegins, postureLasts, postureEnds
    case fall, lying
    case entersZone, leavesZone, staysInZone, crossesLine
    case sourceStale, sourceBack, sourcePaused, sourceResumed

    /// Whether it is about the source itself, not about people.
    package var isOfSource: Bool {
      switch self {
      case .sourceStale, .sourceBack, .sourcePaused, .sourceResumed: true
      default: false
      }
    }
  }

  package var kind: Kind
  /// When it happened, in seconds of the source.
  package var time: TimeInterval
  /// The id of the person, where it is about one.
  package var person: Int?
  /// The label of the action, where it is about one.
  package var action: String?
  /// How many repetitions there are.
  package var count: Int?
  /// The id of the person's set, where it is about one.
  package var set: Int?
  /// The label that the set had before.
  package var from: String?
  /// How long something has lasted, in seconds.
  package var seconds: TimeInterval?
  /// The person's posture, where it is about one.
  package var posture: WatchPosture?
  /// The zone that it is about.
  package var zone: String?
  /// The zones that the person is in, in the order of their names.
  package var zones: [String] = []
  /// The line that the person crosses, and whether they come in.
  package var line: String?
  package var isInward: Bool?
  /// Why it is a fall.
  package var reasons: FallReasons?
  /// What happened to the source, as a sentence.
  package var message: String?

  package init(
    _ kind: Kind, at time: TimeInterval, person: Int? = nil, action: String? = nil,
    count: Int? = nil, set: Int? = nil, from: String? = nil, seconds: TimeInterval? = nil,
    message: String? = nil
  ) {
    self.kind = kind
    self.time = time
    self.person = person
    self.action = action
    self.count = count
    (self.set, self.from) = (set, from)
    self.seconds = seconds
    self.message = message
  }
}
