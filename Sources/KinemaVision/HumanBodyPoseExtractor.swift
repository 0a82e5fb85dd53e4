public import KinemaPose
public import KinemaStreams
public import KinemaVideo

/// Extracts the poses of people: 18 joints with confidences.
///
/// - Input: an upright frame.
/// - Output: a pose for each person, in the order of their ids. Joints are normalised to the frame,
///   origin at the lower left, y up.
///
/// A joint's confidence is the probability that it is in the frame and visible. A joint outside the
/// frame has its inferred location and a confidence of at most 0.1. A pose's confidence is the
/// probability of a person.
///
/// People are tracked (see ``ExtractionMode``), so frames must be in order, one clip after another.
/// Copies of an extractor share tracks: use one extractor per video. The first person in the whole
/// frame is reported at once, others after three frames. Without a person, the detector searches
/// the whole frame every time and parts of it every second time; otherwise it runs every 15 frames.
///
/// The networks are BlazePose's (Bazarevsky et al., *BlazePose: On-device Real-time Body Pose
/// tracking*, 2020) in OpenVINO. They are loaded with the first frame, which throws a
/// ``VisionError`` if a part is missing, and run on the extractor's own thread.
public struct HumanBodyPoseExtractor: Transformer, Sendable {
  /// A frame, upright.
  public typealias Input = Frame
  /// The poses of the people in it.
  public typealias Output = [Pose]

  /// How frames belong together.
  public typealias Mode = ExtractionMode
  /// The arithmetic of the networks.
  public typealias Precision = NetworkPrecision

  /// How an extractor works.
  public struct Configuration: Codable, Hashable, Sendable {
    /// How frames belong together.
    public var mode: Mode
    /// The largest number of tracked people; each costs one run of the landmark network a frame.
    public var maximumPersonCount: Int
    /// The arithmetic of the networks.
    public var precision: Precision
    /// Whether left and right are exchanged where the network mistook one for the other.
    ///
    /// See ``KinemaPose/PoseContinuity``. Still images are taken as they are.
    public var repairsSides: Bool
    /// Whether joints are smoothed for drawing; see ``KinemaPose/PoseSmoother``.
    public var isSmoothed: Bool

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - mode: The relation of the frames.
    ///   - maximumPersonCount: The largest number of tracked people, at least 1; no limit for still
    ///     images.
    ///   - precision: The precision of the networks.
    ///   - repairsSides: Whether exchanged left and right are corrected.
    ///   - isSmoothed: Whether joints are smoothed.
    public init(
      mode: Mode = .following, maximumPersonCount: Int = 4, precision: Precision = .full,
      repairsSides: Bool = true, isSmoothed: Bool = false
    ) {
      precondition(maximumPersonCount > 0, "At least one person must be followed.")
      self.mode = mode
      self.maximumPersonCount = maximumPersonCount
      self.precision = precision
      self.repairsSides = repairsSides
      self.isSmoothed = isSmoothed
    }
  }

  /// How the extractor works.
  public let configuration: Configuration
  private let stream: ExtractorStream

  /// Creates an extractor that follows up to four people, with its parts where the program has
  /// them.
  public init() {
    self.init(configuration: Configuration())
  }

  /// Creates an extractor.
  ///
  /// - Parameters:
  ///   - configuration: How the extractor works.
  ///   - runtime: Where its parts are.
  public init(configuration: Configuration, runtime: VisionRuntime = .located()) {
    self.configuration = configuration
    stream = ExtractorStream(
      .bodies(configuration), mode: configuration.mode, runtime: runtime)
  }

  /// The poses of the people in a frame, taken to be 1/30 s after the frame before.
  ///
  /// Throws a ``VisionError``, or `CancellationError`.
  public func applied(to frame: Frame, eventHandler: EventHandler? = nil) async throws -> [Pose] {
    try await stream.poses(in: frame, at: .next)
  }

  /// The poses of the people in a frame that is shown at a time.
  ///
  /// A frame of another source, or one that is earlier than the frame before, begins a new clip.
  /// Throws a ``VisionError``, or `CancellationError`.
  public func applied(
    to frame: TemporalFeature<Frame>, eventHandler: EventHandler? = nil
  ) async throws -> TemporalFeature<[Pose]> {
    TemporalFeature(
      id: frame.id, feature: try await stream.poses(in: frame.feature, at: .time(of: frame.id)))
  }

  /// Drops all tracks for a new clip; ids are not reused.
  public func reset() async {
    await stream.reset()
  }

  // MARK: - Measuring

  /// Takes the time of each stage from now on.
  package func measureStages() async {
    await stream.measureStages()
  }

  /// The processor time spent in each stage since ``measureStages()``.
  package var stageTimes: StageTimes {
    get async { await stream.stageTimes }
  }
}
