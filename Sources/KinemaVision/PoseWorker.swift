import KinemaPose
import KinemaStreams
import KinemaVideo

/// What finds poses in frames: networks, and those who are followed.
protocol PoseFinder {
  /// The time of the stages.
  var times: StageTimes { get set }
  /// Those who are followed, in the next frame of a clip, which is shown at a time in seconds.
  mutating func followed(in frame: Frame, at time: Double) throws -> [Pose]
  /// Everybody in a picture of its own.
  mutating func found(inStill frame: Frame) throws -> [Pose]
  /// Forgets those who are followed, for a new clip.
  mutating func reset()
}

/// Holds what finds poses, and works on a thread of its own.
actor PoseWorker<Finder: PoseFinder> {
  private let executor = ThreadExecutor()
  private let mode: ExtractionMode
  private let load: @Sendable () throws -> Finder
  private var finder: Finder?
  private var clock = ClipClock()
  private var isMeasuring = false

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// - Parameters:
  ///   - mode: How frames belong together.
  ///   - load: Makes the finder, when the first frame comes.
  init(mode: ExtractionMode, load: @escaping @Sendable () throws -> Finder) {
    self.mode = mode
    self.load = load
  }

  func poses(in frame: Frame, at moment: ClipClock.Moment) throws -> [Pose] {
    try Task.checkCancellation()
    // Taken out while in use, so that it is changed in place and not copied.
    var finder = try self.finder ?? loaded()
    self.finder = nil
    defer { self.finder = finder }
    switch mode {
    case .stillImages:
      return try finder.found(inStill: frame)
    case .following:
      if clock.advance(to: moment) { finder.reset() }
      return try finder.followed(in: frame, at: clock.time)
    }
  }

  func reset() {
    finder?.reset()
  }

  private func loaded() throws -> Finder {
    var finder = try load()
    finder.times.isMeasuring = isMeasuring
    return finder
  }

  // MARK: - Measuring

  func measureStages() {
    isMeasuring = true
    finder?.times.isMeasuring = true
  }

  var stageTimes: StageTimes {
    finder?.times ?? StageTimes()
  }
}
