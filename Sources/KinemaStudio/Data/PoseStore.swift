package import Foundation
package import KinemaPose
import KinemaTraining
import KinemaVideo
import KinemaVision

/// The poses of a project's media, from pose files and the cache.
package actor PoseStore {
  private struct Known {
    var version: FileVersion
    var key: PoseCache.Key
  }

  /// How many sequences stay in memory: the one that a page shows, and one beside it.
  private static let memoryCount = 2

  private let project: Project
  private let extractor: FeatureExtractor
  private var keys: [URL: Known] = [:]
  /// The last sequences read, the latest at the end.
  private var memory: [(url: URL, version: FileVersion, poses: PoseSequence)] = []

  package init(_ project: Project) {
    self.project = project
    extractor = FeatureExtractor(configuration: project.extraction)
  }

  /// Those of the files whose poses are known.
  package func extracted(_ urls: some Sequence<URL> & Sendable) -> Set<URL> {
    // Without Kinema's parts no poses are known.
    let options = try? extractor.frameOptions()
    return Set(urls.filter { MediaFolder.isPoseFile($0) || key(of: $0, options) != nil })
  }

  /// The poses of everybody in a file; throws ``StudioError``: `notExtracted` where they are not
  /// known, `badFile`.
  package func poses(of url: URL) async throws -> PoseSequence {
    guard let version = FileVersion(url) else {
      throw StudioError(.noMedium(file: url.path))
    }
    if let index = memory.firstIndex(where: { $0.url == url && $0.version == version }) {
      let entry = memory.remove(at: index)
      memory.append(entry)
      return entry.poses
    }
    let poses: PoseSequence
    do {
      if MediaFolder.isPoseFile(url) {
        poses = try await ofPoseFile(url)
      } else {
        poses = try await cached(url)
      }
    } catch let error as PoseError {
      throw StudioError(.badData(error))
    } catch let error as VideoError {
      throw StudioError(.badData(error))
    } catch let error as VisionError {
      throw StudioError(.missingPart(reason: error.message, text: error.text))
    }
    memory.removeAll { $0.url == url }
    memory.append((url, version, poses))
    if memory.count > Self.memoryCount { memory.removeFirst() }
    return poses
  }

  /// The poses of a pose file; people without ids are tracked, as in every command.
  private func ofPoseFile(_ url: URL) async throws -> PoseSequence {
    let poses = try await BlockingThread.run { try PoseSequence(contentsOf: url) }
    guard poses.joints == JointKey.body, poses.frames.contains(where: \.hasUnknownPeople) else {
      return poses
    }
    return try await sequence(of: url, .poses, FrameSource.Options())
  }

  private func cached(_ url: URL) async throws -> PoseSequence {
    let options = try extractor.frameOptions()
    guard key(of: url, options) != nil else {
      throw StudioError(.posesMissing(file: url.lastPathComponent))
    }
    return try await sequence(of: url, .video, options)
  }

  private func sequence(
    of url: URL, _ kind: FrameSource.Kind, _ options: FrameSource.Options
  ) async throws -> PoseSequence {
    var poses = PoseSequence()
    let source = FrameSource(
      contentsOf: url, kind: kind, options: options, pool: PosePool(workerCount: 1))
    for try await frame in source {
      poses.frames.append(frame.sequenceFrame)
    }
    return poses
  }

  /// The key of a video's poses, if they are in the cache.
  private func key(of url: URL, _ options: FrameSource.Options?) -> PoseCache.Key? {
    guard let options, let cache = options.cache, let version = FileVersion(url) else { return nil }
    if let known = keys[url], known.version == version {
      return cache.hasArchive(for: known.key) ? known.key : nil
    }
    guard let hash = cache.knownHash(of: url) else { return nil }
    let key = PoseCache.key(content: hash, options: options)
    guard cache.hasEntry(for: key) else { return nil }
    keys[url] = Known(version: version, key: key)
    return key
  }
}

extension PoseSequence.Frame {
  /// Whether there are people whom the file does not follow from frame to frame.
  fileprivate var hasUnknownPeople: Bool { poses.contains { $0.personID == nil } }
}

extension PoseSequence {
  /// The frames from a time to another, in seconds.
  package func frames(from start: Double, to end: Double) -> ArraySlice<Frame> {
    let first = frames.firstIndex { $0.time >= start } ?? frames.count
    let last = frames[first...].firstIndex { $0.time >= end } ?? frames.count
    return frames[first..<last]
  }
}
