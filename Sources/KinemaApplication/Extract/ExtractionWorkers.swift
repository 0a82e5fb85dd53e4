import Foundation
import Glibc
import Kinema
import KinemaFiles
import Synchronization

/// The child processes, `kinema worker`, that extract videos and stay for the next ones; a video may
/// kill its child.
final class ExtractionWorkers: Sendable {
  enum Outcome: Sendable {
    case done
    /// The status and message of the child's answer.
    case failed(ExitStatus, String)
    /// What killed the child.
    case died(String)
  }

  /// How an attempt ended.
  struct Attempt: Sendable {
    var outcome: Outcome
    /// What the child has reported before, such as damage of the video.
    var messages: [String]
  }

  private let options: [String: WorkerRequest.Option]
  private let idle = Mutex<[ExtractionWorker]>([])
  /// What children have said of themselves, each once.
  private let notices = Mutex<Set<String>>([])

  /// - Parameter options: Those of `kinema pose`.
  init(options: [String: WorkerRequest.Option]) {
    self.options = options
  }

  /// Writes the poses of a video, whole or not at all; with cancellation, its child ends.
  ///
  /// - Parameter isFirst: Whether no child has died of the video: where one has, the video gets a child
  ///   that has had no other, so that it does not die of what another video has left behind.
  /// - Throws: ``CommandFailure`` where no process can be started.
  func extract(_ video: URL, to poses: URL, isFirst: Bool) async throws -> Attempt {
    let request: JSONObject = [
      "id": 1, "job": "poses", "input": video.absoluteURL.path,
      "options": options.merging([
        "no-cache": .flag(true), "threads": .value("1"),
        "output": .value(poses.absoluteURL.path),
      ]) { $1 },
    ]
    let line = try request.jsonText(isPretty: false)
    let worker = try worker(isWarm: isFirst)
    let attempt = try await withTaskCancellationHandler {
      try await BlockingThread.run { worker.attempt(line) }
    } onCancel: {
      worker.end()
    }
    switch attempt.outcome {
    case .died, .failed(.interrupted, _): worker.end()
    case .done, .failed: idle.withLock { $0.append(worker) }
    }
    return attempt
  }

  /// Whether a child says this of itself for the first time, such as what its processor lacks.
  func isNew(_ notice: String) -> Bool { notices.withLock { $0.insert(notice).inserted } }

  /// Ends the children, when no video is under way.
  func end() async throws {
    let workers = idle.withLock { idle in
      defer { idle = [] }
      return idle
    }
    for worker in workers { worker.end() }
    try await BlockingThread.run { for worker in workers { worker.wait() } }
  }

  private func worker(isWarm: Bool) throws -> ExtractionWorker {
    // One is started at a time: no child inherits the pipes of another one.
    try idle.withLock { idle in
      while let worker = idle.popLast() {
        if isWarm, worker.isRunning { return worker }
        worker.end()
        if !isWarm { break }
      }
      return try ExtractionWorker()
    }
  }
}

/// A running `kinema worker`, which does one job at a time; it ends with its input.
private final class ExtractionWorker: Sendable {
  private struct Answer: Decodable {
    struct Failure: Decodable {
      let status: Int32
      let message: String
    }
    let error: Failure?
    /// What the job prints while it runs.
    let message: String?
    /// How long the job ran, which only the answer with its result has.
    let seconds: Double?

    /// The end of a job; `nil` for other answers.
    var outcome: ExtractionWorkers.Outcome? {
      if let error {
        guard let status = ExitStatus(rawValue: error.status), status != .internal else {
          return .died("failed: \(error.message)")
        }
        return .failed(status, error.message)
      }
      return seconds == nil ? nil : .done
    }
  }

  /// The most messages of a job that are kept.
  private static let mostMessages = 16

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init() throws {
    process.executableURL = InstalledResource.executable
    process.arguments = ["worker"]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      throw CommandFailure(.tryAgain, "No process can be started: \(error.localizedDescription)")
    }
  }

  var isRunning: Bool { process.isRunning }

  func end() { if process.isRunning { kill(process.processIdentifier, SIGTERM) } }

  func wait() { process.waitUntilExit() }

  /// Sends a request and waits for its last answer.
  func attempt(_ request: Data) -> ExtractionWorkers.Attempt {
    // A child that has died takes nothing, and its answers end.
    try? input.fileHandleForWriting.write(contentsOf: request)
    var messages: [String] = []
    var bytes = Data()
    while true {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else {
        return ExtractionWorkers.Attempt(outcome: death(), messages: messages)
      }
      bytes += more
      while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        let line = bytes[..<end]
        bytes = Data(bytes[bytes.index(after: end)...])
        let answer = try? JSONDecoder().decodeForeign(Answer.self, from: line)
        if let outcome = answer?.outcome {
          return ExtractionWorkers.Attempt(outcome: outcome, messages: messages)
        }
        if let message = answer?.message, messages.count < Self.mostMessages {
          messages.append(message)
        }
      }
    }
  }

  private func death() -> ExtractionWorkers.Outcome {
    process.waitUntilExit()
    let status = process.terminationStatus
    guard process.terminationReason == .exit else { return .died("was killed by signal \(status)") }
    if status == ExitStatus.interrupted.rawValue { return .failed(.interrupted, "") }
    return .died("ended with status \(status)")
  }
}
