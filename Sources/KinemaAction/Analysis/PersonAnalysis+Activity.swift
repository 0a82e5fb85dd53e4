package import KinemaCounting
import KinemaPose

extension PersonAnalysis {
  /// What a person is occupied with, by their sets and their posture.
  package enum Activity: String, Codable, Hashable, Sendable {
    /// An exercise, or repetitions that have no name yet.
    case set
    /// Nothing in particular: getting ready, or resting between sets.
    case ready
    /// Walking, running or lying, as the posture says.
    case everyday
  }

  /// The set under way; `nil` at rest, without a classifier, and where nothing is counted.
  package var set: ExerciseSet? { recognizer == nil ? nil : counter?.currentSet }

  /// What the visible person is occupied with; `nil` before the first window, where too little of the person
  /// is visible, and for a model without exercises.
  package var activity: Activity? {
    guard let classifier = recognizer?.classifier, classifier.hasExercises,
      classifier.joints == JointKey.body, isVisible, let prediction, prediction.status != .noPerson
    else { return nil }
    if counter == nil ? isExercise(prediction) : set != nil { return .set }
    let kind = prediction.posture?.kind
    return kind?.isLocomotion == true || kind?.isLying == true ? .everyday : .ready
  }

  /// What an everyday occupation is called.
  package var everydayLabel: String? {
    activity == .everyday ? prediction?.posture?.kind.label : nil
  }

  /// What the person does where it is no set: a label of the model that is not everything else; `nil` for none.
  ///
  /// Labels that are postures are read off the posture, which is right far more often than a classifier
  /// (docs/benchmarks.md, “Postures”), and no other label where the person only holds a posture.
  package var everydayAction: String? {
    guard let classifier = recognizer?.classifier, let prediction else { return nil }
    let kinds = classifier.labelKinds
    let label = prediction.status == .action ? prediction.topLabel : nil
    guard let posture = prediction.posture else {
      return label.flatMap { kinds.isEverythingElse($0) ? nil : $0 }
    }
    if posture.plainness < 0.5, let label, kinds[label] == .timed, !kinds.isExercise(label),
      HumanBodyPosture.Kind(rawValue: label) == nil
    {
      return label
    }
    return posture.kind.label.flatMap { classifier.labels.contains($0) ? $0 : nil }
  }

  private func isExercise(_ prediction: ActionPrediction) -> Bool {
    guard prediction.status == .action, let label = prediction.topLabel else { return false }
    return recognizer?.classifier.labelKinds.isExercise(label) ?? false
  }
}
