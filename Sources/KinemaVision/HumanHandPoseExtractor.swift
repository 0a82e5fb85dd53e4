public import KinemaPose
public import KinemaStreams
public import KinemaVideo

/// Finds the hands in a frame: the pose of each, 21 joints with confidences.
///
/// - Input: a frame, upright and not mirrored.
/// - Output: a pose for each hand, in the order of their ids; none if no hand is there. Joints are
///   normalised to the frame, origin at the lower left, y up. A pose's ``KinemaPose/Pose/chirality``
///   says whether it is the person's left or right hand.
///
/// A pose's confidence says how likely a hand is there at all. All joints of a hand that lie in the
/// picture are equally sure, for the network does not tell them apart: a finger that is hidden is
/// guessed, and looks as sure as the others. A joint outside the picture is less sure.
///
/// Hands are followed from frame to frame (see ``ExtractionMode``), so that frames must be given in
/// order, one at a time, one clip after the other; a hand that is lost and turns up again near there
/// within a second keeps its id. Copies of an extractor share the hands that they follow: use an
/// extractor of its own for each video that is worked on at the same time. The detector looks while
/// there is no hand, when one is lost, and every 3 frames while there are fewer than there may be. It
/// needs hands to be a sixth of the picture's longer side to find all of them, and finds none under a
/// twentieth.
///
/// The networks are MediaPipe's (Zhang et al., *MediaPipe Hands: On-device Real-time Hand Tracking*,
/// 2020), run by OpenVINO. They are loaded with the first frame, which then throws a ``VisionError``
/// if a part is missing. Work is done on a thread of the extractor's own.
public struct HumanHandPoseExtractor: Transformer, Sendable {
  /// A frame, upright.
  public typealias Input = Frame
  /// The poses of the hands in it.
  public typealias Output = [Pose]
  /// How frames belong together.
  public typealias Mode = ExtractionMode
  /// The arithmetic of the networks.
  public typealias Precision = NetworkPrecision

  /// How an extractor works.
  public struct Configuration: Codable, Hashable, Sendable {
    /// How frames belong together.
    public var mode: Mode
    /// How many hands are found at most; each costs one run of the landmark network a frame.
    public var maximumHandCount: Int
    /// The arithmetic of the networks.
    public var precision: Precision

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - mode: How frames belong together.
    ///   - maximumHandCount: How many hands are found at most, at least 1; in still images the surest.
    ///   - precision: The arithmetic of the networks.
    public init(
      mode: Mode = .following, maximumHandCount: Int = 2, precision: Precision = .full
    ) {
      precondition(maximumHandCount > 0, "At least one hand must be looked for.")
      self.mode = mode
      self.maximumHandCount = maximumHandCount
      self.precision = precision
    }
  }

  /// How the extractor works.
  public let configuration: Configuration
  private let stream: ExtractorStream

  /// Creates an extractor that follows up to two hands, with its parts where the program has them.
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
      .hands(configuration), mode: configuration.mode, runtime: runtime)
  }

  /// The poses of the hands in a frame, taken to be 1/30 s after the frame before.
  ///
  /// Throws a ``VisionError``, or `CancellationError`.
  public func applied(to frame: Frame, eventHandler: EventHandler? = nil) async throws -> [Pose] {
    try await stream.poses(in: frame, at: .next)
  }

  /// The poses of the hands in a frame that is shown at a time.
  ///
  /// A frame of another source, or one that is earlier than the frame before, begins a new clip.
  /// Throws a ``VisionError``, or `CancellationError`.
  public func applied(
    to frame: TemporalFeature<Frame>, eventHandler: EventHandler? = nil
  ) async throws -> TemporalFeature<[Pose]> {
    TemporalFeature(
      id: frame.id, feature: try await stream.poses(in: frame.feature, at: .time(of: frame.id)))
  }

  /// Forgets the hands followed, for a new clip; their ids are not used again.
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
