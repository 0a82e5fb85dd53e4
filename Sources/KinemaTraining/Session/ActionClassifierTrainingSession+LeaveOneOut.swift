import KinemaNetwork

extension ActionClassifierTrainingSession {
  /// The takes to leave out in turn.
  var takeParts: [[Int]] {
    LeaveOneOut.parts(takes.clips.enumerated().map { (label: $1.label, group: takeGroups[$0]) })
  }

  /// Trains without some of the takes, in turn, and classifies those; `nil` without two takes of a
  /// class, and if paused.
  ///
  /// These trainings are half as long: they are for the confidence, not for use.
  ///
  /// - Parameter progress: Receives the completed share.
  func leaveOneOut(progress: (Double) -> Void) throws -> LeaveOneOut? {
    var parameters = parameters
    parameters.maximumIterations = max(1, parameters.maximumIterations / 2)
    var result = LeaveOneOut(takes: ConfusionMatrix(labels: labels))
    var probabilities: [[Float]] = []
    var truths: [Int] = []
    let parts = takeParts
    for (number, part) in parts.enumerated() {
      func windows(_ clips: [Int]) -> TrainingWindows {
        TrainingWindows(
          clips: clips.map { takes.clips[$0] }, joints: takes.joints, parameters: parameters)
      }
      let rest = windows(takes.clips.indices.filter { !part.contains($0) })
      let heldOut = windows(part)
      func present(_ windows: TrainingWindows) -> Set<Int> {
        Set(windows.windows.map { windows.label(of: $0) })
      }
      guard present(rest) == present(takes), !heldOut.windows.isEmpty else { continue }
      let session = try training(on: rest, parameters)
      let outcome = try session.fit { step in
        if isStopping { session.pause() }
        progress((Double(number) + step.fractionCompleted) / Double(parts.count))
      }
      guard let (trainer, _) = outcome else { return nil }
      let values = try trainer.probabilities(of: heldOut.windows.flatMap { heldOut.values(of: $0) })
      for (number, clip) in heldOut.clips.enumerated() {
        let own = heldOut.windows.indices.filter { heldOut.windows[$0].clip == number }.map {
          Array(values[($0 * labels.count)..<(($0 + 1) * labels.count)])
        }
        guard !own.isEmpty else { continue }
        let sums = labels.indices.map { label in own.reduce(0) { $0 + $1[label] } }
        result.takes.add(
          truth: clip.label, predicted: ActionClassifierEvaluation.likeliest(sums))
        probabilities += own
        truths += own.map { _ in clip.label }
      }
    }
    guard result.takes.total > 0 else { return nil }
    result.temperature = Temperature.softening(probabilities, labels: truths)
    return result
  }

  /// The group of each take: its person where the data name several in a class, else itself.
  private var takeGroups: [Int] {
    let people = takes.clips.map { $0.group }
    let areNamed = takes.hasPeople
    return takes.clips.indices.map { areNamed ? people[$0] ?? $0 : $0 }
  }
}
