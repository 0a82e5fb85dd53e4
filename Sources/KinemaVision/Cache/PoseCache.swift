package import Foundation
import Glibc
import KinemaFiles
import KinemaPose
import KinemaVideo

/// Keeps the poses of videos in a folder, by the content of the video and the way of extraction.
///
/// ```
/// poses/3f/3fa9…-<way of extraction>.npz   the frames and poses
/// poses/3f/3fa9…-<way of extraction>.json  other facts of the video, and the archive's hash
/// hashes/81/81c0….json                     the hash of a file, by its path, size and date
/// temporary/                               files that are being written
/// ```
///
/// Files are written under `temporary`, synced and renamed; equal videos give equal files. So several
/// processes may share a folder, and one that is killed leaves at most a temporary file behind. The
/// JSON file is written last and names the hash of the archive: an entry that does not fit is replaced.
package struct PoseCache: Sendable {
  /// Stands for the file's path in warnings.
  private static let pathMark = "{file}"

  private struct Entry: Codable {
    var content: String
    var frameCount: Int
    var cameraSpeed: Double
    var warnings: [String]
    var archive: String
  }

  /// Names the poses of one content, extracted in one way.
  package struct Key: Hashable, Sendable {
    let content: String
    let extraction: String
    let joints: [JointKey]

    var name: String { "\(content)-\(extraction)" }
  }

  private struct HashRecord: Codable {
    var path: String
    var identity: FileIdentity
    var sha256: String
  }

  /// A value with the SHA-256 of its JSON, so that a damaged file is not taken for a sound one.
  private struct Sealed<Value: Codable>: Codable {
    var value: Value
    var seal: String

    init(_ value: Value) throws {
      self.value = value
      seal = try Self.seal(of: value)
    }

    /// The value of a file, if it is there and sound.
    static func value(at url: URL) -> Value? {
      guard let data = try? Data(contentsOf: url),
        let sealed = try? JSONDecoder().decodeForeign(Self.self, from: data),
        sealed.seal == (try? seal(of: sealed.value))
      else { return nil }
      return sealed.value
    }

    private static func seal(of value: Value) throws -> String {
      ContentHash.sha256(of: try PoseCache.encoder.encode(value))
    }
  }

  /// Equal values give equal bytes.
  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  /// The age in seconds at which temporary files are taken for left over.
  private static let temporaryAge = 86_400.0

  package let folder: URL

  /// Opens or makes a cache; throws ``VisionError`` where the folder cannot be made.
  package init(folder: URL) throws {
    self.folder = folder.absoluteURL
    do {
      try PrivateFolder.make(folder)
      // That of earlier versions is closed as well.
      if folder == Self.defaultFolder() { chmod(folder.path, 0o700) }
      try FileManager.default.createDirectory(
        at: temporaryFolder, withIntermediateDirectories: true)
    } catch {
      throw unwritable(error)
    }
    removeLeftovers()
  }

  /// The folder `kinema/features` in `XDG_CACHE_HOME`, or in `.cache` in the user's home.
  package static func defaultFolder(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> URL { CacheFolder.url(named: "features", environment: environment) }

  /// The key of a video's poses as this program finds them.
  package static func key(content: String, options: FrameSource.Options) -> Key {
    key(
      content: content, options: options, code: CodeFingerprint.value,
      networks: options.subject.networkIDs(in: .located()))
  }

  /// The key of poses that were found by some code and some networks.
  ///
  /// - Parameters:
  ///   - code: The fingerprint of the code.
  ///   - networks: The names of the networks and their weights.
  package static func key(
    content: String, options: FrameSource.Options, code: String, networks: [String]
  ) -> Key {
    var parts = ["code \(code)"] + networks + [options.subject.name]
    let precision: NetworkPrecision
    switch options.subject {
    case .bodies(let configuration):
      precision = configuration.precision
      parts += [
        "persons \(configuration.maximumPersonCount)", "sides \(configuration.repairsSides)",
        "smoothed \(configuration.isSmoothed)", "landmarks \(configuration.keepsLandmarks)",
      ]
    case .hands(let configuration):
      precision = configuration.precision
      parts.append("hands \(configuration.maximumHandCount)")
    }
    // Without bf16 the fast arithmetic is the full one.
    parts.append("precision \((precision.isAvailable ? precision : .full).rawValue)")
    let segmenter = options.segmenter
    parts += [
      "rate \(options.rate)", "warm-up \(segmenter.warmUp)",
      "segments \(segmenter.minimumTotal) \(segmenter.minimumLength) \(segmenter.minimumRest)",
    ]
    let hash = ContentHash.sha256(of: Data(parts.joined(separator: "\n").utf8))
    return Key(
      content: content, extraction: String(hash.prefix(16)), joints: options.subject.joints)
  }

  private var temporaryFolder: URL { folder.appending(path: "temporary") }

  // MARK: - Hashes

  /// The SHA-256 of a file's content.
  ///
  /// - Parameter records: A cache that keeps hashes, so that a file is read only if its path, size
  ///   or date are new.
  /// - Throws: ``VideoError`` where the file cannot be read, ``VisionError`` where the cache cannot
  ///   be written; `CancellationError`.
  package static func contentHash(of url: URL, records: PoseCache?) async throws -> String {
    let path = url.standardizedFileURL.path
    guard let identity = FileIdentity(ofFileAt: path) else {
      throw VideoError(.fileNotFound, MessageText("fileGone", ["file": url.path]))
    }
    let record = records?.place("hashes", ContentHash.sha256(of: Data(path.utf8)), "json")
    if let record, let known = Sealed<HashRecord>.value(at: record), known.path == path,
      known.identity == identity
    {
      return known.sha256
    }
    let hash: String
    do {
      hash = try await BlockingThread.run { try ContentHash.sha256(ofFileAt: url) }
    } catch let error where !(error is CancellationError) {
      throw VideoError(
        .unreadableFile, MessageText("unreadableFile", ["file": url.path]),
        cause: error)
    }
    try Task.checkCancellation()
    // A file that changes meanwhile keeps no record.
    if let record, FileIdentity(ofFileAt: path) == identity {
      try records?.write(HashRecord(path: path, identity: identity, sha256: hash), to: record)
    }
    return hash
  }

  /// The SHA-256 of a file's content, if a record of it is kept; the file is not read.
  package func knownHash(of url: URL) -> String? {
    let path = url.standardizedFileURL.path
    let record = place("hashes", ContentHash.sha256(of: Data(path.utf8)), "json")
    guard let known = Sealed<HashRecord>.value(at: record), known.path == path,
      known.identity == FileIdentity(ofFileAt: path)
    else { return nil }
    return known.sha256
  }

  /// The key of a file's poses; `nil` without a cache, if it is not writable, or if the content
  /// cannot be read twice, such as a pipe's.
  static func key(of url: URL, options: FrameSource.Options) async throws -> Key? {
    guard let cache = options.cache, FileIdentity(ofFileAt: url.path) != nil else { return nil }
    do {
      return key(content: try await contentHash(of: url, records: cache), options: options)
    } catch let error as VisionError where !options.needsCache && error.code == .unwritable {
      return nil
    }
  }

  // MARK: - Poses

  /// Whether the cache has poses for a key, by the file beside them.
  package func hasEntry(for key: Key) -> Bool {
    entry(for: key) != nil && FileManager.default.fileExists(atPath: archive(of: key).path)
  }

  /// Whether the archive of poses for a key is there; the file beside it is not read.
  package func hasArchive(for key: Key) -> Bool {
    FileManager.default.fileExists(atPath: archive(of: key).path)
  }

  /// The poses for a key, if they are there and whole.
  ///
  /// - Parameter path: The path of the file, for its warnings.
  func load(_ key: Key, path: String) -> PosedVideo? {
    // What cannot be read is extracted again.
    guard let entry = entry(for: key), let data = try? Data(contentsOf: archive(of: key)),
      ContentHash.sha256(of: data) == entry.archive,
      var video = PosedVideo(archiveAt: archive(of: key), joints: key.joints),
      video.count == entry.frameCount
    else { return nil }
    video.cameraSpeed = entry.cameraSpeed
    video.warnings = entry.warnings.map { $0.replacingOccurrences(of: Self.pathMark, with: path) }
    return video
  }

  /// Keeps the poses for a key.
  ///
  /// - Parameter path: The path of the file, for its warnings.
  /// - Throws: ``VisionError`` where they cannot be written.
  func store(_ video: PosedVideo, for key: Key, path: String) throws {
    let target = archive(of: key)
    let temporary = temporaryFolder.appending(path: "\(UUID().uuidString).npz")
    do {
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      let data = try video.archive()
      try WholeFile.write(data, to: temporary)
      try move(temporary, to: target)
      let entry = Entry(
        content: key.content, frameCount: video.count, cameraSpeed: video.cameraSpeed,
        warnings: video.warnings.map { $0.replacingOccurrences(of: path, with: Self.pathMark) },
        archive: ContentHash.sha256(of: data))
      try write(entry, to: sidecar(of: key))
    } catch {
      unlink(temporary.path)
      throw unwritable(error)
    }
  }

  private func entry(for key: Key) -> Entry? {
    guard let entry = Sealed<Entry>.value(at: sidecar(of: key)), entry.content == key.content
    else { return nil }
    return entry
  }

  // MARK: - Files

  private func archive(of key: Key) -> URL { place("poses", key.name, "npz") }
  private func sidecar(of key: Key) -> URL { place("poses", key.name, "json") }

  private func place(_ kind: String, _ name: String, _ fileExtension: String) -> URL {
    folder.appending(path: "\(kind)/\(name.prefix(2))/\(name).\(fileExtension)")
  }

  private func write(_ value: some Codable, to target: URL) throws {
    let temporary = temporaryFolder.appending(path: "\(UUID().uuidString).json")
    do {
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try WholeFile.write(try Self.encoder.encode(Sealed(value)), to: temporary)
      try move(temporary, to: target)
    } catch {
      unlink(temporary.path)
      throw unwritable(error)
    }
  }

  private func move(_ source: URL, to target: URL) throws {
    guard rename(source.path, target.path) == 0 else {
      throw VisionError(.unwritable, MessageText("fullPoses", ["file": target.path]))
    }
  }

  private func unwritable(_ error: any Error) -> VisionError {
    (error as? VisionError)
      ?? VisionError(.unwritable, MessageText("fullPoses", ["file": folder.path]), cause: error)
  }

  /// Removes files that killed processes have left, but not those that others are writing.
  private func removeLeftovers() {
    WholeFile.removeLeftovers(in: temporaryFolder)
    // What is not found now goes at the next start.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: temporaryFolder.path)) ?? []
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    for name in names {
      let path = temporaryFolder.appending(path: name).path
      if let identity = FileIdentity(ofFileAt: path),
        Double(now.tv_sec - identity.seconds) > Self.temporaryAge
      {
        unlink(path)
      }
    }
  }
}
