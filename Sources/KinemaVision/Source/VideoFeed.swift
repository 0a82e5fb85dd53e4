import Foundation
import KinemaStreams
import KinemaTracking
import KinemaVideo
import Synchronization

/// The frames of a video file: its segments, processed side by side and joined in order.
final class VideoFeed: FrameSource.Feed, @unchecked Sendable {
  private typealias Tracked = WaitingFrame<PosedFrame>

  let estimatedFrameCount: Int?
  private let url: URL
  private let options: FrameSource.Options
  private let pool: PosePool
  private let number: Int
  private let segments: [VideoSegment]
  private let capacity: Int?
  private let processed = Atomic(0)
  private let isCancelled = Atomic(false)
  /// The file, open for the task that processes all of it.
  private let opened: Mutex<AsyncFrames?>
  /// The damage and the motion of each segment.
  private let parts: Mutex<[(damage: DamageReport, motion: CameraMotion)]>
  private let tasks = Mutex<[(task: Task<Void, Never>, output: FrameOutput<Tracked>)]>([])

  // Touched by the one task that reads.
  private var segment = 0
  private var lookAhead: LookAhead<PosedFrame>
  /// Frames of the segment that are tracked by the one before as well, the last ones.
  private var warmUp: [Tracked] = []
  private var handOver: HandOver?
  /// The streams of segments that were processed to their ends.
  private let streams = Mutex<[Int: PoseStream]>([:])
  /// Frames with the ids of the video.
  private var ready: ArraySlice<Tracked> = []
  private var deliveredCount = 0
  private let cacheKey: PoseCache.Key?
  private var recording: PosedVideo?
  private let cacheFailure = Mutex<String?>(nil)

  /// Opens a file and starts processing it.
  ///
  /// - Parameters:
  ///   - number: Its position among the files of the pool.
  ///   - cacheKey: The key of its poses in the cache; `nil` without one.
  /// - Throws: ``VideoError`` if the file cannot be read as a video; `CancellationError`.
  init(
    _ url: URL, options: FrameSource.Options, pool: PosePool, number: Int,
    cacheKey: PoseCache.Key?
  ) async throws {
    self.cacheKey = cacheKey
    recording = cacheKey.map { PosedVideo(joints: $0.joints) }
    self.url = url
    self.options = options
    self.pool = pool
    self.number = number
    lookAhead = LookAhead(
      rules: options.subject.trackingRules, maximumPersonCount: options.subject.maximumCount)
    let frames = try await VideoReader.read(contentsOf: url)
    let segmenter = options.segmenter
    var segments = [VideoSegment.whole]
    if segmenter.splits(seconds: frames.videoDuration ?? 0) {
      segments = try await segmenter.segments(of: url)
    }
    self.segments = segments
    estimatedFrameCount = frames.estimatedFrameCount
    opened = Mutex(segments.count == 1 ? frames : nil)
    parts = Mutex(segments.map { _ in (DamageReport(), CameraMotion()) })
    let frameByteCount = max(1, Int(frames.frameSize.width * frames.frameSize.height) * 4)
    capacity = options.wantsPictures ? max(2, PosedFrame.waitingByteCount / frameByteCount) : nil
    start()
  }

  var processedCount: Int { processed.load(ordering: .relaxed) }

  var cameraSpeed: Double? {
    guard cacheKey != nil else { return nil }
    return parts.withLock { parts in
      parts.reduce(into: CameraMotion()) { $0.add($1.motion) }
    }.speed
  }

  var warnings: [String] {
    damage.sentences(about: url) + (cacheFailure.withLock { $0 }.map { [$0] } ?? [])
  }

  private var damage: DamageReport {
    parts.withLock { parts in
      parts.reduce(into: DamageReport()) { $0.add($1.damage) }
    }
  }

  func next() async throws -> PosedFrame? {
    while true {
      if let frame = ready.popFirst()?.posed {
        deliveredCount += 1
        recording?.append(frame)
        return frame
      }
      guard segment < segments.count else { break }
      let output = tasks.withLock { $0[segment].output }
      guard let frame = try await output.next() else {
        try Task.checkCancellation()
        endSegment()
        start()
        if segment == segments.count { ready += lookAhead.finish() }
        continue
      }
      if frame.number < segments[segment].start {
        warmUp.append(frame)
        continue
      }
      if let tracked = try await continued(frame) {
        ready += lookAhead.add(tracked)
        continue
      }
      if !warmUp.isEmpty {
        ready += lookAhead.beginSegment(warmUp)
        (warmUp, handOver) = ([], nil)
      }
      ready += lookAhead.add(frame)
    }
    if deliveredCount == 0 { throw VideoError.nothingDecoded(at: url, damage) }
    try await keep()
    return nil
  }

