import Foundation
import Kinema
import KinemaReport

/// `kinema count`: counts the repetitions of whatever the prominent person does.
enum CountCommand: Command {
  static let name = "count"
  static let abstract = "Count the repetitions of any movement: how many, when, how fast, how well."
  static let operands = "FILE-OR-FOLDER …"
  static let discussion = """
    FILE is a video, or a file of poses (.npz, .jsonl). Whatever the largest person does again and
    again in 0.3 to 8 seconds is counted; which movement it is need not be known. With --model, an
    action classifier says what is done: then each action is counted for itself, what the classifier
    calls "other" counts nothing, and an action that is done once is counted too.
    Range is how far the joints that move most travel, in body sizes; bend is by how many degrees the
    joint that bends most does; symmetry is how alike left and right are. A repetition whose range is
    under 60 % of the median is told as an attempt. Likeness, with --model, is how much a repetition
    resembles the examples that the classifier was taught with: its probability of that action while
    the repetition lasts.
    """
  static let examples: [(line: String, meaning: String)] = [
    ("kinema count workout.mp4", "Count, and tell each repetition."),
    (
      "kinema count workout.mp4 --annotate counted.mp4",
      "Show the count and the tempo on the video."
    ),
    (
      "kinema count workout.mp4 --model Exercise",
      "Count each of the built-in model's exercises."
    ),
    (
      "kinema count videos/ --report report.html",
      "Make a page with periodicity, tempo and repetitions over time."
    ),
    ("kinema count workout.npz --format json", "Count in poses extracted before, for a script."),
    ("kinema count lunges.mp4 --pairs", "Count left and right together as one."),
  ]
  static let options = [
    Option("format", value: "FORMAT", "What to print: table (default), json, jsonl or csv."),
    Option("annotate", value: "PATH", "Write the video with count and tempo: .mp4 or a folder."),
    Option("report", value: "FILE", "Write a report as a page: .html."),
    Option("pairs", "Count left and right as one where a movement changes sides."),
    Option("model", value: "MODEL", "An action classifier that says what is done, or Exercise."),
    Option("confidence", value: "P", "Probability that its label needs (default 0.6)."),
    Option("method", value: "METHOD", "How to count: auto (default), network or signal."),
    Option(
      "aspect-ratio", value: "RATIO",
      "Width by height of the picture that poses in files come from (default 1)."),
    Option("persons", value: "N", "Follow at most N people (default 4)."),
    PoseSubject.personOption,
    Option("precision", value: "P", "full (default), or fast where the processor has bf16."),
    PoseExtractions.option,
  ]

  enum Format: String, CaseIterable { case table, json, jsonl, csv }

  static func run(_ arguments: Arguments) async throws {
    let files = try InputFiles.resolve(arguments.operands, includingPoseFiles: true)
    let format = try arguments.choice("format", default: Format.table)
    var rules = RepetitionCounter.Rules()
    rules.method = try arguments.choice("method", default: CountingMethod.auto)
    rules.countsPairs = arguments.has("pairs")
    let aspectRatio = try arguments.number("aspect-ratio", within: 0.1...10)
    var plan = try classification(from: arguments)
    guard plan.classifier?.joints ?? JointKey.body == JointKey.body else {
      throw CommandFailure(
        .badData, "The model classifies hands; repetitions are counted on whole bodies.")
    }
    rules.isLive = arguments.value("annotate") != nil
    plan.counting = rules
    let pinned = try PoseSubject.pinnedPersonID(arguments)
    let page = try arguments.reportURL()
    let subject = PoseSubject.bodies(try PoseCommand.extractorConfiguration(arguments))
    let annotation = try arguments.url("annotate").map { try OutputTarget($0, for: files) }
    var reports: [CountingReport] = []
    if format == .csv { StandardStreams.print(CountingReport.csvHeader) }
    let extractions = try PoseExtractions(files, subject: subject, arguments)
    try await InputFiles.forEach(files) { file in
      let extraction = extractions.extraction(of: file)
      let counting = Counting(
        plan: plan, aspectRatio: aspectRatio.map { Float($0) }, pinnedPersonID: pinned)
      let report = try await counting.count(extraction, annotation: annotation)
      switch format {
      case .table: StandardStreams.print(report.table)
      case .csv: StandardStreams.print(report.csv)
      case .jsonl: StandardStreams.print(try report.json(isPretty: false) + Data("\n".utf8))
      case .json: break
      }
      if format == .json || page != nil { reports.append(report) }
    }
    if format == .json { StandardStreams.print(try CountingReport.json(of: reports)) }
    if let page {
      let operands = arguments.operands
      let name =
        operands.count == 1 ? URL(filePath: operands[0]).lastPathComponent : "\(files.count) files"
      try CountPage(reports.map { $0.clip() }, dataName: name).write(to: page)
    }
  }

