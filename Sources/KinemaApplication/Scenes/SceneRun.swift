import Foundation
import Kinema
import KinemaReport

/// The analysis of one input, frame by frame.
struct SceneRun {
  /// Takes what a frame gave, as it happens, and what the end gave, which has no frame.
  typealias Observer =
    (_ step: SceneAnalysis.Step, _ scene: SceneAnalysis, _ frame: PosedFrame?) throws -> Void

  private(set) var scene: SceneAnalysis
  private var results: SceneResults
  private let keepsPredictions: Bool
  private let observer: Observer?
  private var rate = FrameRateCheck()
  /// The frame rate of the model, where there is one.
  private let modelRate: Double?

  /// Without `keepsPredictions`, only the observer receives the predictions.
  init(
    _ input: SceneResults.Input, _ plan: PersonAnalysis.Plan, _ scope: SceneAnalysis.Scope,
    isOfHands: Bool = false, keepsPredictions: Bool = true, observer: Observer? = nil
  ) {
    scene = SceneAnalysis(
      plan, scope: scope,
      memory: isOfHands ? SceneAnalysis.handMemory : SceneAnalysis.memory)
    results = SceneResults(input: input, isOfHands: isOfHands, isOfEverybody: scope == .everybody)
    self.keepsPredictions = keepsPredictions
    self.observer = observer
    modelRate = plan.classifier?.frameRate
  }

  mutating func add(_ frame: PosedFrame) throws -> SceneAnalysis.Step {
    let step = try scene.add(frame.poses, at: frame.time, aspectRatio: frame.aspectRatio)
    rate.add(frame.time)
    let first = results.timeRange?.lowerBound ?? frame.time
    results.timeRange = first...max(frame.time, results.timeRange?.upperBound ?? first)
    if keepsPredictions { results.predictions += step.predictions }
    try observer?(step, scene, frame)
    return step
  }

  mutating func finish() throws -> SceneResults {
    try scene.checkPerson(in: results.input)
    let ending = try scene.finish()
    if let low = rate.lowRate {
      StandardStreams.printMessage(
        "kinema: \(results.input.name) has \(low.fixed(1)) frames a second, too few to follow a "
          + "movement: actions and repetitions need at least \(FrameRateCheck.least.fixed(0))"
          + (modelRate.map { ", and best the \($0.fixed(0)) of the model." } ?? "."))
    }
    if keepsPredictions {
      results.predictions += ending.predictions
      results.predictions.sort {
        ($0.timeRange.upperBound, $0.personID ?? 0) < ($1.timeRange.upperBound, $1.personID ?? 0)
      }
    }
    try observer?(SceneAnalysis.Step(predictions: ending.predictions), scene, nil)
    results.repetitions = ending.repetitions
    return results
  }
}

extension SceneAnalysis {
  /// Throws where the person whom the scope names has never been in a file; of a stream that is reported.
  func checkPerson(in input: SceneResults.Input) throws {
    guard let id = missingPersonID else { return }
    let others = seenIDs.sorted().map(String.init)
    let message =
      "Nobody in \(input.name) has the id \(id); "
      + (others.isEmpty
        ? "it shows nobody." : "its ids are \(InputFiles.summary(of: others)).")
    guard input.kind == .stream else { throw CommandFailure(.badData, message) }
    StandardStreams.printMessage("kinema: \(message)")
  }
}

/// What was found out about one input.
struct SceneResults: Sendable {
  struct Input: Sendable {
    var path: String
    var name: String
    var kind: FrameSource.Kind

    init(path: String, name: String, kind: FrameSource.Kind) {
      (self.path, self.name, self.kind) = (path, name, kind)
    }

    init(_ file: URL) {
      self.init(
        path: file.path, name: file.lastPathComponent, kind: FrameSource.kind(of: file))
    }
  }

  let input: Input
  let isOfHands: Bool
  /// Whether people, or hands, were analysed each for themselves.
  let isOfEverybody: Bool
  var timeRange: ClosedRange<Double>?
  var predictions: [ActionPrediction] = []
  var repetitions: [SceneAnalysis.Ending.Repetitions] = []

  var timeline: SceneTimeline {
    SceneTimeline(predictions: predictions, repetitions: repetitions, isOfEverybody: isOfEverybody)
  }

  var summary: RepetitionSummary {
    if repetitions.count == 1 { return repetitions[0].summary }
    return RepetitionSummary(
      repetitions: repetitions.flatMap(\.summary.repetitions),
      moments: [])
  }
}

extension PosedFiles {
  func results(of file: URL, by plan: PersonAnalysis.Plan) async throws -> SceneResults {
    var plan = plan
    plan.isLive = false
    var run = SceneRun(.init(file), plan, .prominent)
    try await forEachFrame(of: file) { frame in _ = try run.add(frame) }
    return try run.finish()
  }
}
