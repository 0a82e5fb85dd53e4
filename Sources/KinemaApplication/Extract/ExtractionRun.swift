import Foundation
import Kinema
import KinemaFiles

/// Extracts videos into a folder, in child processes, and records every attempt.
struct ExtractionRun: Sendable {
  let folder: URL
  let workers: ExtractionWorkers

  /// The row of a video: what is known, or what an attempt now gives; `nil` where another process
  /// works on it and `waits` is false.
  ///
  /// - Throws: ``CommandFailure`` where no video can be extracted: a part is missing, or the folder
  ///   cannot be written.
  func row(for video: ExtractionManifest.Video, waits: Bool) async throws -> ExtractionRow? {
    if let problem = video.problem ?? obstacle(to: video) {
      return ExtractionRow(video: video.name, failure: .permanent, attempts: 0, error: problem)
    }
    let url = folder.appending(path: video.record)
    var record = try ExtractionRecord(url)
    while record == nil, waits {
      try await Task.sleep(for: .milliseconds(250))
      record = try ExtractionRecord(url)
    }
    guard let record else { return nil }
    var isFirst = true
    while true {
      try Task.checkCancellation()
      if let row = knownRow(for: video, record, isFirst: isFirst) { return row }
      isFirst = false
      try await attempt(video, record)
    }
  }

  /// Why the files of a video cannot be written: a folder or a file of other videos is in their place.
  private func obstacle(to video: ExtractionManifest.Video) -> String? {
    for file in [video.poses, video.record] {
      var (path, needsFolder) = (folder.appending(path: file), false)
      while path.path.utf8.count > folder.path.utf8.count {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path.path, isDirectory: &isFolder),
          isFolder.boolValue != needsFolder
        {
          return "\(path.path) is a \(needsFolder ? "file" : "folder") of other videos: rename "
            + "\(video.name)."
        }
        (path, needsFolder) = (path.deletingLastPathComponent(), true)
      }
    }
    return nil
  }

  /// The row of a video that needs no attempt.
  ///
  /// - Parameter isFirst: Whether this run has made no attempt yet.
  private func knownRow(
    for video: ExtractionManifest.Video, _ record: ExtractionRecord, isFirst: Bool
  ) -> ExtractionRow? {
    var row = ExtractionRow(video: video.name, attempts: record.attempts)
    let last = record.last
    if last?.status == .done {
      // Poses whose file was removed are extracted again.
      let poses = folder.appending(path: video.poses)
      guard FileManager.default.fileExists(atPath: poses.path) else { return nil }
      row.poses = video.poses
      row.seconds = last?.seconds
      row.error = last?.error
      return row
    }
    row.error = last?.error
    if last?.kind == .permanent || record.deaths >= ExtractionRecord.deathLimit {
      row.failure = .permanent
      row.error = row.error ?? "\(record.deaths) attempts ended with their process."
      return row
    }
    guard !isFirst, last?.status == .failed else { return nil }
    row.failure = .transient
    return row
  }

  private func attempt(
    _ video: ExtractionManifest.Video, _ record: ExtractionRecord
  ) async throws {
    let poses = folder.appending(path: video.poses)
    try OutputTarget.makeFolder(poses.deletingLastPathComponent())
    let isFirst = record.deaths == 0
    var event = ExtractionRecord.Event(attempt: try record.begin())
    let start = ContinuousClock.now
    let result: ExtractionWorkers.Attempt
    do {
      result = try await workers.extract(video.url, to: poses, isFirst: isFirst)
    } catch {
      event.status = .withdrawn
      try record.add(event)
      throw error
    }
    let isCancelled = Task.isCancelled
    let damage = report(result.messages, about: video)
    switch result.outcome {
    case .done:
      event.status = .done
      event.error = damage.isEmpty ? nil : damage.joined(separator: " ")
      event.seconds = ((ContinuousClock.now - start) / .milliseconds(1)).rounded() / 1000
    case .failed(.interrupted, _),
      .died where isCancelled:
      event.status = .withdrawn
    case .failed(let status, let message):
      let isShared = [.unavailable, .inputOutput].contains(status)
      event.status = isShared ? .withdrawn : .failed
      event.kind = [.usage, .badData].contains(status) ? .permanent : .transient
      event.error = message
      try record.add(event)
      if isShared { throw CommandFailure(status, message) }
      StandardStreams.printMessage("kinema: \(video.name): \(message)")
      return
    case .died(let reason):
      event.status = .died
      event.error = "Attempt \(event.attempt) \(reason)."
      StandardStreams.printMessage("kinema: \(video.name): attempt \(event.attempt) \(reason).")
    }
    try record.add(event)
  }

  /// Prints what a child has reported, and returns what of it is about the video: its damage.
  private func report(_ messages: [String], about video: ExtractionManifest.Video) -> [String] {
    // A command puts the file's name before what it says of it.
    let name = FolderContents.shown(Array(video.url.lastPathComponent.utf8)) + ": "
    var damage: [String] = []
    for message in messages {
      if message.hasPrefix(name) {
        let sentence = String(message.dropFirst(name.count))
        StandardStreams.printMessage("kinema: \(video.name): \(sentence)")
        damage.append(sentence)
      } else if workers.isNew(message) {
        StandardStreams.printMessage("kinema: \(message)")
      }
    }
    return damage
  }
}
