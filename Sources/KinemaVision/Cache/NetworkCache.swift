package import Foundation
import Glibc
import KinemaFiles
import Synchronization

/// Keeps the networks as OpenVINO compiles them for this processor, which takes it a third of a second each.
///
/// ```
/// 3fa9…/1234.blob    what OpenVINO has written
/// 3fa9…/seal.json    the files' hashes
/// temporary-…/       a network that is being compiled
/// ```
///
/// OpenVINO neither completes a file before it can be read nor notices when numbers in it have changed. So it
/// writes into a folder that gets its name when it is whole, and is shown only files that have their hashes. What
/// cannot be kept is compiled each time: a cache changes no result.
package struct NetworkCache: Sendable {
  private struct Seal: Codable {
    /// The SHA-256 of each file, by its name.
    var files: [String: String]
  }

  private static let sealName = "seal.json"
  private static let temporaryPrefix = "temporary-"
  /// Eight for a version of OpenVINO: four networks with either arithmetic.
  private static let longestCount = 16
  /// The age in seconds at which a temporary folder is taken for left over.
  private static let temporaryAge = 86_400
  /// Held while a network is compiled, so that other threads of the process read it.
  private static let compiling = Mutex(())

  private let folder: URL

  package init(folder: URL) { self.folder = folder }

  /// Names a network as it is compiled in one way on this processor.
  ///
  /// - Parameter version: That of OpenVINO.
  /// - Returns: `nil` where the file cannot be read.
  static func key(
    of url: URL, settings: [(name: String, value: String)], version: String
  ) -> String? {
    // OpenVINO says what is wrong with a file that cannot be read; it goes by its path and date, and would keep
    // another network beside this one.
    guard let hash = try? Weights.contentHash(ofFileAt: url),
      let identity = FileIdentity(ofFileAt: url.path)
    else { return nil }
    let parts =
      [hash, url.path, "\(identity.seconds).\(identity.nanoseconds)", version, processor]
      + settings.map { "\($0.name) \($0.value)" }
    return ContentHash.sha256(of: Data(parts.joined(separator: "\n").utf8))
  }

  /// What decides which instructions a network is compiled to.
  private static let processor = Processor.lines(
    named: ["vendor_id", "model name", "flags", "CPU implementer", "CPU part", "Features"]
  ).joined(separator: "\n")

  /// Compiles a network, or reads it as it was compiled.
  ///
  /// - Parameter compile: Compiles with a folder in which OpenVINO keeps networks, or without one.
  func network<Network>(
    _ key: String, compile: (URL?) throws(VisionError) -> Network
  ) throws(VisionError) -> Network {
    let place = folder.appending(path: key)
    if isWhole(place) { return try compile(place) }
    return try Self.compiling.withLock { (_) throws(VisionError) in
      if isWhole(place) { return try compile(place) }
      guard let temporary = makeTemporary() else { return try compile(nil) }
      // It has another name when it is kept.
      defer { remove(temporary) }
      let network = try compile(temporary)
      keep(temporary, at: place)
      return network
    }
  }

  /// Whether a folder holds what was written into it.
  private func isWhole(_ place: URL) -> Bool {
    do {
      let data = try Data(contentsOf: place.appending(path: Self.sealName))
      let seal = try JSONDecoder().decodeForeign(Seal.self, from: data)
      return try !seal.files.isEmpty && hashes(in: place) == seal.files
    } catch {
      // One that is not there, or cannot be read, is made again.
      return false
    }
  }

  /// The SHA-256 of each file in a folder but its seal.
  private func hashes(in place: URL) throws -> [String: String] {
    var hashes: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: place.path)
    where name != Self.sealName {
      hashes[name] = try Weights.contentHash(ofFileAt: place.appending(path: name))
    }
    return hashes
  }

  private func makeTemporary() -> URL? {
    let url = folder.appending(path: Self.temporaryPrefix + UUID().uuidString)
    // Nothing is kept where nothing can be written.
    return (try? PrivateFolder.make(url)) == nil ? nil : url
  }

  /// Gives a folder its name.
  private func keep(_ temporary: URL, at place: URL) {
    do {
      let files = try hashes(in: temporary)
      guard !files.isEmpty else { return }
      let seal = try JSONEncoder().encode(Seal(files: files))
      try WholeFile.write(seal, to: temporary.appending(path: Self.sealName))
    } catch {
      // It is compiled again the next time.
      return
    }
    removeOld()
    remove(place)
    // Where another process was quicker, that process's stays.
    _ = rename(temporary.path, place.path)
  }

  /// Removes the oldest networks, and what killed processes have left.
  private func removeOld() {
    // What cannot be listed now is removed another time.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    var dated = names.compactMap { name -> (name: String, time: Int)? in
      var status = stat()
      guard stat(folder.appending(path: name).path, &status) == 0 else { return nil }
      return (name, status.st_mtim.tv_sec)
    }
    let lastDay = time(nil) - Self.temporaryAge
    let leftovers = dated.filter {
      $0.name.hasPrefix(Self.temporaryPrefix) && $0.time < lastDay
    }
    dated.removeAll { $0.name.hasPrefix(Self.temporaryPrefix) }
    dated.sort { $0.time > $1.time }
    for entry in leftovers + dated.dropFirst(Self.longestCount - 1) {
      remove(folder.appending(path: entry.name))
    }
  }

  private func remove(_ url: URL) {
    // What is not there, or cannot be removed, is no reason not to go on.
    try? FileManager.default.removeItem(at: url)
  }
}
