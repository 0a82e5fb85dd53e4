import KinemaAction
import KinemaCoach

/// The form of the prominent person's last repetition.
package struct FormMessage: ServerMessage, Hashable {
  let type = "form"
  /// Which of the session's measured repetitions it is, from 1.
  package var number: Int
  package var label: String
  var text: String
  @Nullable var view: String?
  var verdict: String
  @Nullable var joint: String?
  @Nullable var bottom: Double?
  @Nullable var top: Double?
  @Nullable var range: Double?
  @Nullable var down: Double?
  @Nullable var hold: Double?
  @Nullable var up: Double?
  @Nullable var difference: Double?
  var isOneSided: Bool
  /// What to say now; `nil` for nothing.
  @Nullable package var cue: String?
  /// The joint that the cue is about; left out without one.
  var focus: String?
  /// How long before the newest frame the repetition began and ended, in seconds.
  var ago: [Double]

  /// - Parameter time: The session time of the newest frame, in seconds.
  init(_ repetition: MeasuredRepetition, number: Int, at time: Double) {
    let values = repetition.values
    self.number = number
    label = repetition.label
    text = ActionPrediction.displayName(of: label)
    view = repetition.view?.rawValue
    verdict = repetition.verdict.rawValue
    joint = values.joint?.rawValue
    (bottom, top) = (values.bottom?.rounded(places: 1), values.top?.rounded(places: 1))
    range = values.range?.rounded(places: 1)
    (down, hold) = (values.down?.rounded(places: 2), values.hold?.rounded(places: 2))
    (up, difference) = (values.up?.rounded(places: 2), values.difference?.rounded(places: 1))
    isOneSided = values.isOneSided
    cue = repetition.say
    focus = repetition.say == nil ? nil : repetition.focus?.rawValue
    ago = [repetition.start, repetition.end].map { max(0, time - $0).rounded(places: 2) }
  }
}
