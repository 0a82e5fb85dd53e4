import Foundation
import Kinema
import Synchronization

/// The files of a command, with the poses in their frames: several files, and segments of long
/// ones, are processed side by side.
///
/// Files are read in the order of the list, while those that follow are processed already.
final class PosedFiles: Sendable {
  let options: FrameSource.Options
  private let files: [URL]
  /// The place of each file in the list.
  private let places: [URL: Int]
  private let pool: PosePool
  private let ahead = Mutex<[URL: FrameSource]>([:])

  /// Without `threadCount`, as many files and segments are processed at a time as there are cores.
  init(_ files: [URL], options: FrameSource.Options, threadCount: Int? = nil) {
    self.files = files
    places = Dictionary(zip(files, files.indices)) { first, _ in first }
    self.options = options
    options.subject.settings.reportSubstitutes()
    pool = .shared(
      workerCount: threadCount ?? ProcessInfo.processInfo.activeProcessorCount)
  }

  /// The frames of a file; those of the files that follow it in the list are processed as well.
  func frames(of file: URL) -> FrameSource {
    let first = places[file] ?? files.endIndex
    let wanted = [file] + files[first...].dropFirst().prefix(pool.workerCount)
    return ahead.withLock { ahead in
      for next in wanted where ahead[next] == nil {
        let source = FrameSource(contentsOf: next, options: options, pool: pool)
        source.start()
        ahead[next] = source
      }
      return ahead.removeValue(forKey: file)
        ?? FrameSource(contentsOf: file, options: options, pool: pool)
    }
  }

  /// Reads the frames of a file, showing progress; at its end damage is reported.
  func forEachFrame(
    of file: URL, _ body: (PosedFrame) async throws -> Void
  ) async throws {
    let frames = frames(of: file)
    try await frames.forEachFrame(titled: title(of: file), body)
    for warning in frames.warnings {
      StandardStreams.printMessage("kinema: \(file.lastPathComponent): \(warning)")
    }
  }

  /// Reads the frames of a file, each with the pose of the prominent person, if any.
  func forEachProminentPose(
    of file: URL, _ body: (_ pose: Pose?, _ frame: PosedFrame) -> Void
  ) async throws {
    var selector = ProminentPersonSelector()
    try await forEachFrame(of: file) { frame in
      body(selector.select(from: frame.poses, at: frame.time), frame)
    }
  }

  /// The file's name for the progress bar, with its place where there are several.
  private func title(of file: URL) -> String {
    let name = file.lastPathComponent
    guard files.count > 1, let index = places[file] else { return name }
    return "\(index + 1) of \(files.count)  \(name)"
  }
}

extension FrameSource {
  /// The frames of a stream that was named on the command line.
  convenience init(_ operand: StreamOperand, options: Options) {
    options.subject.settings.reportSubstitutes()
    var options = options
    options.report = { StandardStreams.printMessage("kinema: \($0)") }
    self.init(operand.source, options: options, pool: .shared(workerCount: 1))
  }

  func forEachFrame(
    titled title: String, _ body: (PosedFrame) async throws -> Void
  ) async throws {
    var progress: ProgressBar?
    defer { progress?.finish() }
    for try await frame in self {
      if progress == nil, kind == .video || kind == .stream {
        progress = ProgressBar(title, total: estimatedFrameCount)
      }
      try StandardStreams.checkOutput()
      try await body(frame)
      progress?.update(kind == .stream ? frame.index + 1 : processedCount)
    }
  }

  /// Reads all frames of a stream until it ends or is stopped, showing progress.
  func forEachFrame(
    of operand: StreamOperand, until stop: StopRequest,
    _ body: (PosedFrame) async throws -> Void
  ) async throws {
    stop.whenRequested { [weak self] in self?.stop() }
    try await forEachFrame(titled: operand.source.name, body)
    for warning in warnings { StandardStreams.printMessage("kinema: \(warning)") }
  }
}
