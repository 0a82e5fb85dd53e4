import Foundation
import Kinema
import KinemaFiles
import Synchronization

/// The job `watch` of a worker: the people of each frame, what they do, how often and how well, as it happens.
struct WatchJob: WorkerJob {
  static let name = "watch"
  var classification = ClassifyCommand()
  @Flag("Do not count repetitions, nor measure their form.")
  var noCount: Bool
  var counting = CountingOptions()

  func run(_ request: WorkerRequest.Job, _ context: WorkerJobs.Context) async throws {
    try take(request, model: .optional, operands: [try request.medium()])
    let classifier = try ActionClassifier(
      contentsOf: try classification.model?.url ?? BuiltInModel.exercise.url)
    let sources = try classification.sources(of: classifier, isOfFrames: true)
    var plan = PersonAnalysis.Plan(
      classifier: classifier, recognition: classification.recognition.rules(of: classifier))
    if !sources.subject.isOfHands, !noCount { plan.counting = counting.rules }
    plan.isLive = true
    let frames = Mutex(WatchedFrames(context.answers))
    let failure = try await sources.forEach { [plan] input in
      SceneRun(
        input, plan, sources.scope, isOfHands: sources.subject.isOfHands, keepsPredictions: false
      ) { step, scene, frame in
        // What the end of a source gives has no frame.
        guard let frame else { return }
        try frames.withLock {
          try $0.send(step, scene, at: frame.time, aspectRatio: frame.aspectRatio)
        }
      }
    } report: { results in
      let result: JSONObject = [
        "schema": 1, "video": results.input.path, "frames": frames.withLock { $0.count },
      ]
      StandardStreams.print(try result.jsonText())
    }
    if let failure { throw failure }
  }
}
