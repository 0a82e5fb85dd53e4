public import KinemaPose
public import KinemaStreams

/// Turns windows of poses into a running count of repetitions.
///
/// - Input: windows of one person's poses, oldest first, evenly spaced in time, of any length and
///   stride.
/// - Output: for each window the number of repetitions since the stream began, with the fraction of
///   the one under way; it never falls.
///
/// Overlapping windows are joined by their identifiers, so that a repetition may last longer than a
/// window; the last 12 seconds are evaluated again with each window.
///
/// ```swift
/// let pipeline = Downsampler<[Pose]>(factor: 1)
///   .appending(PoseSelector(strategy: .maximumBoundingBoxArea))
///   .appending(SlidingWindowTransformer<Pose>(stride: 5, length: 90))
///   .appending(HumanBodyActionCounter())
/// for try await count in try await pipeline(poses) { print(count.feature) }
/// ```
public struct HumanBodyActionCounter: TemporalTransformer, Sendable {
  /// A window of poses.
  public typealias Input = [Pose]
  /// The number of repetitions since the stream began.
  public typealias Output = Float

  /// How many poses there are in a second.
  public let frameRate: Double

  /// Creates a counter.
  ///
  /// - Parameter frameRate: How many poses there are in a second, above 0; repetitions of 0.3 to 8
  ///   seconds are counted.
  public init(frameRate: Double = 30) {
    precondition(frameRate > 0, "A frame rate must be above zero.")
    self.frameRate = frameRate
  }

  /// The sequence of counts, each with the identifier of its window.
  public func applied<S: TemporalSequence>(
    to input: S, eventHandler: EventHandler? = nil
  ) async throws -> CumulativeSumSequence where S.Feature == [Pose] {
    CumulativeSumSequence(
      base: AnyTemporalSequence(input), frameRate: frameRate,
      estimator: CountingMethod.bestEstimator())
  }

  /// The number of repetitions over time.
  public struct CumulativeSumSequence: TemporalSequence {
    /// The number of repetitions since the stream began.
    public typealias Feature = Float
    /// The element: a stamped number.
    public typealias Element = TemporalFeature<Float>

    let base: AnyTemporalSequence<[Pose]>
    let frameRate: Double
    let estimator: any PeriodEstimator

    /// How many windows there are, where that is known without reading them.
    public var count: Int? { base.count }

    /// Starts counting.
    public func makeAsyncIterator() -> Iterator {
      Iterator(
        base: base.makeAsyncIterator(),
        tally: WindowTally(frameRate: frameRate, estimator: estimator))
    }

    /// Counts one window after the other.
    public struct Iterator: AsyncIteratorProtocol {
      var base: AnyTemporalSequence<[Pose]>.Iterator
      fileprivate var tally: WindowTally

      /// The count after the next window, or `nil` at the end.
      public mutating func next() async throws -> TemporalFeature<Float>? {
        guard let window = try await base.next() else { return nil }
        return TemporalFeature(
          id: window.id, feature: try tally.add(window.feature, id: window.id))
      }
    }
  }
}

/// Joins windows to one stream of poses and counts in it.
private struct WindowTally: Sendable {
  /// The least growth of the count from one window to the next while the person moves: Apple's sample
  /// takes growth of at most 0.001 for a pause and starts again at 0.
  static let leastGrowth = 0.0015

  private let frameRate: Double
  private var stream: CountingStream
  /// The index of the first pose that has not come yet.
  private var next: Int?
  private var total = 0.0

  init(frameRate: Double, estimator: any PeriodEstimator) {
    self.frameRate = frameRate
    var pace = CountingStream.Pace.live
    pace.hop = .max
    stream = CountingStream(StepFinder(estimator), pace: pace)
  }

  /// The count after a further window.
  mutating func add(_ window: [Pose], id: TemporalSegmentIdentifier) throws -> Float {
    guard !window.isEmpty else { return Float(total) }
    let start = start(of: window, id: id)
    for (offset, pose) in window.enumerated() where start + offset >= next ?? .min {
      _ = try stream.add(MotionSample(pose, at: Double(start + offset) / frameRate))
    }
    next = max(next ?? .min, start + window.count)
    try stream.refresh()
    let isMoving = stream.provisional.last?.isActive == true
    let least = isMoving && total > 0 ? total + Self.leastGrowth : total
    total = max(least, stream.repetitions)
    return Float(total)
  }

  /// The index of a window's first pose.
  ///
  /// Identifiers count poses, as those of `SlidingWindowTransformer` do, or other ticks, of which each
  /// pose takes the same number; without either, each window follows the one before.
  private func start(of window: [Pose], id: TemporalSegmentIdentifier) -> Int {
    let ticks = Double(id.range.count) / Double(window.count)
    guard ticks >= 1, abs(Double(id.range.lowerBound)) < 1e12 else { return next ?? 0 }
    return Int((Double(id.range.lowerBound) / ticks).rounded())
  }
}
