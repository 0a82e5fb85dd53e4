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
/// frame is reported at once, others after three frames. In the first frame of a clip without a
/// person the detector searches the whole and all parts of it, those on the edges as well; later,
/// without a person, the whole frame every time, and every second time a part, an edge or where the
/// last person was; otherwise it runs every 15 frames.
///
/// The networks are BlazePose's (Bazarevsky et al., *BlazePose: On-device Real-time Body Pose
/// tracking*, 2020) in OpenVINO. They are loaded with the first frame, which throws a
/// ``VisionError`` if a part is missing, and run on the extractor's own thread.
public struct HumanBodyPoseExtractor: PoseExtractor {
  /// How an extractor works.
  public struct Configuration: Codable, Hashable, Sendable {
    /// How frames belong together.
    public var mode: Mode
    /// The largest number of tracked people; each costs one run of the landmark network a frame.
    public var maximumPersonCount: Int
    /// The arithmetic of the networks.
    public var precision: Precision
    /// What the networks run on; the CPU in place of a device that is not there.
    public var device: NetworkDevice
    /// Whether left and right are exchanged where the network mistook one for the other.
    ///
    /// See ``KinemaPose/PoseContinuity``. Still images are taken as they are.
    public var repairsSides: Bool
    /// Whether joints are smoothed for drawing; see ``KinemaPose/PoseSmoother``.
    public var isSmoothed: Bool
    /// Whether poses have the network's 33 landmarks as well (``KinemaPose/Pose/landmarks``).
    public var keepsLandmarks: Bool

    /// Creates a configuration of at least one person; in still images all are found.
    public init(
      mode: Mode = .following, maximumPersonCount: Int = 4, precision: Precision = .full,
      device: NetworkDevice = .cpu, repairsSides: Bool = true, isSmoothed: Bool = false,
      keepsLandmarks: Bool = false
    ) {
      precondition(maximumPersonCount > 0, "At least one person must be followed.")
      (self.mode, self.maximumPersonCount) = (mode, maximumPersonCount)
      (self.precision, self.device) = (precision, device)
      (self.repairsSides, self.isSmoothed) = (repairsSides, isSmoothed)
      self.keepsLandmarks = keepsLandmarks
    }
  }

  /// How the extractor works.
  public let configuration: Configuration
  /// Its frames in order.
  public let stream: ExtractorStream

  /// Creates an extractor, by default of up to four people, with its parts where `runtime` has them.
  public init(configuration: Configuration = .init(), runtime: VisionRuntime = .located()) {
    self.configuration = configuration
    stream = ExtractorStream(.bodies(configuration), mode: configuration.mode, runtime: runtime)
  }
}
