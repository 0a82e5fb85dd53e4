package import Foundation
package import KinemaErrors
import KinemaFiles
import KinemaPose
import KinemaStreams
import KinemaTraining
import KinemaVideo
import Synchronization

/// What the header of a video or pose file says.
package struct MediaHeader: Codable, Hashable, Sendable {
  package enum Kind: String, Codable, Sendable {
    case video, poses
  }

  /// Why a file cannot be used.
  package struct Problem: Codable, Hashable, Reported {
    package var message: String
    package var text: MessageText?

    /// Whether it is of the process that decoded, and perhaps not of the file.
    fileprivate var isOfProcess: Bool { text?.name == "decoderDied" }
  }

  package var kind: Kind
  /// `nil` where it is not known before the file is read to its end.
  package var seconds: Double?
  package var width: Int?
  package var height: Int?
  package var frameRate: Double?
  package var bytes: Int64
  /// Why the file cannot be used.
  package var problem: Problem?

  /// Width divided by height; 1 where they are not known.
  package var aspectRatio: Float {
    guard let width, let height, height > 0 else { return 1 }
    return Float(width) / Float(height)
  }
}

extension MediaHeader.Problem {
  init(_ error: some Reported) { self.init(message: error.message, text: error.text) }

  static func noFrames(_ file: String) -> Self {
    Self(MessageText("noFrames", ["file": file]))
  }
}

/// The headers of a project's media, read once and kept in the project's cache.
package final class MediaHeaders: Sendable {
  private struct Record: Codable {
    var version: FileVersion
    var header: MediaHeader
  }

  private struct State {
    var records: [String: Record] = [:]
    var isLoaded = false
    /// Whether the file lacks something.
    var isUnsaved = false

    mutating func keep(_ header: MediaHeader, of url: URL, _ version: FileVersion) {
      guard header.problem?.isOfProcess != true else { return }
      records[url.path] = Record(version: version, header: header)
      isUnsaved = true
    }
  }

  /// How many files are opened at once.
  private static let openingCount = 4

  private let file: URL
  private let state = Mutex(State())

  /// - Parameter folder: The folder of the cache; may be deleted at any time.
  init(in folder: URL) { file = folder.appending(path: "headers.json") }

  /// The headers of files by their paths; those that are not known are read, missing files are left
  /// out.
  package func headers(of files: Set<URL>) async throws -> [URL: MediaHeader] {
    var found: [URL: MediaHeader] = [:]
    var unknown: [(url: URL, version: FileVersion)] = []
    for url in files {
      guard let version = FileVersion(url) else { continue }
      if let header = known(url, version) {
        found[url] = header
      } else {
        unknown.append((url, version))
      }
    }
    let missing = unknown
    let read = try await ConcurrentWork.run(missing.count, limit: Self.openingCount) { index in
      try await Self.read(missing[index].url)
    }
    for (item, header) in zip(missing, read) { found[item.url] = header }
    let unsaved = state.withLock { state in
      for (item, header) in zip(missing, read) { state.keep(header, of: item.url, item.version) }
      defer { state.isUnsaved = false }
      return state.isUnsaved ? state.records : nil
    }
    if let unsaved { save(unsaved) }
    return found
  }

  /// Keeps the header of a file that was read at another place.
  func keep(_ header: MediaHeader, of url: URL) {
    guard let version = FileVersion(url) else { return }
    state.withLock { state in
      load(&state)
      state.keep(header, of: url, version)
    }
  }

  private func save(_ records: [String: Record]) {
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try WholeFile.write(try JSONEncoder().encode(records), to: file)
    } catch {
      // Only a cache: memory has them, and a later process reads them again.
    }
  }

  private func load(_ state: inout State) {
    guard !state.isLoaded else { return }
    state.isLoaded = true
    // Only a cache: a damaged one is made again.
    let data = try? Data(contentsOf: file)
    state.records =
      data.flatMap { try? JSONDecoder().decodeForeign([String: Record].self, from: $0) } ?? [:]
  }

  private func known(_ url: URL, _ version: FileVersion) -> MediaHeader? {
    state.withLock { state in
      load(&state)
      let record = state.records[url.path]
      return record?.version == version ? record?.header : nil
    }
  }

  /// Reads a header; what cannot be read has a problem.
  package static func read(_ url: URL) async throws -> MediaHeader {
    let bytes = FileVersion(url)?.size ?? 0
    do {
      if MediaFolder.isPoseFile(url) {
        return try await BlockingThread.run {
          let poses = try PoseSequence(contentsOf: url)
          let (first, last) = (poses.frames.first?.time ?? 0, poses.frames.last?.time ?? 0)
          let size = poses.frames.lazy.compactMap(\.size).first
          let rate = last > first ? Double(poses.frames.count - 1) / (last - first) : nil
          return MediaHeader(
            kind: .poses, seconds: last + (rate.map { 1 / $0 } ?? 0),
            width: size.map { Int($0.width) }, height: size.map { Int($0.height) },
            frameRate: rate, bytes: bytes,
            problem: poses.frames.isEmpty ? .noFrames(url.lastPathComponent) : nil)
        }
      }
      let frames = try await VideoReader.read(ofFileAt: url, isOnDemand: true)
      return MediaHeader(
        kind: .video, seconds: frames.videoDuration, width: Int(frames.frameSize.width),
        height: Int(frames.frameSize.height),
        frameRate: frames.nominalFrameRate > 0 ? Double(frames.nominalFrameRate) : nil,
        bytes: bytes)
    } catch let error as VideoError where error.code != .outOfResources {
      return MediaHeader(kind: .video, bytes: bytes, problem: .init(error))
    } catch let error as PoseError {
      return MediaHeader(kind: .poses, bytes: bytes, problem: .init(error))
    }
  }
}
