import KinemaPose
import KinemaStreams

/// Puts windows together to one stream of poses again and counts in it.
struct WindowTally: Sendable {
  /// The least growth of the count from one window to the next while somebody is moving: Apple's
  /// sample takes growth of at most 0.001 for a pause and starts anew from 0.
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
    stream = CountingStream(estimator: estimator, pace: pace)
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
  /// Identifiers tell it in poses, as those of `SlidingWindowTransformer` do, or in other ticks, of
  /// which each pose takes the same number; of those that tell neither, each window follows the one
  /// before.
  private func start(of window: [Pose], id: TemporalSegmentIdentifier) -> Int {
    let ticks = Double(id.range.count) / Double(window.count)
    guard ticks >= 1, abs(Double(id.range.lowerBound)) < 1e12 else { return next ?? 0 }
    return Int((Double(id.range.lowerBound) / ticks).rounded())
  }
}
