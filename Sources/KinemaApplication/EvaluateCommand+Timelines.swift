import Foundation
import Kinema
import KinemaFiles
import KinemaReport

/// What people see over the evaluated videos.
struct EvaluatedTimelines: Sendable {
  /// As the table of a file shows it, from all windows.
  var file: TimelineEvaluation
  /// As a live page shows it, at the moment.
  var live: TimelineEvaluation

  /// Classifies whole videos by the model's rules; `nil` without a pose cache, which has the poses
  /// that the evaluation of the segments needed, and for a model of single poses.
  init?(
    of data: EvaluationData, _ classifier: ActionClassifier, otherLabel: String?,
    threadCount: Int?
  ) async throws {
    guard data.options.cache != nil, classifier.windowSize > 1 else { return nil }
    var plan = PersonAnalysis.Plan(classifier: classifier)
    plan.opensEarly = true
    let groups = ActionRecognizer.Rules(of: classifier).groups ?? [:]
    var segments: [String: [TimelineEvaluation.Stretch]] = [:]
    for example in data.examples {
      let label = classifier.labels.contains(example.label) ? example.label : otherLabel
      segments[example.file, default: []].append(.init(label ?? example.label, example.timeRange))
    }
    let files = segments.keys.sorted().compactMap { name in data.urls[name].map { (name, $0) } }
    let posed = PosedFiles(files.map(\.1), options: data.options, threadCount: threadCount)
    var (ofFiles, ofStreams): ([TimelineEvaluation.Video], [TimelineEvaluation.Video]) = ([], [])
    for (index, (name, url)) in files.enumerated() {
      let input = SceneResults.Input(path: url.path, name: name, kind: FrameSource.kind(of: url))
      var run = SceneRun(input, plan, .prominent)
      for try await frame in posed.frames(of: url) {
        try Task.checkCancellation()
        _ = try run.add(frame)
      }
      let results = try run.finish()
      guard let range = results.timeRange else { continue }
      func video(_ named: [TimelineEvaluation.Stretch]) -> TimelineEvaluation.Video {
        .init(
          file: name, segments: segments[name] ?? [], named: named, groups: groups)
      }
      // A file's windows are the full ones of a stream, decoded together.
      let decoded = ActionRecognizer(classifier: classifier).decoded(
        results.predictions.filter { !$0.isOpening })
      ofFiles.append(video(TimelineEvaluation.Stretch.ofFile(decoded)))
      ofStreams.append(
        video(
          TimelineEvaluation.Stretch.ofStream(results.predictions, until: range.upperBound)))
      StandardStreams.showProgress(
        "time lines  \(index + 1) of \(files.count)", step: "time lines",
        share: Double(index + 1) / Double(files.count))
    }
    StandardStreams.finishProgress()
    guard !ofFiles.isEmpty else { return nil }
    file = TimelineEvaluation(ofFiles)
    live = TimelineEvaluation(ofStreams)
  }
}

// MARK: - Report

extension EvaluatedTimelines {
  var json: JSONObject { ["file": Self.json(file), "live": Self.json(live)] }

  private static func json(_ evaluation: TimelineEvaluation) -> JSONObject {
    func list(_ stretches: [(file: String, stretch: TimelineEvaluation.Stretch)]) -> [JSONObject] {
      stretches.map { file, stretch in
        [
          "file": file, "label": stretch.label, "start": stretch.timeRange.lowerBound,
          "end": stretch.timeRange.upperBound,
        ]
      }
    }
    let f1: JSONObject = [
      "10": JSONObject.orNull(evaluation.f1(overlap: 0.1)),
      "25": JSONObject.orNull(evaluation.f1(overlap: 0.25)),
      "50": JSONObject.orNull(evaluation.f1(overlap: 0.5)),
    ]
    return [
      "seconds": evaluation.seconds,
      "frameAccuracy": JSONObject.orNull(evaluation.frameAccuracy),
      "editScore": JSONObject.orNull(evaluation.editScore), "f1": f1,
      "falseStretchesPerMinute": evaluation.falseStretchesPerMinute,
      "medianDelay": JSONObject.orNull(evaluation.medianDelay),
      "falseStretches": list(evaluation.falseStretches), "unlabelled": list(evaluation.unlabelled),
      "unnamed": list(evaluation.unnamed),
    ]
  }

  /// The metrics of both ways side by side.
  var table: String {
    var table = TextTable([("over time", .left), ("file", .right), ("live", .right), ("", .left)])
    func add(
      _ title: String, _ note: String, _ value: (TimelineEvaluation) -> String?
    ) {
      table.add([title, value(file) ?? "–", value(live) ?? "–", note])
    }
    add("right", "of the labelled time has the right name") { $0.frameAccuracy?.percent }
    add("edit score", "of the order of actions") { $0.editScore?.percent }
    for overlap in [10, 25, 50] {
      add("F1@\(overlap)", overlap == 10 ? "of segments that overlap by that many per cent" : "") {
        $0.f1(overlap: Double(overlap) / 100)?.percent
      }
    }
    add("false", "stretches a minute name an action that is not done") {
      $0.falseStretchesPerMinute.fixed(2)
    }
    add("unlabelled", "stretches of actions where nothing is labelled") {
      String($0.unlabelled.count)
    }
    add("unnamed", "segments whose action is never named") { String($0.unnamed.count) }
    add("delay", "until the right name comes, the median") {
      $0.medianDelay.map { "\($0.fixed(1)) s" }
    }
    return table.text
  }
}
