import Foundation
import Kinema
import KinemaFiles
import Synchronization

/// The job `watch` of a worker: the people of each frame, what they do and how often, as it happens.
struct WatchJob: WorkerJob {
  static let name = "watch"
  var classification = ClassifyCommand()
  @Flag("Do not count repetitions.")
  var noCount: Bool
  var counting = CountingOptions()

  func run(_ request: WorkerRequest.Job, _ context: WorkerJobs.Context) async throws {
    try take(request, model: .optional, operands: [try request.medium()])
    let classifier = try ActionClassifier(
      contentsOf: try classification.model?.url ?? BuiltInModel.exercise.url)
    let sources = try classification.sources(of: classifier)
    var plan = PersonAnalysis.Plan(
      classifier: classifier, recognition: classification.rules(of: classifier))
    if !sources.subject.isOfHands, !noCount { plan.counting = counting.rules }
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
        context.answers.send(frame: try Self.frame(step, scene, index: index, at: time))
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
      "activity": analysis?.activity?.rawValue,
      "set": analysis?.set.map { set -> JSONObject in
        [
          "id": set.id, "label": JSONObject.orNull(set.action), "kind": set.kind.rawValue,
          "repetitions": set.repetitions, "seconds": max(0, set.end - set.start),
        ]
      },
    ]
  }
}
