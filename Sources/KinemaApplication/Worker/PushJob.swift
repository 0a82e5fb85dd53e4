import Foundation
import Kinema
import KinemaFiles

/// The job `push` of a worker: the people of frames that its client sends, what they do, how often and how
/// well; an answer a frame.
struct PushJob: WorkerJob {
  static let name = "push"
  @Option("MODEL", "The action classifier (default Exercise).")
  var model: NamedModel?
  var recognition = RecognitionOptions()
  @Flag("Do not count repetitions, nor measure their form.")
  var noCount: Bool
  var counting = CountingOptions()
  var scope = ScopeOptions()
  var subject = SubjectOptions()

  func run(_ request: WorkerRequest.Job, _ context: WorkerJobs.Context) async throws {
    guard request.input == nil else {
      throw UsageError("The job push has no input: send its frames.")
    }
    try take(request, model: .optional, operands: [])
    let classifier = try ActionClassifier(
      contentsOf: try model?.url ?? BuiltInModel.exercise.url)
    let subject = try subject.subject(classifier.joints)
    let scope = try scope.scope(of: subject)
    subject.settings.reportSubstitutes()
    var plan = PersonAnalysis.Plan(
      classifier: classifier, recognition: recognition.rules(of: classifier))
    if !subject.isOfHands, !noCount { plan.counting = counting.rules }
    plan.isLive = true
    var frames = WatchedFrames(context.answers)
    let name = "The frames"
    var run = SceneRun(
      .init(path: name, name: name, kind: .stream), plan, scope, isOfHands: subject.isOfHands,
      keepsPredictions: false)
    let stream = PosePool.shared(workerCount: 1).makeStream(subject)
    let reader = RawPictureReader()
    for await pushed in request.inbox.frames {
      let picture = try pushed.picture
      let time = pushed.time
      // The thread of the networks reads as well: nothing of it blocks others.
      let (size, poses, seconds) = try await stream.perform { finder in
        let frame = try reader.frame(picture)
        let start = ContinuousClock.now
        let poses = try finder.poses(in: frame, at: time)
        return ((frame.width, frame.height), poses, (ContinuousClock.now - start) / .seconds(1))
      }
      let frame = PosedFrame(at: time, of: name, size: size, poses: poses)
      let step = try run.add(frame)
      try frames.send(
        step, run.scene, at: time, aspectRatio: frame.aspectRatio, seconds: seconds)
    }
    try Task.checkCancellation()
    guard !request.inbox.hasOverflowed else {
      throw CommandFailure(
        .tryAgain,
        "More than \(WorkerInbox.limit) frames wait: send one when another is answered.")
    }
    let results = try run.finish()
    let summary = results.repetitions.first?.summary
    let result: JSONObject = [
      "schema": 1, "frames": frames.count, "count": noCount ? nil : summary?.repetitions.count ?? 0,
    ]
    StandardStreams.print(try result.jsonText())
  }
}
