public import KinemaPose
public import KinemaStreams
public import KinemaVideo
import Synchronization

/// What ``HumanBodyPoseExtractor`` and ``HumanHandPoseExtractor`` share.
public protocol PoseExtractor: Transformer, Sendable where Input == Frame, Output == [Pose] {
  /// The extractor's frames in order; copies share them.
  var stream: ExtractorStream { get }
}

extension PoseExtractor {
  /// How frames belong together.
  public typealias Mode = ExtractionMode
  /// The arithmetic of the networks.
  public typealias Precision = NetworkPrecision

  /// The poses in a frame, taken to be 1/30 s after the frame before.
  ///
  /// Throws a ``VisionError``, or `CancellationError`.
  public func applied(to frame: Frame, eventHandler: EventHandler? = nil) async throws -> [Pose] {
    try await stream.poses(in: frame, at: .next)
  }

  /// The poses in a frame that is shown at a time.
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
  ///
  /// A stream that has ended has none.
  public func reset() async { try? await stream.stream.perform { $0.reset() } }

  /// Takes the time of each stage from now on.
  package func measureStages() async {
    // A stream that has ended has no stages any more.
    try? await stream.stream.perform { $0.measureStages() }
  }

  /// The processor time spent in each stage since ``measureStages()``.
  package var stageTimes: StageTimes {
    get async { (try? await stream.stream.perform { $0.stageTimes }) ?? StageTimes() }
  }
}

/// One stream of frames on a thread of its own.
public final class ExtractorStream: Sendable {
  private let mode: ExtractionMode
  // Ends its thread when it is released.
  private let pool: PosePool
  fileprivate let stream: PoseStream
  private let clock = Mutex(ClipClock())

  init(_ subject: PoseSubject, mode: ExtractionMode, runtime: VisionRuntime) {
    self.mode = mode
    pool = PosePool(workerCount: 1, runtime: runtime)
    stream = pool.makeStream(subject)
  }

  fileprivate func poses(in frame: Frame, at moment: ClipClock.Moment) async throws -> [Pose] {
    try Task.checkCancellation()
    return try await stream.perform { [mode] finder in
      guard mode == .following else { return try finder.poses(inStill: frame) }
      let (isNewClip, time) = self.clock.withLock { ($0.advance(to: moment), $0.time) }
      if isNewClip { finder.reset() }
      return try finder.poses(in: frame, at: time)
    }
  }
}
