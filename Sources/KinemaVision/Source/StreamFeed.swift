import KinemaStreams
import KinemaVideo
import Synchronization

/// The frames of a stream, a camera or a pipe.
final class StreamFeed: FrameSource.Feed {
  /// How much longer than requested to wait for a source, in seconds.
  private static let grace = 10.0

  let cameraSpeed: Double? = nil
  let estimatedFrameCount: Int? = nil
  private let source: LiveSource
  private let options: FrameSource.Options
  private let stream: PoseStream
  private let output = FrameOutput<PosedFrame>(capacity: 1)
  private let counts = Mutex((processed: 0, dropped: 0))
  private let isStopped = Atomic(false)
  private let tasks = Mutex<[Task<Void, Never>]>([])

  init(
    _ source: LiveSource, policy: FrameSource.Policy, options: FrameSource.Options, pool: PosePool
  ) {
    self.source = source
    self.options = options
    stream = pool.makeStream(options.subject)
    tasks.withLock { tasks in
      tasks = [Task { await self.run(policy) }]
      // A source that sends nothing must not block a run of limited duration.
      guard policy == .newest, let duration = options.duration else { return }
      tasks.append(
        Task {
          guard (try? await Task.sleep(for: .seconds(duration + Self.grace))) != nil else { return }
          self.stop()
        })
    }
  }

  var processedCount: Int { counts.withLock { $0.processed } }

  var warnings: [String] {
    let (processed, dropped) = counts.withLock { $0 }
    guard dropped > 0 else { return [] }
    return [
      "\(dropped) frames of \(processed + dropped) were dropped: they arrived faster than they could "
        + "be processed."
    ]
  }

  func next() async throws -> PosedFrame? {
    try await output.next()
  }

  func stop() {
    isStopped.store(true, ordering: .relaxed)
    tasks.withLock { $0.forEach { $0.cancel() } }
  }

  func cancel() {
    stop()
    output.close()
  }

  // MARK: - Reading

  private func run(_ policy: FrameSource.Policy) async {
    do {
      switch policy {
      case .everyFrame: try await readEveryFrame()
      case .newest: try await readNewest()
      }
      guard processedCount > 0 || isStopped.load(ordering: .relaxed) else {
        throw VideoError(
          .sourceUnavailable, "\(source.name) has sent no picture; check that it runs.")
      }
      output.finish()
    } catch is CancellationError where isStopped.load(ordering: .relaxed) {
      output.finish()
    } catch {
      output.finish(error)
    }
  }

  private func readEveryFrame() async throws {
    var thinning = FrameThinning(rate: options.rate)
    for try await frame in StreamFrames(source) {
      guard try await process(frame, &thinning) else { return }
    }
  }

  private func readNewest() async throws {
    var thinning = FrameThinning(rate: options.rate)
    var hasBegun = false
    for await event in LiveVideoReader(source).events() {
      if case .status(let status) = event { options.onStatus?(status) }
      switch event {
      case .frame(let frame, let time, let droppedCount):
        hasBegun = true
        counts.withLock { $0.dropped = droppedCount }
        guard let start = AsyncFrames.ticks(time) else { continue }
        let id = TemporalSegmentIdentifier(
          source: source.name, range: start..<start + AsyncFrames.timescale / 30,
          timescale: AsyncFrames.timescale)
        guard try await process(TemporalFeature(id: id, feature: frame), &thinning) else { return }
      case .status(let status) where status.state != .live && (hasBegun || status.attempt > 0):
        options.report?(status.message)
        if status.state == .ended { return }
      case .status(let status) where status.state == .ended:
        throw VideoError(.sourceUnavailable, status.message)
      case .status: break
      }
    }
  }

  /// Extracts the poses of a frame, unless it exceeds the rate.
  ///
  /// - Returns: Whether to continue.
  private func process(
    _ frame: TemporalFeature<Frame>, _ thinning: inout FrameThinning
  ) async throws -> Bool {
    let time = frame.id.rangeInSeconds.lowerBound
    if let duration = options.duration, time >= duration { return false }
    guard thinning.keeps(time) else { return true }
    let poses = try await stream.poses(in: frame.feature, at: time)
    counts.withLock { $0.processed += 1 }
    try await output.send(PosedFrame(frame, poses: poses, keepsPicture: options.wantsPictures))
    return !isStopped.load(ordering: .relaxed)
  }
}
