import Kinema

extension PoseSubject {
  static let options = """
    \(PosedFiles.options)
    --persons N  Track at most N people (default 4).
    --max-hands N  Track at most N hands (default 2).
    --precision P  full (default), or fast where the processor has bf16.
    --smooth  Smooth the joints of bodies, for drawing.
    """

  init(_ arguments: Arguments, joints: [JointKey]) throws {
    guard joints == JointKey.hand else {
      guard arguments.value("max-hands") == nil else {
        throw UsageError("--max-hands goes with hands; here bodies are found.")
      }
      self = .bodies(try PoseCommand.extractorConfiguration(arguments))
      return
    }
    guard arguments.value("persons") == nil else {
      throw UsageError("--persons goes with bodies; for hands use --max-hands.")
    }
    guard !arguments.has("smooth") else {
      throw UsageError("--smooth goes with bodies; hands are not smoothed.")
    }
    var configuration = HumanHandPoseExtractor.Configuration()
    if let count = try arguments.integer("max-hands", within: 1...32) {
      configuration.maximumHandCount = count
    }
    configuration.precision = try arguments.choice("precision", default: configuration.precision)
    self = .hands(configuration)
  }
}

extension NetworkPrecision {
  /// Prints a message where the processor has no arithmetic faster than the full one.
  func reportIfMissing() {
    guard !isAvailable else { return }
    StandardStreams.printMessage(
      "kinema: this processor has no bf16, so --precision fast calculates with 32 bits, as full does."
    )
  }
}
