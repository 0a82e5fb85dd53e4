import Foundation
import KinemaFiles
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
  private let shared: Mutex<Shared>

  /// What the tasks of the segments and the one that reads share.
  private struct Shared {
    /// The file, open for the task that processes all of it.
    var opened: AsyncFrames?
    /// The damage and the motion of each segment.
    var parts: [(damage: DamageReport, motion: CameraMotion)]
    var tasks: [(task: Task<Void, Never>, output: FrameOutput<Tracked>)] = []
    /// The streams of segments that were processed to their ends.
    var streams: [Int: PoseStream] = [:]
    var cacheFailure: String?
  }

  // Touched by the one task that reads.
  private var order: SegmentOrder<PosedFrame>
  private var handOver: HandOver?
  private var deliveredCount = 0
  private let cacheKey: PoseCache.Key?
  private var recording: PosedVideo?

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
    let frames = try await VideoReader.read(ofFileAt: url, isOnDemand: options.rate != .all)
    let segmenter = options.segmenter
    var segments = [VideoSegment.whole]
    if segmenter.splits(seconds: frames.videoDuration ?? 0) {
      segments = try await segmenter.segments(of: url)
    }
    self.segments = segments
    estimatedFrameCount = frames.estimatedFrameCount
    shared = Mutex(
      Shared(
        opened: segments.count == 1 ? frames : nil,
        parts: segments.map { _ in (DamageReport(), CameraMotion()) }))
    order = SegmentOrder(
      starts: segments.map(\.start), warmUpFrameCount: segmenter.warmUpFrameCount,
      lookAhead: LookAhead(
        rules: options.subject.trackingRules, maximumPersonCount: options.subject.maximumCount))
    let frameByteCount = max(1, Int(frames.frameSize.width * frames.frameSize.height) * 4)
    capacity = options.wantsPictures ? max(2, PosedFrame.waitingByteCount / frameByteCount) : nil
    start()
  }

  var processedCount: Int { processed.load(ordering: .relaxed) }

  var cameraSpeed: Double? {
    guard cacheKey != nil else { return nil }
    return shared.withLock { shared in
      shared.parts.reduce(into: CameraMotion()) { $0.add($1.motion) }
    }.speed
  }

  var warnings: [String] {
    damage.sentences(about: url) + (shared.withLock { $0.cacheFailure }.map { [$0] } ?? [])
  }

  private var damage: DamageReport {
    shared.withLock { shared in
      shared.parts.reduce(into: DamageReport()) { $0.add($1.damage) }
    }
  }

  func next() async throws -> PosedFrame? {
    while true {
      switch order.next() {
      case .report(let frame):
        let frame = frame.posed
        deliveredCount += 1
        recording?.append(frame)
        return frame
      case .read(let segment):
        let output = shared.withLock { $0.tasks[segment].output }
        guard let frame = try await output.next() else {
          try Task.checkCancellation()
          end(segment)
          continue
        }
        order.take(frame)
        if !order.isContinued { handOver = nil }
      case .track(let frame, let isFirst):
        order.takeContinued(try await continued(frame, isFirst: isFirst))
        if !order.isContinued { handOver = nil }
      case .end:
        if deliveredCount == 0 { throw VideoError.nothingDecoded(at: url, damage) }
        try await keep()
        return nil
      }
    }
  }

  /// The frame as the segment before tracks it.
  private func continued(_ frame: Tracked, isFirst: Bool) async throws -> Tracked? {
    if isFirst, let stream = shared.withLock({ $0.streams[order.segment - 1] }) {
      handOver = try await HandOver(stream, into: segments[order.segment], ofFileAt: url)
    }
    return try await handOver?.tracked(frame)
  }

  /// Ends a segment; the stream that tracks its last people is kept.
  private func end(_ segment: Int) {
    shared.withLock { shared in
      if let handOver { shared.streams[segment] = handOver.stream }
      shared.streams[segment - 1] = nil
    }
    handOver = nil
    order.take(nil)
    start()
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
      shared.withLock { $0.cacheFailure = error.message }
    }
  }

  func stop() {}

  func cancel() {
    isCancelled.store(true, ordering: .relaxed)
    shared.withLock { shared in
      for (task, output) in shared.tasks {
        task.cancel()
        output.close()
      }
    }
  }

  // MARK: - Segments

  /// Begins to process the segment that is read and those that follow.
  private func start() {
    // One more than threads, so that none waits for the reader.
    let count = min(segments.count, order.segment + pool.workerCount + 1)
    shared.withLock { shared in
      while shared.tasks.count < count {
        let (index, output) = (shared.tasks.count, FrameOutput<Tracked>(capacity: capacity))
        shared.tasks.append((Task { await process(index, into: output) }, output))
      }
    }
  }

  private func process(_ index: Int, into output: FrameOutput<Tracked>) async {
    let rank = PosePool.Rank(source: number, segment: index)
    await pool.readingSemaphore.acquire(rank)
    defer { pool.readingSemaphore.release() }
    do {
      let frames = try await frames(of: index)
      let stream = pool.makeStream(options.subject, rank: rank)
      var thinning = FrameThinning(rate: options.rate)
      var motion = CameraMotion()
      var last: Double?
      var iterator = frames.makeAsyncIterator()
      while let frame = try await iterator.next(from: thinning.next) {
        guard !isCancelled.load(ordering: .relaxed) else { throw CancellationError() }
        let time = frame.id.rangeInSeconds.lowerBound
        let isWarmUp = frame.id.range.lowerBound < segments[index].start
        if cacheKey != nil, !isWarmUp { motion.add(frame.feature, at: time) }
        guard thinning.keeps(time) else { continue }
        if !isWarmUp {
          processed.add(count(from: last, to: time, frames), ordering: .relaxed)
          last = time
        }
        let people = try await stream.perform { try $0.people(in: frame.feature, at: time) }
        thinning.note(
          people.map(\.pose), at: time, size: (frame.feature.width, frame.feature.height))
        let tracked = Tracked(
          frame, people: people, keepsPicture: options.wantsPictures && !isWarmUp)
        try await output.send(tracked, pausing: pool.readingSemaphore, rank: rank)
      }
      shared.withLock { [motion] shared in
        shared.parts[index] = (frames.damage, motion)
        shared.streams[index] = stream
      }
      output.finish()
    } catch {
      output.finish(error)
    }
  }

  /// The frames that are done with one that was processed, those before it that were left out among them.
  private func count(from last: Double?, to time: Double, _ frames: AsyncFrames) -> Int {
    guard let last, options.rate != .all, frames.nominalFrameRate > 0 else { return 1 }
    return max(1, Int(saturating: ((time - last) * Double(frames.nominalFrameRate)).rounded()))
  }

  private func frames(of index: Int) async throws -> AsyncFrames {
    guard !isCancelled.load(ordering: .relaxed) else { throw CancellationError() }
    let opened = shared.withLock { shared in
      defer { shared.opened = nil }
      return shared.opened
    }
    if let opened { return opened }
    return try await VideoReader.read(
      segments[index], ofFileAt: url, isOnDemand: options.rate != .all)
  }
}
