import Foundation
import KinemaPose
import KinemaStreams
import KinemaVideo
import KinemaVision

/// One run over a list of files, several at the same time.
struct FileExtraction: Sendable {
  struct File: Sendable {
    let url: URL
    let annotations: [ActionAnnotation]
  }

  struct Result: Sendable {
    var description: VideoDescription?
    var failure: DataFinding?
    /// One for each annotation, unless the file could not be read.
    var stretches: [(example: ActionExample?, findings: [DataFinding])] = []
  }

  let jobCount: Int
  let options: FrameSource.Options
  /// Processes the videos, those of several jobs at the same time.
  let pool: PosePool
  let progress: (@Sendable (ExtractionProgress) -> Void)?

  func results(for files: [File]) async throws -> [Result] {
    var results = [Result](repeating: Result(), count: files.count)
    let sizes = files.map { file -> Double in
      // Only the order and the progress depend on it; a missing file fails where it is read.
      let attributes = try? FileManager.default.attributesOfItem(atPath: file.url.path)
      return (attributes?[.size] as? NSNumber)?.doubleValue ?? 0
    }
    let checking = ProgressTracker(.checking, weights: sizes, handler: progress)
    let hashes = try await ConcurrentWork.run(files.count, limit: jobCount) { index in
      defer { checking.finish(index) }
      return try await orFailure(files[index].url) {
        try await PoseCache.contentHash(of: files[index].url, records: options.cache)
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
    // The largest first, so that no long video is left for the end; all equal ones are done at
    // once.
    let ordered = groups.sorted { (-sizes[$0[0]], $0[0]) < (-sizes[$1[0]], $1[0]) }
    let weights = try await ConcurrentWork.run(ordered.count, limit: jobCount) { number in
      await frameCount(
        of: files[ordered[number][0]].url, hash: try? hashes[ordered[number][0]].get())
    }
    let tracker = ProgressTracker(.extracting, weights: weights, handler: progress)
    let done = try await ConcurrentWork.run(ordered.count, limit: jobCount) { number in
      let group = ordered[number]
      let hash = try hashes[group[0]].get()
      return try await orFailure(files[group[0]].url) {
        try await result(for: group.map { files[$0] }, hash: hash, number: number, tracker: tracker)
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

  /// How many frames of a file must be processed, for showing progress, from its header.
  private func frameCount(of url: URL, hash: String?) async -> Double {
    guard !MediaFolder.isPoseFile(url), !MediaFolder.isPicture(url), let hash,
      options.cache?.hasEntry(for: PoseCache.key(content: hash, options: options)) != true,
      let frames = try? await VideoReader.read(ofFileAt: url, isOnDemand: true)
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
      return .failure(Failure(finding: DataFinding(.error, kind, error.message, text: error.text)))
    } catch let error as PoseError where error.code != .writingFailed {
      return .failure(
        Failure(
          finding: DataFinding(.error, .unreadableFile, error.message, text: error.text)))
    }
  }

  /// The results for files of equal content.
  private func result(
    for files: [File], hash: String, number: Int, tracker: ProgressTracker
  ) async throws -> [Result] {
    let url = files[0].url
    let isPoseFile = MediaFolder.isPoseFile(url)
    let source = FrameSource(
      contentsOf: url,
      kind: isPoseFile ? .poses : MediaFolder.isPicture(url) ? .stillImage : .video,
      options: options, pool: pool)
    var person = ProminentPerson(joints: options.subject.joints)
    var (end, size) = (0.0, (width: 0, height: 0))
    for try await frame in source {
      if frame.index == 0 {
        if !isPoseFile, !source.isCached { tracker.begin(number) }
        size = frame.size ?? size
      }
      try person.add(frame.poses, at: frame.time)
      end = frame.id.rangeInSeconds.upperBound
      guard !isPoseFile, !source.isCached else { continue }
      let total = Double(source.estimatedFrameCount ?? 0)
      tracker.advance(number, share: total > 0 ? Double(person.poses.frames.count) / total : 0)
    }
    if isPoseFile || source.isCached {
      tracker.finishWithoutWork(number, wasCached: !isPoseFile)
    } else {
      tracker.finish(number)
    }
    var description = Self.description(of: person.poses, hash: hash)
    if !isPoseFile {
      description.duration = end
      (description.width, description.height) = size
      description.cameraSpeed = source.cameraSpeed
      description.warnings = source.warnings
    }
    person.duration = description.duration
    return files.map { file in
      var described = description
      described.warnings = description.warnings.map {
        $0.replacingOccurrences(of: url.path, with: file.url.path)
      }
      return Result(
        description: described,
        stretches: file.annotations.map { person.example(for: $0, videoID: hash) })
    }
  }

  private static func description(of poses: PoseSequence, hash: String) -> VideoDescription {
    let rate = frameRate(of: poses)
    let end = (poses.frames.last?.time ?? 0) + (rate > 0 ? 1 / rate : 0)
    return VideoDescription(
      file: "", videoID: hash, duration: end, frameCount: poses.frames.count, frameRate: rate,
      warnings: [])
  }

  static func frameRate(of poses: PoseSequence) -> Double {
    guard let first = poses.frames.first, let last = poses.frames.last, last.time > first.time
    else { return 0 }
    return Double(poses.frames.count - 1) / (last.time - first.time)
  }
}
