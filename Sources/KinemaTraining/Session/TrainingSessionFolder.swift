import Foundation
import KinemaPose

/// The folder of a training session: its checkpoint and its log.
struct TrainingSessionFolder: Sendable {
  let url: URL
  var checkpointURL: URL { url.appending(path: "checkpoint") }
  var logURL: URL { url.appending(path: "training.jsonl") }

  /// Names the folder, which is made where it is missing.
  ///
  /// - Throws: ``TrainingError`` where it cannot be made.
  init(_ url: URL) throws {
    self.url = url
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw TrainingError(
        .unwritable,
        "The session folder “\(url.path)” cannot be made; choose a place that is writable.",
        cause: error)
    }
  }

  /// Works in the folder while no other session does; the system ends the lock with the process.
  ///
  /// - Throws: ``TrainingError`` where the folder cannot be written, or another session works in it.
  func locked<Result>(_ work: () throws -> Result) throws -> Result {
    let lock = open(url.appending(path: "lock").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard lock >= 0 else {
      throw TrainingError(
        .unwritable, "The session folder “\(url.path)” cannot be written; choose another place.")
    }
    defer { close(lock) }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      throw TrainingError(
        .badParameter,
        "Another session trains in “\(url.path)”; wait for it, or choose another session folder.")
    }
    return try work()
  }

  /// The checkpoint, if there is one.
  ///
  /// - Throws: ``TrainingError`` where it is damaged or belongs to another training.
  func checkpoint(of identity: TrainingCheckpoint.Identity) throws -> TrainingCheckpoint? {
    guard FileManager.default.fileExists(atPath: checkpointURL.path) else { return nil }
    let checkpoint = try TrainingCheckpoint(contentsOf: checkpointURL)
    guard checkpoint.identity != identity else { return checkpoint }
    let what =
      checkpoint.identity.parameters == identity.parameters
      ? "on other data" : "with other parameters"
    throw TrainingError(
      .badCheckpoint,
      "“\(url.path)” keeps a training \(what); choose another session folder, or start anew with "
        + "--restart.")
  }

  /// Removes checkpoint and log.
  func clear() throws {
    for file in [checkpointURL, logURL] where FileManager.default.fileExists(atPath: file.path) {
      do {
        try FileManager.default.removeItem(at: file)
      } catch {
        throw TrainingError(.unwritable, "“\(file.path)” cannot be removed.", cause: error)
      }
    }
  }

  /// Makes the log tell what the checkpoint knows, no more and no less.
  func rewriteLog(_ history: [TrainingMetrics]) throws {
    var data = Data()
    for metrics in history { data += metrics.jsonLine + Data("\n".utf8) }
    do {
      try WholeFile.write(data, to: logURL)
    } catch {
      throw TrainingError(
        .unwritable, "The log “\(logURL.path)” cannot be written (\(error)).", cause: error)
    }
  }

  /// Adds a line to the log, in one piece.
  func appendToLog(_ metrics: TrainingMetrics) throws {
    let line = Array(metrics.jsonLine) + [UInt8(ascii: "\n")]
    let descriptor = open(logURL.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    defer { if descriptor >= 0 { close(descriptor) } }
    guard descriptor >= 0, write(descriptor, line, line.count) == line.count else {
      throw TrainingError(.unwritable, "The log “\(logURL.path)” cannot be written.")
    }
  }
}
