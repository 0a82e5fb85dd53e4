import KinemaPose
import KinemaStreams
import KinemaVideo
import Synchronization

/// The frames of a stream, a camera or a pipe.
final class StreamFeed: FrameSource.Feed {
  let cameraSpeed: Double? = nil
  let estimatedFrameCount: Int? = nil
  private let source: LiveSource
  private let options: FrameSource.Options
  private let reading: StreamReading
  private let stream: PoseStream
  private let output = FrameOutput<PosedFrame>(capacity: 1)
  private let counts = Mutex((processed: 0, dropped: 0))
  private let isStopped = Atomic(false)
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(_ source: LiveSource, options: FrameSource.Options, pool: PosePool) {
    self.source = source
    self.options = options
    reading = StreamReading(source, patience: options.patience, gate: options.ladder)
    stream = pool.makeStream(options.subject, weight: options.weight)
    task.withLock { $0 = Task { await self.run() } }
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
    reading.stop()
  }

  func cancel() {
    stop()
    task.withLock { $0?.cancel() }
    output.close()
  }

  // MARK: - Reading

  private func run() async {
    do {
      if try await reading.open(report: options.report) {
        try await readEveryFrame()
      } else {
        try await readNewest()
      }
      guard processedCount > 0 || options.patience == nil else { throw CancellationError() }
      output.finish()
    } catch {
      output.finish(error)
    }
  }

  private func readEveryFrame() async throws {
    var thinning = FrameThinning(rate: options.rate)
    var frames = reading.frames()
    while let frame = try await frames.next() {
      guard try await process(frame, &thinning) else { return }
    }
  }

  private func readNewest() async throws {
    // What is not waited for is thinned by the time that there is.
    var thinning = FrameThinning(rate: options.rate == .auto ? .all : options.rate)
    for await event in reading.events() {
      switch event {
      case .frame(let frame, let time, let droppedCount):
        counts.withLock { $0.dropped = droppedCount }
        guard let start = AsyncFrames.ticks(time) else { continue }
        let id = TemporalSegmentIdentifier(
          source: source.name, range: start..<start + AsyncFrames.timescale / 30,
          timescale: AsyncFrames.timescale)
        guard try await process(TemporalFeature(id: id, feature: frame), &thinning) else { return }
      case .status(let status):
        options.onStatus?(status)
        switch status.state {
        case .connecting, .live: break
        case .ended where processedCount == 0:
          throw VideoError(.sourceUnavailable, status.message, text: status.text)
        case .stale, .reconnecting, .ended: options.report?(status.message)
        }
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
    if let duration = options.patience?.duration, time >= duration { return false }
    guard thinning.keeps(time) else { return true }
    let poses: [Pose]
    if let unchanged = options.ladder?.unchangedPoses {
      poses = unchanged
    } else {
      poses = try await self.poses(in: frame.feature, at: time)
    }
    thinning.note(poses, at: time, size: (frame.feature.width, frame.feature.height))
    counts.withLock { $0.processed += 1 }
    try await output.send(PosedFrame(frame, poses: poses, keepsPicture: options.wantsPictures))
    return !isStopped.load(ordering: .relaxed)
  }

  private func poses(in frame: Frame, at time: Double) async throws -> [Pose] {
    let otherMotion = options.ladder?.otherMotion ?? .unknown
    let (poses, seconds) = try await stream.perform { finder in
      let start = ThreadTime.seconds
      let poses = try finder.poses(in: frame, at: time, otherMotion: otherMotion)
      return (poses, ThreadTime.seconds - start)
    }
    options.ladder?.note(poses, seconds: seconds)
    return poses
  }
}
