import Foundation
import KinemaPose
import KinemaStreams
import KinemaVideo
import KinemaVision
import Synchronization

/// One run over a list of files, several at the same time.
struct ExtractionRun: Sendable {
  /// A file and what is said about it.
  struct File: Sendable {
    let url: URL
    let annotations: [ActionAnnotation]
  }

  /// What became of a file.
  struct Result: Sendable {
    var description: VideoDescription?
    var failure: DataFinding?
    /// One for each annotation, unless the file could not be read.
    var stretches: [(example: ActionExample?, findings: [DataFinding])] = []
  }

  /// Stands for the file's path in sentences that are kept.
  private static let pathMark = "{file}"

  let configuration: FeatureExtractor.Configuration
  let cache: FeatureCache
  /// Looks at the videos, those of several jobs at the same time.
  let pool: FilePosePool
  let progress: (@Sendable (ExtractionProgress) -> Void)?

  /// What becomes of each file.
  func results(for files: [File]) async throws -> [Result] {
    var results = [Result](repeating: Result(), count: files.count)
    let sizes = files.map { file -> Double in
      let attributes = try? FileManager.default.attributesOfItem(atPath: file.url.path)
      return (attributes?[.size] as? NSNumber)?.doubleValue ?? 0
    }
    let checking = ProgressTracker(.checking, weights: sizes, handler: progress)
    let hashes = try await forEach(Array(files.indices)) { index in
      defer { checking.finish(index) }
      return try await orFailure(files[index].url) {
        try await cache.contentHash(of: files[index].url)
      }
    }
    var groups: [[Int]] = []
    var groupOfHash: [String: Int] = [:]
    for (index, hash) in hashes.enumerated() {
      switch hash {
      case .failure(let failure): results[index].failure = failure.finding
      case .success(let hash):
        if let group = groupOfHash[hash] {
          groups[group].append(index)
        } else {
          groupOfHash[hash] = groups.count
          groups.append([index])
        }
      }
    }
    // The largest first, so that no long video is left for the end; all equal ones are done at once.
    let ordered = groups.sorted { (-sizes[$0[0]], $0[0]) < (-sizes[$1[0]], $1[0]) }
    let weights = try await forEach(Array(ordered.indices)) { number in
      await frameCount(
        of: files[ordered[number][0]].url, hash: try? hashes[ordered[number][0]].get())
    }
    let tracker = ProgressTracker(.extracting, weights: weights, handler: progress)
    let done = try await forEach(Array(ordered.indices)) { number in
      let group = ordered[number]
      let hash = try hashes[group[0]].get()
      return try await orFailure(files[group[0]].url) {
        try await result(
          for: group.map { files[$0] }, hash: hash, number: number, tracker: tracker)
      }
    }
    for (group, outcome) in zip(ordered, done) {
      switch outcome {
      case .failure(let failure): for index in group { results[index].failure = failure.finding }
      case .success(let parts): for (index, part) in zip(group, parts) { results[index] = part }
      }
    }
    return results
  }

  // MARK: - One file

  /// How many frames of a file must be looked at, for showing progress: a look at its header tells.
  private func frameCount(of url: URL, hash: String?) async -> Double {
    guard PoseSequence.format(of: url) == nil, let hash, !cache.hasEntry(for: hash),
      let frames = try? await VideoReader.read(contentsOf: url)
    else { return 1 }
    return Double(frames.estimatedFrameCount ?? 1)
  }

  /// A file that cannot be used does not stop the others.
  private struct Failure: Error {
    let finding: DataFinding
  }

  private func orFailure<R>(
    _ url: URL, _ body: () async throws -> R
  ) async throws -> Swift.Result<R, Failure> {
    do {
      return .success(try await body())
    } catch let error as VideoError where error.code != .outOfResources {
      let kind: DataFinding.Kind = error.code == .fileNotFound ? .missingFile : .unreadableFile
      return .failure(Failure(finding: DataFinding(.error, kind, error.message)))
    } catch let error as PoseError where error.code != .writingFailed {
      return .failure(Failure(finding: DataFinding(.error, .unreadableFile, error.message)))
    }
  }

