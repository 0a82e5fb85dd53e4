import Foundation
import Kinema

/// `kinema classify`: says what the prominent person does.
enum ClassifyCommand: Command {
  static let name = "classify"
  static let abstract = "Say what the prominent person, or each hand, does, window by window."
  static let operands = "FILE-OR-FOLDER … [--model MODEL]"
  static let discussion = """
    FILE is a video, or a file of poses (.npz, .jsonl). MODEL is an action classifier from Create ML
    or from kinema train (.mlmodel or .mlpackage); without it the built-in one tells jumping jacks,
    lunges, burpees, squats and push-ups from other actions. The poses of the largest person are
    brought to the model's frame rate, gathered into windows and classified. A window of which too
    few frames show a person is "No Person"; a result that is not sure enough is "Low Confidence".
    With a model of hand actions or hand poses it is hands that are looked for, and each is classified
    for itself; a model of hand poses looks at each frame, and at pictures.
    """
  static let examples: [(line: String, meaning: String)] = [
    ("kinema classify workout.mp4", "Show which exercise is done when, and for how long."),
    (
      "kinema classify workout.mp4 --model MyActions.mlmodel --annotate annotated.mp4",
      "Show your own actions, on the video, too."
    ),
    (
      "kinema classify workout.npz --format json",
      "Classify poses that were extracted before, for a script."
    ),
    (
      "kinema classify signs.mp4 --model Signs.mlmodel --format csv",
      "Show what each hand does, where the model is one of hands."
    ),
    (
      "kinema classify videos/ --format csv > windows.csv",
      "Work through a folder."
    ),
  ]
  static let options =
    [
      Option(
        "model", value: "MODEL", "The action classifier to use (default: the built-in Exercise)."),
      Option("format", value: "FORMAT", "What to print: table (default), json, jsonl or csv."),
      Option(
        "annotate", value: "PATH", "Write the video with wireframes and label: .mp4 or a folder."),
      Option("stride", value: "N", "Frames from one window to the next (default 10)."),
      Option(
        "minimum-poses", value: "SHARE", "Share of frames that must show a person (default 0.6)."),
      Option("confidence", value: "P", "Probability that a label needs (default 0.6)."),
      PoseSubject.personOption,
    ] + PoseSubject.options

  enum Format: String, CaseIterable { case table, json, jsonl, csv }

  static func run(_ arguments: Arguments) async throws {
    let files = try InputFiles.resolve(arguments.operands, includingPoseFiles: true)
    let format = try arguments.choice("format", default: Format.table)
    let modelURL = try arguments.model() ?? BuiltInModel.exercise.url
    let annotation = try arguments.url("annotate").map { try OutputTarget($0, for: files) }
    let classifier = try ActionClassifier(contentsOf: modelURL)
    let subject = try PoseSubject(arguments, joints: classifier.joints)
    let pinned = try PoseSubject.pinnedPersonID(arguments)
    guard pinned == nil || !subject.isOfHands else {
      throw UsageError("--person goes with bodies; each hand is classified for itself.")
    }
    let rules = try rules(of: classifier, arguments)
    let modelName = modelURL.deletingPathExtension().lastPathComponent
    var reports: [ClassificationReport] = []
    if format == .csv {
      StandardStreams.print(ClassificationReport.csvHeader(isOfHands: subject.isOfHands))
    }
    let extractions = try PoseExtractions(files, subject: subject, arguments)
    try await InputFiles.forEach(files) { file in
      let extraction = extractions.extraction(of: file)
      let report = try await classify(
        extraction, classifier: classifier, rules: rules, modelName: modelName,
        annotation: annotation, pinnedPersonID: pinned)
      switch format {
      case .table: StandardStreams.print(report.table)
      case .csv: StandardStreams.print(report.csv)
      case .jsonl: StandardStreams.print(try report.json(isPretty: false) + Data("\n".utf8))
      case .json: reports.append(report)
      }
    }
    if format == .json { StandardStreams.print(try ClassificationReport.json(of: reports)) }
  }

  private static func rules(
    of classifier: ActionClassifier, _ arguments: Arguments
  ) throws -> ActionRecognizer.Rules {
    var rules = ActionRecognizer.Rules(of: classifier)
    rules.stride = try arguments.integer("stride", within: 1...100_000) ?? rules.stride
    rules.minimumPoseShare =
      try arguments.number("minimum-poses", within: 0...1) ?? rules.minimumPoseShare
    rules.confidenceThreshold =
      try arguments.number("confidence", within: 0...1) ?? rules.confidenceThreshold
    return rules
  }

  private static func classify(
    _ extraction: PoseExtraction, classifier: ActionClassifier, rules: ActionRecognizer.Rules,
    modelName: String, annotation: OutputTarget?, pinnedPersonID: Int?
  ) async throws -> ClassificationReport {
    let isOfHands = extraction.subject.isOfHands
    var scene = SceneAnalysis(
      PersonAnalysis.Plan(classifier: classifier, recognition: rules),
      scope: isOfHands ? .everybody : pinnedPersonID.map { .person($0) } ?? .prominent,
      memory: isOfHands ? SceneAnalysis.handMemory : SceneAnalysis.memory)
    var predictions: [ActionPrediction] = []
    let annotator = try annotation.flatMap {
      extraction.source == .poses
        ? nil
        : try Annotator(
          target: $0, input: extraction.file, isStillImage: extraction.source == .stillImage)
    }
    defer { annotator?.cancel() }
    try await extraction.run(needsPictures: annotator != nil) { step in
      let result = try scene.add(step.poses, at: step.time)
      predictions += result.predictions
      if let frame = step.frame {
        try await annotator?.append(
          frame, poses: step.poses, prominent: result.prominent,
          caption: Caption(scene, result.prominent, isOfHands: isOfHands))
      }
    }
    predictions += try scene.finish().predictions
    try await annotator?.finish()
    return ClassificationReport(
      file: extraction.file, classifier: classifier, modelName: modelName, predictions: predictions,
      isOfHands: isOfHands)
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

  /// The newest prediction for the prominent person or hand.
  init(_ scene: SceneAnalysis, _ prominent: Pose?, isOfHands: Bool) {
    let prediction = scene[prominent?.personID ?? 1]?.prediction
    if isOfHands, prominent == nil {
      self.init(text: "No Hand", detail: Caption.noPerson.detail)
    } else if let prediction, !(isOfHands && prediction.status == .noPerson) {
      self.init(prediction)
    } else {
      self = .startingUp
    }
  }
}
