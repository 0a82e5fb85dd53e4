import Foundation
import Kinema

struct SceneOptions: OptionGroup {
  var scope = ScopeOptions()
  var stream = StreamOptions()
}

/// Who is analysed.
struct ScopeOptions: OptionGroup {
  @Flag("Report each person with an id, not only the prominent one.")
  var everybody: Bool
  @Option(
    "ID", "Stay with this person; see kinema pose for ids (default: the largest).", 1...Int.max)
  var person: Int?

  /// Throws ``UsageError`` for options that do not go together.
  func scope(of subject: PoseSubject) throws -> SceneAnalysis.Scope {
    guard person == nil || !subject.isOfHands else {
      throw UsageError("--person goes with bodies; each hand is analysed for itself.")
    }
    guard person == nil || !everybody else {
      throw UsageError("--person and --everybody are alternatives; give one of them.")
    }
    return subject.isOfHands || everybody
      ? .everybody : person.map { .person($0) } ?? .prominent
  }
}

/// The inputs of `kinema classify` and `kinema count`, files or one stream, and how the people in
/// them are analysed.
struct SceneSources {
  /// Whether the people, or hands, are analysed each for themselves.
  var isOfEverybody: Bool { scope == .everybody }
  let subject: PoseSubject
  let scope: SceneAnalysis.Scope
  var isStream: Bool { input.stream != nil }
  private let input: CommandInput
  private let annotation: OutputTarget?
  private let operands: [String]
  private let frames: FrameOptions
  private let isOfFrames: Bool
  private let poseFile: PoseFileOptions

  /// - Parameters:
  ///   - annotate: Where annotated copies are written.
  ///   - poseFile: What holds where a pose file does not say it.
  ///   - isOfFrames: Whether each frame has a result for itself.
  init(
    _ operands: [String], _ options: SceneOptions, _ frames: FrameOptions, subject: PoseSubject,
    annotate: URL?, poseFile: PoseFileOptions, isOfFrames: Bool = false
  ) throws {
    self.isOfFrames = isOfFrames
    self.poseFile = poseFile
    self.operands = operands
    self.frames = frames
    self.subject = subject
    scope = try options.scope.scope(of: subject)
    let input = try CommandInput(operands, options.stream, includingPoseFiles: true)
    self.input = input
    annotation = try annotate.map { try OutputTarget($0, for: input.files) }
  }

  /// The name of all inputs together, for a report.
  var name: String {
    if let stream = input.stream { return stream.source.name }
    return operands.count == 1
      ? URL(filePath: operands[0]).lastPathComponent : "\(input.files.count) files"
  }

  /// How many files there are; one for a stream.
  var count: Int { isStream ? 1 : input.files.count }

  /// Analyses one input after the other; a stream that Ctrl-C ended is reported as well.
  ///
  /// - Returns: What to throw when all is written; see ``InputFiles/forEach(_:_:)``.
  func forEach(
    _ makeRun: @escaping @Sendable (SceneResults.Input) throws -> SceneRun,
    report: @escaping @Sendable (SceneResults) throws -> Void
  ) async throws -> CommandFailure? {
    if let stream = input.stream {
      try await endingOnRequest { stop in try report(try await run(stream, until: stop, makeRun)) }
      return nil
    }
    let files = input.files
    let posed = PosedFiles(files, options: try frameOptions(), threadCount: frames.threads)
    return try await InputFiles.forEach(files) { file in
      try report(try await run(file, of: posed, makeRun))
    }
  }

  private func frameOptions() throws -> FrameSource.Options {
    var options = frames.options(subject, usual: usualRate)
    try poseFile.apply(to: &options)
    return options
  }

  /// As many frames as movement needs for the prominent person of a file.
  ///
  /// People who cross are distinguished by every frame, ids are those of `kinema pose`, which processes all, and an
  /// annotated video shows all.
  private var usualRate: ProcessingRate {
    let showsAll = isStream || isOfFrames || annotation != nil
    return scope == .prominent && !showsAll ? .auto : .all
  }

  private func run(
    _ file: URL, of posed: PosedFiles, _ makeRun: (SceneResults.Input) throws -> SceneRun
  ) async throws -> SceneResults {
    let input = SceneResults.Input(file)
    let kind = input.kind
    if annotation != nil { try OutputTarget.checkPictures(of: file, kind) }
    var run = try makeRun(input)
    let annotator = try annotation.map {
      try Annotator(target: $0, input: file, isStillImage: kind == .stillImage)
    }
    defer { annotator?.cancel() }
    var frames: [(frame: PosedFrame, prominent: Pose?)] = []
    try await posed.forEachFrame(of: file) { frame in
      let step = try run.add(frame)
      guard annotator != nil else { return }
      var frame = frame
      frame.poses = step.poses
      frames.append((frame, step.prominent))
    }
    let results = try run.finish()
    if let annotator {
      let timeline = results.timeline
      try await annotator.annotate(file, kind: kind, frames: frames) { frame, prominent in
        SceneCaptions(timeline, of: frame, prominent: prominent, in: results)
      }
    }
    return results
  }

  private func run(
    _ stream: StreamOperand, until stop: StopRequest,
    _ makeRun: (SceneResults.Input) throws -> SceneRun
  ) async throws -> SceneResults {
    var options = try frameOptions()
    options.patience = input.patience
    options.wantsPictures = annotation != nil
    let name = stream.source.name
    var run = try makeRun(.init(path: name, name: name, kind: .stream))
    let annotator = try annotation.map {
      try Annotator(target: $0, input: nil, isStillImage: false)
    }
    defer { annotator?.cancel() }
    let frames = FrameSource(stream, options: options)
    try await frames.forEachFrame(of: stream, until: stop) { frame in
      let step = try run.add(frame)
      guard let annotator else { return }
      var frame = frame
      frame.poses = step.poses
      let captions = SceneCaptions(
        run.scene, of: step.poses, prominent: step.prominent, isOfHands: subject.isOfHands)
      try await annotator.append(
        frame, prominent: step.prominent, caption: captions.foot, labels: captions.labels)
    }
    let results = try run.finish()
    try await annotator?.finish()
    return results
  }
}
