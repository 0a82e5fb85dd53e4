public import KinemaPose
public import KinemaStreams
public import KinemaVideo

/// Finds the people in a frame: the pose of each, 18 joints with confidences.
///
/// - Input: a frame, upright.
/// - Output: a pose for each person, in the order of their ids; none if nobody is there. Joints are
///   normalised to the frame, origin at the lower left, y up.
///
/// A joint's confidence says how likely it is in the picture and not hidden. A joint outside the
/// picture keeps the place that the network infers, with a confidence of at most 0.1. A pose's
/// confidence says how likely a person is there at all.
///
/// People are followed from frame to frame (see ``ExtractionMode``), so that frames must be given in
/// order, one at a time, one clip after the other. Copies of an extractor share the people that they
/// follow: use an extractor of its own for each video that is worked on at the same time. The first
/// person whom the detector sees in the whole picture is reported at once, others when found in three
/// frames running. The detector looks at the whole picture in each frame while nobody is reported, and
/// at smaller and smaller parts of it in every second frame; otherwise it looks every 15 frames.
///
/// The networks are BlazePose's (Bazarevsky et al., *BlazePose: On-device Real-time Body Pose
/// tracking*, 2020), run by OpenVINO. They are loaded with the first frame, which then throws a
/// ``VisionError`` if a part is missing. Work is done on a thread of the extractor's own.
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
    /// How many people are followed at most; each costs one run of the landmark network a frame.
    public var maximumPersonCount: Int
    /// The arithmetic of the networks.
    public var precision: Precision
    /// Whether left and right are exchanged where the network mistook one for the other.
    ///
    /// See ``KinemaPose/PoseContinuity``. Still images are taken as they are.
    public var repairsSides: Bool
    /// Whether the joints' trembling is calmed.
    ///
    /// See ``KinemaPose/PoseSmoother``. It is for drawing; classifiers are given poses as they are.
    public var isSmoothed: Bool

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - mode: How frames belong together.
    ///   - maximumPersonCount: How many people are followed at most, at least 1. Still images have no
    ///     such limit.
    ///   - precision: The arithmetic of the networks.
    ///   - repairsSides: Whether left and right are exchanged where they were mistaken.
    ///   - isSmoothed: Whether the joints' trembling is calmed.
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

  /// Creates an extractor that follows up to four people, with its parts where the program has them.
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

  /// Forgets the people followed, for a new clip; their ids are not used again.
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
