package import Foundation

/// Something that happened before a camera.
package struct WatchEvent: Hashable, Sendable {
  /// The kinds of events, as rules and receivers name them.
  package enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
    case actionBegins, actionLasts, actionEnds
    case countReached, setFinished, setRevised
    case personEnters, personLeaves, nobody
    case fall, lying
    case sourceStale, sourceBack
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
