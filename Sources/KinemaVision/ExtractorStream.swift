import KinemaPose
import KinemaVideo
import Synchronization

/// One stream of frames on a thread of its own: what the public extractors are made of.
final class ExtractorStream: Sendable {
  private let mode: ExtractionMode
  // Ends its thread when it is released.
  private let pool: PosePool
  private let stream: PoseStream
  private let clock = Mutex(ClipClock())

  init(_ subject: PoseSubject, mode: ExtractionMode, runtime: VisionRuntime) {
    self.mode = mode
    pool = PosePool(workerCount: 1, runtime: runtime)
    stream = pool.makeStream(subject)
  }

  func poses(in frame: Frame, at moment: ClipClock.Moment) async throws -> [Pose] {
    try Task.checkCancellation()
    return try await stream.perform { [mode] finder in
      guard mode == .following else { return try finder.poses(inStill: frame) }
      let (isNewClip, time) = self.clock.withLock { ($0.advance(to: moment), $0.time) }
      if isNewClip { finder.reset() }
      return try finder.poses(in: frame, at: time)
    }
  }

  func reset() async {
    try? await stream.perform { $0.reset() }
  }

  func measureStages() async {
    try? await stream.perform { $0.networks?.isMeasuring = true }
  }

  var stageTimes: StageTimes {
    get async { (try? await stream.perform { $0.networks?.times }) ?? StageTimes() }
  }
}
