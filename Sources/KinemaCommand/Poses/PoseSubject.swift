import Foundation
import Kinema

/// What is looked for in videos and pictures, and how.
enum PoseSubject: Sendable {
  case bodies(HumanBodyPoseExtractor.Configuration)
  case hands(HumanHandPoseExtractor.Configuration)

  /// The options that say how it is looked for.
  static let options = [
    Option("persons", value: "N", "Follow at most N people (default 4)."),
    Option("max-hands", value: "N", "Follow at most N hands (default 2)."),
    Option("precision", value: "P", "full (default), or fast where the processor has bf16."),
    PoseExtractions.option,
    Option("smooth", "Calm the trembling of bodies' joints, for drawing."),
  ]

  /// Says who is worked on where several people are followed.
  static let personOption = Option(
    "person", value: "ID", "Stay with this person; see kinema pose for ids (default: the largest).")

  /// The person named by ``personOption``.
  static func pinnedPersonID(_ arguments: Arguments) throws -> Int? {
    try arguments.integer("person", within: 1...Int.max)
  }

  /// - Parameters:
  ///   - arguments: The options.
  ///   - joints: The joints of what is looked for, `JointKey.body` or `JointKey.hand`.
  init(_ arguments: Arguments, joints: [JointKey]) throws {
    guard joints == JointKey.hand else {
      guard arguments.value("max-hands") == nil else {
        throw UsageError("--max-hands goes with hands; here bodies are looked for.")
      }
      self = .bodies(try PoseCommand.extractorConfiguration(arguments))
      return
    }
    guard arguments.value("persons") == nil else {
      throw UsageError("--persons goes with bodies; for hands use --max-hands.")
    }
    guard !arguments.has("smooth") else {
      throw UsageError("--smooth goes with bodies; hands are shown as they are found.")
    }
    var configuration = HumanHandPoseExtractor.Configuration()
    if let count = try arguments.integer("max-hands", within: 1...32) {
      configuration.maximumHandCount = count
    }
    configuration.precision = try arguments.choice("precision", default: configuration.precision)
    self = .hands(configuration)
  }

  /// The joints of each pose.
  var joints: [JointKey] {
    switch self {
    case .bodies: JointKey.body
    case .hands: JointKey.hand
    }
  }

  /// Whether hands are looked for.
  var isOfHands: Bool { joints == JointKey.hand }

  /// What is looked for, in a word.
  var name: String {
    switch self {
    case .bodies: "bodies"
    case .hands: "hands"
    }
  }

  /// The arithmetic of the networks.
  var precision: NetworkPrecision {
    switch self {
    case .bodies(let configuration): configuration.precision
    case .hands(let configuration): configuration.precision
    }
  }

  /// What finds the poses of one video or picture after the other.
  func clipFinder() -> ClipPoseFinder {
    switch self {
    case .bodies(let configuration): .bodies(configuration)
    case .hands(let configuration): .hands(configuration)
    }
  }
}

extension NetworkPrecision {
  /// Tells the user where the processor has no arithmetic faster than the full one.
  func tellWhereMissing() {
    guard !isAvailable else { return }
    StandardStreams.printMessage(
      "kinema: this processor has no bf16, so --precision fast calculates with 32 bits, as full does."
    )
  }
}
