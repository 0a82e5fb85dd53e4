/// A frame of a file or scene whose ids may still change.
package struct WaitingFrame<Payload: Sendable>: Sendable {
  /// The most frames that wait for those that follow: for the ids of their people, and for the end
  /// of encounters and gaps.
  package typealias WaitingLimits = (ids: Int, completion: Int)

  /// What waits with the people, such as the image.
  package var payload: Payload
  /// When the frame begins, in ticks of its source: equal in two segments that both have it.
  package let number: Int
  /// The same in seconds.
  package let time: Double
  let limits: WaitingLimits
  /// The people, in the order of their ids.
  package var people: [TrackedPerson]

  package init(
    number: Int, time: Double, people: [TrackedPerson], limits: WaitingLimits, payload: Payload
  ) {
    (self.number, self.time, self.limits) = (number, time, limits)
    (self.people, self.payload) = (people, payload)
  }

  /// The people alone.
  var withoutPayload: WaitingFrame<Void> {
    WaitingFrame<Void>(number: number, time: time, people: people, limits: limits, payload: ())
  }

  /// Orders the people by id.
  mutating func sortPeople() {
    people.sort { ($0.id ?? .max) < ($1.id ?? .max) }
  }
}
