import Foundation
import Kinema

/// Classifies what a model is for: the prominent person, or each hand for itself.
struct SubjectRecognizer {
  let classifier: ActionClassifier
  let frameRate: Double
  private let isOfHands: Bool
  private var person: ActionRecognizer
  private var hands: ActionRecognizerGroup

  init(_ recognizer: ActionRecognizer, isOfHands: Bool) {
    classifier = recognizer.classifier
    frameRate = recognizer.frameRate
    self.isOfHands = isOfHands
    person = recognizer
    hands = ActionRecognizerGroup(recognizer)
  }

  /// Takes the next frame and gives the predictions for the windows that it completes.
  mutating func add(
    _ poses: [Pose], prominent: Pose?, at time: TimeInterval
  ) throws -> [ActionPrediction] {
    isOfHands ? try hands.add(poses, at: time) : try person.add(prominent, at: time)
  }

  /// Gives the predictions for what does not fill a window.
  mutating func finish() throws -> [ActionPrediction] {
    isOfHands ? try hands.finish() : try person.finish()
  }

  /// What stands on the picture after a frame: the newest of the person's predictions, or of the
  /// largest hand's.
  func caption(
    after caption: Caption, _ predictions: [ActionPrediction], of prominent: Pose?
  ) -> Caption {
    guard isOfHands else { return predictions.last.map { Caption($0) } ?? caption }
    guard let prominent else { return Caption(text: "No Hand", detail: Caption.noPerson.detail) }
    let own = predictions.last { $0.personID == prominent.personID ?? 1 }
    return own.map { Caption($0) } ?? (caption.text == "No Hand" ? .startingUp : caption)
  }
}

extension Caption {
  /// What the sample app shows for a prediction.
  init(_ prediction: ActionPrediction) {
    switch prediction.status {
    case .noPerson: self = .noPerson
    case .lowConfidence: self = .lowConfidence(Float(prediction.confidence))
    case .action: self.init(label: prediction.label, confidence: Float(prediction.confidence))
    }
  }
}
