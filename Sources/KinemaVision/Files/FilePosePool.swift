package import Foundation
import KinemaStreams
package import KinemaVideo
import Synchronization

/// Finds the poses in video files and pictures, on several threads at the same time.
///
/// Long videos are looked at in segments (``VideoSegmenter``), each by one worker with networks of its
/// own; several files are looked at side by side. What is found depends on neither the number of
/// workers nor on which of them does what: segments lie where the file has them, each begins with
/// nobody being followed, and ``SeamJoiner`` says who is who.
package final class FilePosePool: Sendable {
  /// A piece of work for one worker.
  private struct Job {
    /// What comes first is done first.
    let place: (file: Int, segment: Int)
    let run: @Sendable (ClipPoseFinder) async -> Void
  }

  private struct State {
    var jobs: [Job] = []
    var workerCount = 0
    var idleFinders: [ClipPoseFinder] = []
    var nextFile = 0
  }

  /// How many workers there are at most.
  package let threadCount: Int
  private let segmenter: VideoSegmenter
  private let makeFinder: @Sendable () -> ClipPoseFinder
  private let state = Mutex(State())

  /// Creates a pool; workers start when there is work for them.
  ///
  /// - Parameters:
  ///   - threadCount: How many workers there are at most; by default one for each processor.
  ///   - segmenter: Says where segments lie.
  ///   - makeFinder: Makes what a worker finds poses with.
  package init(
    threadCount: Int = ProcessInfo.processInfo.activeProcessorCount,
    segmenter: VideoSegmenter = VideoSegmenter(),
    makeFinder: @escaping @Sendable () -> ClipPoseFinder
  ) {
    self.threadCount = max(1, threadCount)
    self.segmenter = segmenter
    self.makeFinder = makeFinder
  }

  /// Takes a place in the order of files, before the file is opened: work on files whose places were
  /// taken earlier goes first.
  package func takePlace() -> Int {
    state.withLock { state in
      defer { state.nextFile += 1 }
      return state.nextFile
    }
  }

  /// Opens a video and begins to look at it.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - place: Its place in the order; the next one where it is `nil`.
  ///   - observe: Is shown each frame on the thread of the worker that looks at it, with its time in
  ///     seconds and the number of its segment: frames of a segment in order, segments at the same time.
  /// - Throws: ``VideoError`` where the file cannot be read as a video; `CancellationError`.
  package func open(
    _ url: URL, place: Int? = nil,
    observe: (@Sendable (_ segment: Int, _ frame: Frame, _ time: TimeInterval) -> Void)? = nil
  ) async throws -> VideoPoses {
    let place = place ?? takePlace()
    let frames = try await VideoReader.read(contentsOf: url)
    var segments = [VideoSegment.whole]
    if frames.videoDuration ?? 0 >= segmenter.minimumLength + segmenter.minimumRest {
      segments = try await segmenter.segments(of: url)
    }
    let work = VideoWork(url: url, segments: segments, observe: observe)
    if segments.count == 1 { work.keep(frames) }
    let poses = VideoPoses(frames, work: work, lead: threadCount + 1) { number, output in
      self.submit(Job(place: (place, number)) { await work.look(at: number, with: $0, output) })
    }
    poses.start()
    return poses
  }

  /// The poses in a picture.
  ///
  /// - Throws: ``VideoError`` where the file is no picture.
  package func look(atStill url: URL, place: Int? = nil) async throws -> FoundFrame {
    let place = place ?? takePlace()
    return try await withCheckedThrowingContinuation { continuation in
      submit(
        Job(place: (place, 0)) { finder in
          do {
            let frame = try await BlockingThread.run { try Frame(contentsOf: url) }
            continuation.resume(
              returning: FoundFrame(
                id: TemporalSegmentIdentifier(source: url.path, range: 0..<1, timescale: 1),
                width: frame.width, height: frame.height,
                poses: try await finder.stillPoses(frame)))
          } catch {
            continuation.resume(throwing: error)
          }
        })
    }
  }

  // MARK: - Workers

  private func submit(_ job: Job) {
    let mustStart = state.withLock { state in
      let index = state.jobs.firstIndex { $0.place > job.place } ?? state.jobs.endIndex
      state.jobs.insert(job, at: index)
      guard state.workerCount < threadCount else { return false }
      state.workerCount += 1
      return true
    }
    if mustStart { Task.detached { await self.work() } }
  }

  private func work() async {
    let finder = state.withLock { $0.idleFinders.popLast() } ?? makeFinder()
    while let job = nextJob(givingBack: finder) { await job.run(finder) }
  }

  /// The next job; where there is none, the worker ends and leaves its finder to the next one.
  private func nextJob(givingBack finder: ClipPoseFinder) -> Job? {
    state.withLock { state in
      guard state.jobs.isEmpty else { return state.jobs.removeFirst() }
      state.workerCount -= 1
      state.idleFinders.append(finder)
      return nil
    }
  }
}
