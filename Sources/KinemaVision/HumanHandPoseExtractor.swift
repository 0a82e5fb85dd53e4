/// Extracts the poses of hands: 21 joints with confidences.
///
/// - Input: an upright frame, not mirrored.
/// - Output: a pose for each hand, in the order of their ids. Joints are normalised to the frame,
///   origin at the lower left, y up. ``KinemaPose/Pose/chirality`` is the person's left or right
///   hand.
///
/// A pose's confidence is the probability of a hand. All its joints in the frame have the same
/// confidence, also occluded ones, because the network has none for joints; joints outside the
/// frame have less.
///
/// Hands are tracked (see ``ExtractionMode``), so frames must be in order, one clip after another;
/// a hand that returns nearby within a second has its old id. Copies of an extractor share tracks:
/// use one extractor per video. The detector runs without a hand, when one is lost, and every 3
/// frames below the maximum. Hands of a sixth of the frame's longer side are detected reliably,
/// hands under a twentieth not at all.
///
/// The networks are MediaPipe's (Zhang et al., *MediaPipe Hands: On-device Real-time Hand
/// Tracking*, 2020) in OpenVINO. They are loaded with the first frame, which throws a
/// ``VisionError`` if a part is missing, and run on the extractor's own thread.
public struct HumanHandPoseExtractor: PoseExtractor {
  /// How an extractor works.
  public struct Configuration: Codable, Hashable, Sendable {
    /// How frames belong together.
    public var mode: Mode
    /// How many hands are found at most; each costs one run of the landmark network a frame.
    public var maximumHandCount: Int
    /// The arithmetic of the networks.
    public var precision: Precision
    /// What the networks run on; the CPU in place of a device that is not there.
    public var device: NetworkDevice

    /// Creates a configuration of at least one hand; in still images the most confident ones.
    public init(
      mode: Mode = .following, maximumHandCount: Int = 2, precision: Precision = .full,
      device: NetworkDevice = .cpu
    ) {
      precondition(maximumHandCount > 0, "At least one hand must be tracked.")
      (self.mode, self.maximumHandCount) = (mode, maximumHandCount)
      (self.precision, self.device) = (precision, device)
    }
  }

  /// How the extractor works.
  public let configuration: Configuration
  /// Its frames in order.
  public let stream: ExtractorStream

  /// Creates an extractor, by default of up to two hands, with its parts where `runtime` has them.
  public init(configuration: Configuration = .init(), runtime: VisionRuntime = .located()) {
    self.configuration = configuration
    stream = ExtractorStream(.hands(configuration), mode: configuration.mode, runtime: runtime)
  }
}
