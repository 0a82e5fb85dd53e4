import Foundation
import KinemaFiles

struct TrainingSessionFolder: Sendable {
  let url: URL
  var checkpointURL: URL { url.appending(path: "checkpoint") }
  var logURL: URL { url.appending(path: "training.jsonl") }

  /// Creates the folder if necessary; throws ``TrainingError`` if it cannot be created.
  init(_ url: URL) throws {
    self.url = url
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw TrainingError(.unwritable, MessageText("readOnly", ["file": url.path]), cause: error)
    }
  }

  /// Runs with exclusive access to the folder; the system releases the lock with the process;
  /// throws ``TrainingError`` if the folder is not writable or in use.
  func locked<Result>(_ work: () throws -> Result) throws -> Result {
    let lock: FileLock?
    do {
      lock = try FileLock(url.appending(path: "lock"))
    } catch {
      throw TrainingError(.unwritable, MessageText("readOnly", ["file": url.path]), cause: error)
    }
    guard let lock else {
      throw TrainingError(.badParameter, MessageText("otherTraining", ["folder": url.path]))
    }
    return try withExtendedLifetime(lock) { try work() }
  }

  /// The checkpoint, if any; throws ``TrainingError`` if it is damaged.
  func checkpoint() throws -> TrainingCheckpoint? {
    guard FileManager.default.fileExists(atPath: checkpointURL.path) else { return nil }
    return try TrainingCheckpoint(contentsOf: checkpointURL)
  }

  /// The checkpoint, if any; throws ``TrainingError`` if it is damaged or of another training.
  func checkpoint(of identity: TrainingCheckpoint.Identity) throws -> TrainingCheckpoint? {
    guard let checkpoint = try checkpoint() else { return nil }
    guard checkpoint.identity != identity else { return checkpoint }
    let what =
      checkpoint.identity.parameters == identity.parameters
      ? "on other data" : "with other parameters"
    throw TrainingError(
      .badCheckpoint,
      "“\(url.path)” has a training \(what); choose another session folder, or restart with "
        + "--restart.", text: MessageText("badCheckpoint"))
  }

  func clear() throws {
    for file in [checkpointURL, logURL] where FileManager.default.fileExists(atPath: file.path) {
      do {
        try FileManager.default.removeItem(at: file)
      } catch {
        throw TrainingError(
          .unwritable, "“\(file.path)” cannot be removed.",
          text: MessageText("readOnly", ["file": file.path]), cause: error)
      }
    }
  }

  func rewriteLog(_ history: [TrainingMetrics]) throws {
    var data = Data()
    for metrics in history { data += metrics.jsonLine + Data("\n".utf8) }
    do {
      try WholeFile.write(data, to: logURL)
    } catch {
      throw TrainingError(.unwritable, reporting: error)
    }
  }

  func appendToLog(_ metrics: TrainingMetrics) throws {
    let line = Array(metrics.jsonLine) + [UInt8(ascii: "\n")]
    let descriptor = open(logURL.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    defer { if descriptor >= 0 { close(descriptor) } }
    let count = descriptor < 0 ? -1 : write(descriptor, line, line.count)
    guard count == line.count else {
      // A part of it is what a full disk still takes.
      let failure = WholeFile.Failure(logURL, number: count < 0 ? errno : ENOSPC)
      throw TrainingError(.unwritable, reporting: failure)
    }
  }
}
