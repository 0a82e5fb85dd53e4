import Foundation
import Kinema
import KinemaFiles
import Synchronization

/// The job `watch` of a worker: the people of each frame, what they do and how often, as it happens.
enum WatchJob {
  private static let options = """
    \(ClassifyCommand.options)
    --no-count  Do not count repetitions.
    --pairs  Count left and right as one where a movement changes sides.
    --method METHOD  How to count: auto (default), network or signal.
    """

  static func run(_ job: WorkerRequest.Job, _ medium: String, _ answers: WorkerAnswers) async throws
  {
    let arguments = try Arguments(
      try job.words(["model": job.model]) + ["--", medium], options: Option.table(options))
    let classifier = try ActionClassifier(
      contentsOf: try arguments.model() ?? BuiltInModel.exercise.url)
    let sources = try SceneSources(
      arguments, subject: PoseSubject(arguments, joints: classifier.joints))
    var plan = PersonAnalysis.Plan(
      classifier: classifier, recognition: try ClassifyCommand.rules(of: classifier, arguments))
    if !sources.subject.isOfHands, !arguments.has("no-count") {
      plan.counting = try CountCommand.rules(arguments)
    }
    plan.isLive = true
    let frameCount = Mutex(0)
    try await sources.forEach { [plan] input in
      var last = -Double.infinity
      return SceneRun(
        input, plan, sources.scope, isOfHands: sources.subject.isOfHands, keepsPredictions: false
      ) { step, scene, time in
        // What the end of a source gives has no frame.
        guard time > last else { return }
        last = time
        let index = frameCount.withLock { count in
          defer { count += 1 }
          return count
        }
        answers.send(frame: try frame(step, scene, index: index, at: time))
      }
    } report: { results in
      let result: JSONObject = [
        "schema": 1, "video": results.input.path, "frames": frameCount.withLock { $0 },
      ]
      StandardStreams.print(try result.jsonText())
    }
  }

  private static func frame(
    _ step: SceneAnalysis.Step, _ scene: SceneAnalysis, index: Int, at time: Double
  ) throws -> Data {
    let prominent = step.prominent?.personID
    let others: JSONObject? =
      scene.scope == .everybody
      ? ["everybody": scene.personIDs.map { figures(of: $0, in: scene, person: $0) }] : nil
    let own = figures(of: prominent ?? scene.prominentID, in: scene, prominent: prominent)
    // One object of three, whose members have different names.
    let parts =
      [
        PoseSequence.Frame(time: time, poses: step.poses).jsonLine(index: index),
        try own.jsonText(isPretty: false).dropLast(),
      ] + (try others.map { [try $0.jsonText(isPretty: false).dropLast()] } ?? [])
    let members = parts.map { $0.dropFirst().dropLast() }
    return Data("{".utf8) + members.joined(separator: Data(",".utf8)) + Data("}".utf8)
  }

  private static func figures(
    of id: Int?, in scene: SceneAnalysis, person: Int? = nil, prominent: Int?? = nil
  ) -> JSONObject {
    let analysis = scene[id]
    let action = analysis?.prediction.map { ClassificationReport.Window($0).json }
    return [
      "person": person, "prominent": prominent.map { JSONObject.orNull($0) },
      "action": JSONObject.orNull(action),
      "count": analysis?.counter == nil ? nil : analysis?.count,
      "counts": analysis?.counter?.counts,
    ]
  }
}
