package import Foundation

/// Threads that find people in the frames of many streams, each with networks of its own.
///
/// A thread that is free takes the stream that waits and was served least recently, and works through
/// what it has: first all its jobs, then its newest frame. So none starves, whatever the others
/// send, and at no time do two threads work on one stream. Networks are loaded once a thread, not once
/// a stream.
package final class PosePool: Sendable {
  /// How the threads do.
  package struct Load: Sendable {
    /// How many threads there are.
    package var workerCount: Int
    /// How long the threads have worked, in seconds of all of them together.
    package var busySeconds: TimeInterval
    /// How many frames were looked at.
    package var frameCount: Int
    /// How long a frame keeps a thread, in seconds, averaged over the last ones; `nil` before the
    /// first.
    package var secondsPerFrame: TimeInterval?
    /// How many streams wait for a thread.
    package var waitingCount: Int
  }

  /// How many threads there are.
  package let workerCount: Int
  private let queue = PoseQueue()

  /// Starts the threads; each begins with loading its networks.
  ///
  /// - Parameters:
  ///   - workerCount: How many threads there are, at least 1; by default one for each processor.
  ///   - precision: The arithmetic of the networks.
  ///   - runtime: Where the parts are.
  package init(
    workerCount: Int = ProcessInfo.processInfo.activeProcessorCount,
    precision: HumanBodyPoseExtractor.Precision = .full, runtime: VisionRuntime = .located()
  ) {
    precondition(workerCount > 0, "A PosePool needs at least one thread.")
    self.workerCount = workerCount
    for number in 0..<workerCount {
      let queue = queue
      let thread = Thread {
        var worker = PoseLook(precision: precision, runtime: runtime)
        // What is missing is told where the networks are used.
        try? worker.load()
        queue.work(with: &worker)
      }
      thread.name = "kinema.pose.\(number)"
      thread.start()
    }
  }

  deinit {
    queue.end()
  }

  /// Waits until networks are loaded.
  ///
  /// - Throws: ``VisionError`` where a part is missing.
  package func prepare() async throws {
    try await makeStream().perform { try $0.load() }
  }

  /// A stream of frames whose people are followed.
  ///
  /// - Parameter maximumPersonCount: How many people are followed at most, at least 1.
  package func makeStream(maximumPersonCount: Int = 4) -> PoseStream {
    PoseStream(queue: queue, maximumPersonCount: maximumPersonCount)
  }

  /// How the threads do.
  package var load: Load { queue.load(workerCount: workerCount) }

  /// Ends the threads when what waits is done; streams take nothing more.
  package func end() {
    queue.end()
  }
}
