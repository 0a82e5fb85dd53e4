package import Foundation
import KinemaFiles
import Synchronization

/// A configuration in a file, which is read again when the file changes.
package struct WatchFile: Sendable {
  /// The most bytes that are read of a file; one of a hundred cameras has 20 kB.
  private static let limit = 1 << 20

  /// Changes take turns: each begins with what the one before it has written.
  private static let turn = Mutex(())

  package private(set) var configuration: WatchConfiguration
  private let url: URL
  private var content: Data?
  /// How many times in a row it could not be read.
  private var failureCount = 0

  /// Reads a file; throws ``WatchError``.
  package init(_ url: URL) throws(WatchError) {
    self.url = url
    let content = try Self.data(of: url)
    self.content = content
    configuration = try WatchConfiguration(content, name: url.lastPathComponent)
  }

  package var name: String { url.lastPathComponent }

  /// Gives a source other areas in the file, in which all else stays as it is.
  ///
  /// - Throws: ``WatchError`` where the file lacks the source, cannot be written, or would be refused, as where
  ///   a rule needs a zone that goes; the file is then as before.
  package func write(_ areas: SourceAreas, of source: String) throws(WatchError) {
    try change { text in
      guard let new = try text.replacing(areas: areas, of: source) else {
        throw WatchError(.notFound, "\(name) has no source “\(source)”.")
      }
      return new
    }
  }

  /// Adds a stream as the last source to the file, in which all else stays as it is.
  ///
  /// - Parameters:
  ///   - source: Its name, which no other source has.
  ///   - address: Its address over RTSP, without user and password.
  ///   - login: What the camera asks for; it is written into the address.
  /// - Throws: ``WatchError`` where the name or the address cannot be used, or the file not be written; it is
  ///   then as before.
  package func add(
    _ source: String, at address: String, login: OnvifCamera.Login? = nil
  ) throws(WatchError) {
    guard var parts = URLComponents(string: address), parts.user == nil,
      ["rtsp", "rtsps"].contains(parts.scheme?.lowercased()), parts.host?.isEmpty == false
    else {
      throw WatchError(.malformed, "“\(address)” is no address of a stream over RTSP.")
    }
    if let login { (parts.user, parts.password) = (login.user, login.password) }
    guard let full = parts.string else {
      throw WatchError(.malformed, "“\(address)” is no address of a stream over RTSP.")
    }
    try change { try $0.adding(source: source, at: full) }
  }

  /// Changes the text of the file, where what comes of it is a valid configuration.
  private func change(_ body: (WatchFileText) throws -> Data) throws(WatchError) {
    do {
      try Self.turn.withLock { _ in
        let old = try Self.data(of: url)
        _ = try WatchConfiguration(old, name: name)
        let new = try body(WatchFileText(old))
        _ = try WatchConfiguration(new, name: name)
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        let permissions = (attributes[.posixPermissions] as? Int).flatMap { mode_t(exactly: $0) }
        try WholeFile.write(
          new, to: url.resolvingSymlinksInPath(), permissions: permissions ?? 0o600)
      }
    } catch let error as WatchError {
      throw error
    } catch {
      throw WatchError(.storage, "\(name) cannot be written: \(error)")
    }
  }

  /// The configuration of a changed file; `nil` where it is as before.
  ///
  /// - Throws: ``WatchError``, once for each content, and where it cannot be read twice in a row: for a moment
  ///   it is not there while an editor replaces it.
  package mutating func changed() throws(WatchError) -> WatchConfiguration? {
    guard let content = Self.beginning(of: url) else {
      failureCount += 1
      if failureCount == 2 { throw Self.unreadable(url) }
      return nil
    }
    failureCount = 0
    guard content != self.content else { return nil }
    self.content = content
    configuration = try WatchConfiguration(Self.checked(content, of: url), name: name)
    return configuration
  }

  /// The content of a file, which may be as large as a watch file.
  static func data(of url: URL) throws(WatchError) -> Data {
    guard let content = beginning(of: url) else { throw unreadable(url) }
    return try checked(content, of: url)
  }

  private static func unreadable(_ url: URL) -> WatchError {
    WatchError(.notFound, "\(url.path) cannot be read; check its name and its permissions.")
  }

  private static func checked(_ content: Data, of url: URL) throws(WatchError) -> Data {
    guard content.count <= limit else {
      throw WatchError(
        .malformed, "\(url.lastPathComponent) has more than \(limit >> 20) MiB: check the name.")
    }
    return content
  }

  /// As much of a file as shows that it is too large; `nil` where it cannot be read.
  private static func beginning(of url: URL) -> Data? {
    guard let file = try? FileHandle(forReadingFrom: url) else { return nil }
    defer { try? file.close() }
    return try? file.read(upToCount: limit + 1) ?? Data()
  }
}