  /// The frame as the segment before tracks it; `nil` if its segment has found everybody.
  private func continued(_ frame: Tracked) async throws -> Tracked? {
    guard let last = warmUp.last else { return nil }
    if handOver == nil { ready += lookAhead.endSegment() }
    guard !lookAhead.agrees(with: last) else { return nil }
    if handOver == nil, let stream = streams.withLock({ $0[segment - 1] }) {
      handOver = try await HandOver(stream, into: segments[segment], ofFileAt: url)
    }
    guard let tracked = try await handOver?.tracked(frame) else { return nil }
    warmUp.removeFirst(max(0, warmUp.count - options.segmenter.warmUpFrameCount))
    warmUp.append(frame)
    warmUp[warmUp.count - 1].payload.picture = nil
    return tracked
  }

  private func endSegment() {
    if let handOver {
      // The segment has never found everybody.
      streams.withLock { $0[segment] = handOver.stream }
      (warmUp, self.handOver) = ([], nil)
    }
    streams.withLock { $0[segment - 1] = nil }
    segment += 1
  }

  /// Puts the poses into the cache.
  private func keep() async throws {
    guard var video = recording, let cacheKey, let cache = options.cache else { return }
    recording = nil
    video.cameraSpeed = cameraSpeed ?? 0
    video.warnings = damage.sentences(about: url)
    do {
      try await BlockingThread.run { [video, path = url.path] in
        try cache.store(video, for: cacheKey, path: path)
      }
    } catch let error as VisionError where !options.needsCache {
      cacheFailure.withLock { $0 = error.message }
    }
  }

  func stop() {}

  func cancel() {
    isCancelled.store(true, ordering: .relaxed)
    tasks.withLock { tasks in
      for (task, output) in tasks {
        task.cancel()
        output.close()
      }
    }
  }

  // MARK: - Segments

  /// Begins to process the segment that is read and those that follow.
  private func start() {
    // One more than threads, so that none waits for the reader.
    let count = min(segments.count, segment + pool.workerCount + 1)
    tasks.withLock { tasks in
      while tasks.count < count {
        let (index, output) = (tasks.count, FrameOutput<Tracked>(capacity: capacity))
        tasks.append((Task { await process(index, into: output) }, output))
      }
    }
  }

  private func process(_ index: Int, into output: FrameOutput<Tracked>) async {
    let rank = PosePool.Rank(source: number, segment: index)
    await pool.readingPlaces.take(rank)
    defer { pool.readingPlaces.giveBack() }
    do {
      let frames = try await frames(of: index)
      let stream = pool.makeStream(options.subject, rank: rank)
      var thinning = FrameThinning(rate: options.rate)
      var motion = CameraMotion()
      for try await frame in frames {
        guard !isCancelled.load(ordering: .relaxed) else { throw CancellationError() }
        let time = frame.id.rangeInSeconds.lowerBound
        let isWarmUp = frame.id.range.lowerBound < segments[index].start
        if cacheKey != nil, !isWarmUp { motion.add(frame.feature, at: time) }
        guard thinning.keeps(time) else { continue }
        if !isWarmUp { processed.add(1, ordering: .relaxed) }
        let people = try await stream.perform { try $0.people(in: frame.feature, at: time) }
        let tracked = Tracked(
          frame, people: people, keepsPicture: options.wantsPictures && !isWarmUp)
        try await output.send(tracked, pausing: pool.readingPlaces, rank: rank)
      }
      parts.withLock { [motion] in $0[index] = (frames.damage, motion) }
      streams.withLock { $0[index] = stream }
      output.finish()
    } catch {
      output.finish(error)
    }
  }

  private func frames(of index: Int) async throws -> AsyncFrames {
    guard !isCancelled.load(ordering: .relaxed) else { throw CancellationError() }
    let known = opened.withLock { opened in
      defer { opened = nil }
      return opened
    }
    if let known { return known }
    return try await VideoReader.read(segments[index], ofFileAt: url)
  }
}
