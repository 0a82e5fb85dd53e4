import Foundation
import Kinema

/// How files are read.
struct FrameOptions: OptionGroup {
  @Option(
    "N", "Process N files or segments at the same time (default: one for each core).", 1...256)
  var threads: Int?
  @Option(
    "N", "At most N frames a second, all, or auto: by movement (classify, count: auto).",
    0.1...1000)
  var rate: ProcessingRate?
  @Flag("Neither use nor keep poses in the cache.")
  var noCache: Bool

  /// How the frames of a subject are read; poses of video files are cached, in a folder or the usual one.
  ///
  /// - Parameter usual: How many are processed where nothing else is asked for.
  func options(
    _ subject: PoseSubject, cache: FolderPath? = nil, usual: ProcessingRate = .all
  ) -> FrameSource.Options {
    var options = FrameSource.Options(subject: subject)
    options.rate = rate ?? usual
    guard !noCache else { return options }
    do {
      options.cache = try PoseCache(folder: cache?.url ?? PoseCache.defaultFolder())
    } catch {
      StandardStreams.printMessage("kinema: \(CommandFailure(error).message)")
    }
    return options
  }
}

/// What holds where a pose file does not say it.
struct PoseFileOptions: OptionGroup {
  @Option("WxH", "The size of the pictures that a pose file comes from, where it does not say it.")
  var size: FrameSize?
  @Option("N", "Frames a second of a pose file without times (default 30).", 0.1...1000)
  var fps: Double?
  @Option("RATIO", "Width by height of the pictures of a pose file, in place of its own.", 0.1...10)
  var aspectRatio: Double?

  /// Puts these options into those of a source.
  func apply(to options: inout FrameSource.Options) throws {
    guard size == nil || aspectRatio == nil else {
      throw UsageError("--size and --aspect-ratio are alternatives; give one of them.")
    }
    options.aspectRatio = aspectRatio.map { Float($0) }
    options.poseFile = .init(size: size.map { ($0.width, $0.height) }, frameRate: fps)
  }
}

/// How bodies are found.
struct BodyOptions: OptionGroup {
  @Option("N", "Track at most N people (default 4).", 1...32)
  var persons: Int?
  @Option("P", NetworkPrecision.help)
  var precision = NetworkPrecision.full
  @Option("DEVICE", NetworkDevice.help)
  var device = NetworkDevice.cpu

  var configuration: HumanBodyPoseExtractor.Configuration {
    var configuration = HumanBodyPoseExtractor.Configuration()
    configuration.maximumPersonCount = persons ?? configuration.maximumPersonCount
    configuration.precision = precision
    configuration.device = device
    return configuration
  }
}

/// Whose body is measured, and how the frames of files are read for it.
struct PersonOptions: OptionGroup {
  @Option(
    "ID", "Stay with this person; see kinema pose for ids (default: the largest).", 1...Int.max)
  var person: Int?
  var poseFile = PoseFileOptions()
  var bodies = BodyOptions()
  var frames = FrameOptions()

  /// The frames of files.
  func frames(of files: [URL]) throws -> PosedFiles {
    var options = frames.options(.bodies(bodies.configuration))
    try poseFile.apply(to: &options)
    return PosedFiles(files, options: options, threadCount: frames.threads)
  }
}

/// How bodies or hands are found.
struct SubjectOptions: OptionGroup {
  var bodies = BodyOptions()
  @Option("N", "Track at most N hands (default 2).", 1...32)
  var maxHands: Int?
  @Flag("Smooth the joints of bodies, for drawing.")
  var smooth: Bool

  func subject(_ joints: [JointKey]) throws -> PoseSubject {
    guard joints == JointKey.hand else {
      guard maxHands == nil else {
        throw UsageError("--max-hands goes with hands; here bodies are found.")
      }
      var configuration = bodies.configuration
      configuration.isSmoothed = smooth
      return .bodies(configuration)
    }
    guard bodies.persons == nil else {
      throw UsageError("--persons goes with bodies; for hands use --max-hands.")
    }
    guard !smooth else { throw UsageError("--smooth goes with bodies; hands are not smoothed.") }
    var configuration = HumanHandPoseExtractor.Configuration()
    configuration.maximumHandCount = maxHands ?? configuration.maximumHandCount
    configuration.precision = bodies.precision
    configuration.device = bodies.device
    return .hands(configuration)
  }
}

extension NetworkSettings {
  /// Prints what is used in place of a device that is not there, and of an arithmetic that the processor
  /// does not have.
  func reportSubstitutes() {
    var isOnCPU = true
    if device != .cpu {
      let names = VisionRuntime.located().devices.map(\.name)
      isOnCPU = device.chosen(from: names) == .cpu
      // Without OpenVINO, that is reported.
      if isOnCPU, !names.isEmpty {
        StandardStreams.printMessage(
          "kinema: OpenVINO finds no \(device.rawValue) here, only \(names.joined(separator: ", ")), so the "
            + "networks run on the CPU; see kinema doctor.")
      }
    }
    guard isOnCPU, !precision.isAvailable else { return }
    StandardStreams.printMessage(
      "kinema: this processor has no bf16, so --precision fast calculates with 32 bits, as full does."
    )
  }
}
