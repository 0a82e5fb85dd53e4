/// The classes that the library's motions belong to: five exercises, and everything else.
package enum ActionClass: String, CaseIterable, Codable, Sendable {
  /// Feet apart and arms up, feet together and arms down.
  case jumpingJacks = "jumping_jacks"
  /// A long step, forwards, backwards or to the side, and down on it.
  case lunges
  /// Down to a plank and up again, often with a push-up and a jump.
  case burpees
  /// Down with a bent trunk and up again, feet in place.
  case squats
  /// The chest to the floor and up again, straight from head to heel or knee.
  case pushUps = "push_ups"
  /// Everything else that people do, other exercises included.
  case other = "other_action"
}
