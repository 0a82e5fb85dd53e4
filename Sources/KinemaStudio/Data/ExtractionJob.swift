import Foundation
import KinemaFiles
import KinemaStreams
import KinemaTraining
import Synchronization

/// The extraction of the poses of all media of a project.
///
/// Each video's poses are kept when they are complete. A mark in the cache lets the work continue
/// after the process was killed.
package final class ExtractionJob: Sendable {
  package enum State: String, Codable, Sendable {
    case idle, running, failed
  }

  package struct Status: Sendable {
    package var state = State.idle
    /// From 0 to 1.
    package var fraction = 0.0
    package var secondsLeft: Double?
    /// A file that could not be read, if any.
    package var file: String?
    package var text: StudioMessage?
  }

  private struct Work {
    var status = Status()
    var task: Task<Void, Never>?
  }

  private let project: Project
  private let jobCount: @Sendable () -> Int
  private let work = Mutex(Work())

  /// - Parameter jobCount: How many videos are processed at the same time.
  init(_ project: Project, jobCount: @escaping @Sendable () -> Int) {
    self.project = project
    self.jobCount = jobCount
  }

  deinit { work.withLock { $0.task?.cancel() } }

  package var status: Status { work.withLock { $0.status } }

  /// Continues what was under way when the process ended.
  package func resume() {
    if FileVersion(mark) != nil { start() }
  }

  /// Starts, unless it runs.
  package func start() {
    work.withLock { work in
      guard work.status.state != .running else { return }
      work.status = Status(state: .running)
      work.task = Task(executorPreference: BlockingTasks.threads) { [weak self] in
        await self?.run()
      }
    }
  }

  /// Ends the work; it continues with the next start.
  package func cancel() async {
    let task = work.withLock { $0.task }
    task?.cancel()
    await task?.value
  }

  /// Waits until it is done.
  package func finish() async { await work.withLock { $0.task }?.value }

  private var mark: URL { project.folder.poses.appending(path: "extracting") }

  private func run() async {
    do {
      try Project.storing(.poses) {
        try FileManager.default.createDirectory(
          at: project.folder.poses, withIntermediateDirectories: true)
        try WholeFile.write(Data(), to: mark)
      }
      var configuration = project.extraction
      configuration.jobCount = max(1, jobCount())
      configuration.isInBackground = true
      let media = try project.media()
      let extractor = FeatureExtractor(configuration: configuration)
      let failures = try await extractor.extractPoses(
        of: media.sorted { $0.key < $1.key }.map(\.value)
      ) { [weak self] progress in
        self?.work.withLock { work in
          // Checking reads each file once; extracting takes the time.
          guard progress.phase == .extracting else { return }
          work.status.fraction = progress.fractionCompleted
          work.status.secondsLeft = progress.secondsRemaining
        }
      }
      removeMark()
      end(Status(state: .idle, fraction: 1, text: failures.first.map { .badData($0) }))
    } catch is CancellationError {
      end(Status())
    } catch {
      removeMark()
      end(Status(state: .failed, text: StudioError.text(of: error)))
    }
  }

  private func removeMark() {
    // Where it stays, the next start finds that all is done.
    try? FileManager.default.removeItem(at: mark)
  }

  private func end(_ status: Status) { work.withLock { $0.status = status } }
}
