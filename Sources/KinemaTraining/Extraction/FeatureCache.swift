import Foundation
import KinemaFiles
import KinemaPose
import KinemaVideo

/// Keeps the poses of videos in a folder, by the content of the videos and the way of extraction.
///
/// ```
/// poses/3f/3fa9…-<way of extraction>.npz   the poses of everybody
/// poses/3f/3fa9…-<way of extraction>.json  what else is known of the video, and the archive's hash
/// hashes/81/81c0….json                     the hash of a file, by its path, size and date
/// temporary/                               what is being written
/// ```
///
/// Files are written under `temporary`, synced and renamed; equal videos give equal files. So several
/// processes may share a folder, and one that is killed leaves at most a temporary file behind. The
/// JSON file is written last and names the hash of the archive: an entry that does not fit is made
/// again.
struct FeatureCache: Sendable {
  /// What stands beside the poses.
  struct Entry: Codable, Hashable {
    var description: VideoDescription
    /// The SHA-256 of the archive of poses.
    var archive: String
  }

  /// The size and date under which a file's hash is known.
  private struct Identity: Codable, Hashable {
    var size: Int64
    var seconds: Int
    var nanoseconds: Int
  }

  private struct HashRecord: Codable {
    var path: String
    var identity: Identity
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
        let sealed = try? JSONDecoder().decode(Self.self, from: data),
        sealed.seal == (try? seal(of: sealed.value))
      else { return nil }
      return sealed.value
    }

    private static func seal(of value: Value) throws -> String {
      ContentHash.sha256(of: try FeatureCache.encoder.encode(value))
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

  let folder: URL
  /// Names the way of extraction.
  let extractionKey: String

  /// Opens or makes a cache.
  ///
  /// - Throws: ``TrainingError`` where the folder cannot be made.
  init(folder: URL, extractionKey: String) throws {
    self.folder = folder.absoluteURL
    self.extractionKey = extractionKey
    do {
      try FileManager.default.createDirectory(
        at: temporaryFolder, withIntermediateDirectories: true)
    } catch {
      throw unwritable(error)
    }
    removeLeftovers()
  }

  private var temporaryFolder: URL { folder.appending(path: "temporary") }

  // MARK: - Hashes

  /// The SHA-256 of a file's content, which is read only if path, size or date are new.
  func contentHash(of url: URL) async throws -> String {
    let path = url.standardizedFileURL.path
    guard let identity = Self.identity(of: path) else {
      throw VideoError(
        .fileNotFound, "There is no file at \(url.path): check the path.")
    }
    let record = place("hashes", ContentHash.sha256(of: Data(path.utf8)), "json")
    if let known = Sealed<HashRecord>.value(at: record), known.path == path,
      known.identity == identity
    {
      return known.sha256
    }
    let hash: String
    do {
      hash = try await BlockingThread.run { try ContentHash.sha256(ofFileAt: url) }
    } catch let error where !(error is CancellationError) {
      throw VideoError(
        .unreadableFile, "\(url.path) cannot be read: check that it is there and its permissions.",
        cause: error)
    }
    try Task.checkCancellation()
    // A file that changes meanwhile keeps no record.
    if Self.identity(of: path) == identity {
      try write(HashRecord(path: path, identity: identity, sha256: hash), to: record)
    }
    return hash
  }

  private static func identity(of path: String) -> Identity? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Identity(
      size: Int64(status.st_size), seconds: Int(status.st_mtim.tv_sec),
      nanoseconds: Int(status.st_mtim.tv_nsec))
  }

  // MARK: - Poses

  /// Whether there are poses for a content, as far as the file beside them tells.
  func hasEntry(for hash: String) -> Bool {
    entry(for: hash) != nil && FileManager.default.fileExists(atPath: archive(of: hash).path)
  }

  /// The poses for a content, if they are there and whole.
  func load(_ hash: String) -> (poses: PoseSequence, description: VideoDescription)? {
    guard let entry = entry(for: hash),
      let data = try? Data(contentsOf: archive(of: hash)),
      ContentHash.sha256(of: data) == entry.archive,
      let poses = try? PoseSequence(contentsOf: archive(of: hash)),
      poses.frames.count == entry.description.frameCount
    else { return nil }
    return (poses, entry.description)
  }

  /// Keeps the poses for a content.
  ///
  /// - Throws: ``TrainingError`` where they cannot be written.
  func store(_ poses: PoseSequence, _ description: VideoDescription, for hash: String) throws {
    let target = archive(of: hash)
    let temporary = temporaryFolder.appending(path: "\(UUID().uuidString).npz")
    do {
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try poses.write(to: temporary)
      let archiveHash = ContentHash.sha256(of: try Data(contentsOf: temporary))
      try move(temporary, to: target)
      try write(Entry(description: description, archive: archiveHash), to: sidecar(of: hash))
    } catch {
      unlink(temporary.path)
      throw unwritable(error)
    }
  }

  private func entry(for hash: String) -> Entry? {
    guard let entry = Sealed<Entry>.value(at: sidecar(of: hash)),
      entry.description.videoID == hash
    else { return nil }
    return entry
  }

  // MARK: - Files

  private func archive(of hash: String) -> URL { place("poses", "\(hash)-\(extractionKey)", "npz") }
  private func sidecar(of hash: String) -> URL {
    place("poses", "\(hash)-\(extractionKey)", "json")
  }

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
      throw TrainingError(
        .unwritable,
        "\(target.path) cannot be written (\(String(cString: strerror(errno)))): make room or name "
          + "another folder for the cache.")
    }
  }

  private func unwritable(_ error: any Error) -> TrainingError {
    (error as? TrainingError)
      ?? TrainingError(
        .unwritable,
        "The cache of poses in \(folder.path) cannot be written: make room there, check its "
          + "permissions, or name another folder.", cause: error)
  }

  /// Removes what killed processes have left, but not what others are writing.
  private func removeLeftovers() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: temporaryFolder.path)) ?? []
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    for name in names {
      let path = temporaryFolder.appending(path: name).path
      if let identity = Self.identity(of: path),
        Double(now.tv_sec - identity.seconds) > Self.temporaryAge
      {
        unlink(path)
      }
    }
  }
}
