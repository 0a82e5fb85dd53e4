import KinemaAction
import KinemaCounting

/// That a person's set has another name than before.
struct SetRevisedMessage: ServerMessage, Hashable {
  let type = "setRevised"
  var person: Int
  var set: Int
  var from: String
  var to: String
  /// The name for people.
  var text: String
  /// How many repetitions have the new name from now on.
  var repetitions: Int
  /// The set that it becomes a part of; missing where it stays one of its own.
  var joined: Int?

  init(_ revision: SetRevision, of person: Int) {
    (self.person, set, joined) = (person, revision.set, revision.joined)
    (from, to, repetitions) = (revision.from, revision.to, revision.repetitions)
    text = ActionPrediction.displayName(of: revision.to)
  }
}