  /// The classifier that says what is done, and its rules.
  private static func classification(from arguments: Arguments) throws -> PersonAnalysis.Plan {
    let confidence = try arguments.number("confidence", within: 0...1)
    guard let url = try arguments.model() else {
      guard confidence == nil else { throw UsageError("--confidence goes with --model.") }
      return PersonAnalysis.Plan()
    }
    let classifier = try ActionClassifier(contentsOf: url)
    var rules = ActionRecognizer.Rules(of: classifier)
    rules.confidenceThreshold = confidence ?? rules.confidenceThreshold
    return PersonAnalysis.Plan(classifier: classifier, recognition: rules)
  }
}

/// How the repetitions in a file are counted.
struct Counting {
  /// What is counted, and beside which classifier.
  var plan: PersonAnalysis.Plan
  /// The picture's width by its height; `nil` takes that of a video, and 1 for poses.
  var aspectRatio: Float?
  /// Who is counted, if not the prominent person.
  var pinnedPersonID: Int?

  /// Counts in a file.
  ///
  /// - Parameters:
  ///   - extraction: Gives the poses.
  ///   - annotation: Where a copy with the count goes.
  func count(_ extraction: PoseExtraction, annotation: OutputTarget? = nil) async throws
    -> CountingReport
  {
    guard extraction.source != .stillImage else {
      throw CommandFailure(
        .badData,
        "\(extraction.file.path) is a picture; nothing repeats itself in it, so name a video.")
    }
    var scene = SceneAnalysis(plan, scope: pinnedPersonID.map { .person($0) } ?? .prominent)
    var times: ClosedRange<Double>?
    let annotator = try annotation.flatMap {
      extraction.source == .poses
        ? nil : try Annotator(target: $0, input: extraction.file, isStillImage: false)
    }
    defer { annotator?.cancel() }
    try await extraction.run(needsPictures: annotator != nil) { step in
      let shape = step.size.map { Float($0.width) / Float(max($0.height, 1)) }
      times = (times?.lowerBound ?? step.time)...max(step.time, times?.upperBound ?? step.time)
      let result = try scene.add(step.poses, at: step.time, aspectRatio: aspectRatio ?? shape)
      if let frame = step.frame, let analysis = scene[result.prominent?.personID] {
        try await annotator?.append(
          frame, poses: step.poses, prominent: result.prominent, caption: Caption(analysis))
      }
    }
    let summary = try scene.finish().repetitions.first?.summary
    try await annotator?.finish()
    return CountingReport(
      file: extraction.file, timeRange: times,
      summary: summary ?? RepetitionSummary(repetitions: []))
  }
}

extension Caption {
  /// The count of what is being done; below it the tempo and, with a classifier, how much it resembles
  /// the classifier's examples.
  init(_ analysis: PersonAnalysis) {
    let counter = analysis.counter
    let tempo = counter?.tempo.map { "\($0.fixed(0)) a minute" }
    guard analysis.recognizer != nil else {
      self.init(text: "\(counter?.count ?? 0)", detail: tempo)
      return
    }
    guard let prediction = analysis.prediction else {
      self = .startingUp
      return
    }
    let action = prediction.status == .action ? prediction.topLabel : nil
    let count = action.flatMap { counter?.counts[$0] }
    let likeness = counter?.confidence.map { "likeness \($0.percent)" }
    let details = [tempo, likeness].compactMap { $0 }
    self.init(
      text: Caption.displayName(of: prediction.label) + (count.map { " \($0)" } ?? ""),
      detail: details.isEmpty ? Caption.startingUp.detail : details.joined(separator: " · "))
  }
}