  /// What becomes of files of equal content.
  private func result(
    for files: [File], hash: String, number: Int, tracker: ProgressTracker
  ) async throws -> [Result] {
    let url = files[0].url
    let (poses, description): (PoseSequence, VideoDescription)
    if PoseSequence.format(of: url) != nil {
      poses = try PoseSequence(contentsOf: url)
      description = Self.description(of: poses, hash: hash)
      tracker.finishWithoutWork(number, wasCached: false)
    } else if let known = cache.load(hash) {
      (poses, description) = known
      tracker.finishWithoutWork(number, wasCached: true)
    } else {
      let found = try await extracted(url, hash: hash) { share in
        if let share { tracker.advance(number, share: share) } else { tracker.begin(number) }
      }
      try cache.store(found.poses, found.description, for: hash)
      // What later runs will read, not what was written: they are to have the same poses.
      guard let kept = cache.load(hash) else {
        throw TrainingError(
          .unwritable,
          "What was written to the cache in \(cache.folder.path) cannot be read again: check the "
            + "disk, or name another folder.")
      }
      (poses, description) = kept
      tracker.finish(number)
    }
    let person = ProminentPerson(of: poses, duration: description.duration)
    return files.map { file in
      var described = description
      described.warnings = description.warnings.map {
        $0.replacingOccurrences(of: Self.pathMark, with: file.url.path)
      }
      return Result(
        description: described,
        stretches: file.annotations.map { person.example(for: $0, videoID: hash) })
    }
  }

  /// Looks for people in every frame of a video.
  ///
  /// - Parameter report: Is told `nil` when the video is opened, then the share that is done.
  private func extracted(
    _ url: URL, hash: String, report: (Double?) -> Void
  ) async throws -> (poses: PoseSequence, description: VideoDescription) {
    report(nil)
    // How much the camera moves is found out for each segment, and added up in their order.
    let motions = Mutex<[Int: CameraMotion]>([:])
    let video = try await pool.open(url) { segment, frame, time in
      var motion = motions.withLock { $0[segment] } ?? CameraMotion()
      motion.add(frame, at: time)
      motions.withLock { $0[segment] = motion }
    }
    var poses = PoseSequence()
    var end = 0.0
    while let found = try await video.next() {
      let time = found.id.rangeInSeconds
      poses.frames.append(PoseSequence.Frame(time: time.lowerBound, poses: found.poses))
      end = time.upperBound
      let total = Double(video.estimatedFrameCount ?? 0)
      report(total > 0 ? Double(poses.frames.count) / total : 0)
    }
    var motion = CameraMotion()
    for (_, part) in motions.withLock({ $0 }).sorted(by: { $0.key < $1.key }) { motion.add(part) }
    let description = VideoDescription(
      file: "", videoID: hash, duration: end, frameCount: poses.frames.count,
      frameRate: Self.frameRate(of: poses), width: Int(video.frameSize.width),
      height: Int(video.frameSize.height), cameraSpeed: motion.speed,
      warnings: video.warnings.map {
        $0.replacingOccurrences(of: url.path, with: Self.pathMark)
      })
    return (poses, description)
  }

  private static func description(of poses: PoseSequence, hash: String) -> VideoDescription {
    let rate = frameRate(of: poses)
    let end = (poses.frames.last?.time ?? 0) + (rate > 0 ? 1 / rate : 0)
    return VideoDescription(
      file: "", videoID: hash, duration: end, frameCount: poses.frames.count, frameRate: rate,
      warnings: [])
  }

  /// The mean number of frames in a second; 0 where it cannot be told.
  static func frameRate(of poses: PoseSequence) -> Double {
    guard let first = poses.frames.first, let last = poses.frames.last, last.time > first.time
    else { return 0 }
    return Double(poses.frames.count - 1) / (last.time - first.time)
  }

  // MARK: - Several at the same time

  /// Runs a piece of work for each item, as many at a time as there are jobs.
  private func forEach<R: Sendable>(
    _ items: [Int], _ body: @escaping @Sendable (Int) async throws -> R
  ) async throws -> [R] {
    let ledger = Ledger<R>(count: items.count)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<min(configuration.jobCount, items.count) {
        group.addTask {
          while true {
            try Task.checkCancellation()
            guard let index = ledger.next() else { return }
            ledger.note(try await body(items[index]), at: index)
          }
        }
      }
      try await group.waitForAll()
    }
    return ledger.results
  }
}
