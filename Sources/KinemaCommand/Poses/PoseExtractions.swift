import Foundation
import Kinema
import Synchronization

/// The way from files to poses that the commands share: looks at several files at the same time, and
/// at long ones in segments.
///
/// Files are given out in the order of the list, while those that follow are looked at already.
final class PoseExtractions: Sendable {
  /// How many files and segments are looked at side by side, from the options.
  static let option = Option(
    "threads", value: "N", "Look at N files or segments at the same time (default: one a core).")

  let subject: PoseSubject
  private let files: [URL]
  private let pool: FilePosePool
  private let ahead = Mutex<[URL: Work]>([:])

  /// What is found out about a file.
  private enum Work {
    case video(Task<VideoPoses, any Error>)
    case stillImage(Task<FoundFrame, any Error>)

    func cancel() {
      switch self {
      case .video(let task): task.cancel()
      case .stillImage(let task): task.cancel()
      }
    }
  }

  /// - Parameters:
  ///   - files: The files, in the order in which they will be asked for.
  ///   - subject: What is looked for.
  ///   - threadCount: How many files and segments are looked at at the same time; one a core where it
  ///     is `nil`.
  init(_ files: [URL], subject: PoseSubject, threadCount: Int? = nil) {
    self.files = files
    self.subject = subject
    subject.precision.tellWhereMissing()
    pool = FilePosePool(
      threadCount: threadCount ?? ProcessInfo.processInfo.activeProcessorCount
    ) { subject.clipFinder() }
  }

  convenience init(_ files: [URL], subject: PoseSubject, _ arguments: Arguments) throws {
    self.init(
      files, subject: subject, threadCount: try arguments.integer("threads", within: 1...256))
  }

  deinit {
    ahead.withLock { $0.values.forEach { $0.cancel() } }
  }

  /// What is to be done with a file.
  func extraction(of file: URL) -> PoseExtraction {
    PoseExtraction(of: file, in: self, progressTitle: title(of: file))
  }

  /// Opens a video, and the files that follow it in the list.
  func open(_ file: URL) async throws -> VideoPoses {
    guard case .video(let task) = take(file) else {
      return try await pool.open(file)
    }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// The poses in a picture; the files that follow it in the list are opened.
  func look(atStill file: URL) async throws -> FoundFrame {
    guard case .stillImage(let task) = take(file) else {
      return try await pool.look(atStill: file)
    }
    return try await task.value
  }

  /// The work on a file, begun now or before; that on the files behind it is begun as well.
  private func take(_ file: URL) -> Work? {
    let first = files.firstIndex(of: file) ?? files.endIndex
    let wanted = [file] + files[first...].dropFirst().prefix(pool.threadCount)
    return ahead.withLock { ahead in
      for next in wanted where ahead[next] == nil { ahead[next] = begin(next) }
      return ahead.removeValue(forKey: file)
    }
  }

  private func begin(_ file: URL) -> Work? {
    let pool = pool
    let place = pool.takePlace()
    switch PoseExtraction.source(of: file) {
    case .video: return .video(Task { try await pool.open(file, place: place) })
    case .stillImage:
      return .stillImage(Task { try await pool.look(atStill: file, place: place) })
    case .poses: return nil
    }
  }

  /// What stands before the bar: the name, and the place where there are several.
  private func title(of file: URL) -> String {
    let name = file.lastPathComponent
    guard files.count > 1, let index = files.firstIndex(of: file) else { return name }
    return "\(index + 1) of \(files.count)  \(name)"
  }
}
