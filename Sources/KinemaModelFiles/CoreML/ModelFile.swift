internal import Foundation
internal import KinemaFiles

/// The bytes of a model; the path may lead to anything.
struct ModelFile {
  /// The name, for messages: the last part of the path that the caller gave.
  let name: String
  let bytes: [UInt8]

  /// Larger files are refused before they are read.
  static let maximumByteCount = 128 << 20

  /// Finds and reads the model at a path: a file, or a `.mlpackage` that holds one.
  ///
  /// - Parameter kinds: What it may be.
  init(_ url: URL, kinds: [FileKind] = [.coreML]) throws {
    name = url.lastPathComponent
    let manager = FileManager.default
    var isDirectory: ObjCBool = false
    guard manager.fileExists(atPath: url.path, isDirectory: &isDirectory) else {
      throw ModelFileError(
        .notFound, "“\(url.path)” does not exist; give the path of a model",
        text: MessageText("fileGone", ["file": url.path]))
    }
    let file = isDirectory.boolValue ? try ModelPackage.model(in: url) : url
    bytes = try ModelFile.read(file, limit: ModelFile.maximumByteCount, name: name)
    try ModelFile.checkFormat(of: bytes, name: name, kinds: kinds)
  }

  /// Refuses what the first bytes show to be no model.
  static func checkFormat(
    of bytes: [UInt8], name: String, kinds: [FileKind] = [.coreML]
  ) throws(ModelFileError) {
    if bytes.isEmpty {
      throw ModelFileError(.malformedModel, MessageText("emptyFile", ["file": name]))
    }
    if let kind = FileKind(bytes), !kinds.contains(kind) {
      throw ModelFileError(.malformedModel, kind.refusal(of: name, expected: .model))
    }
  }

  static func read(_ url: URL, limit: Int, name: String) throws -> [UInt8] {
    let attributes: [FileAttributeKey: Any]
    do {
      attributes = try FileManager.default.attributesOfItem(
        atPath: url.resolvingSymlinksInPath().path)
    } catch {
      throw ModelFileError(
        .notFound, "“\(url.path)” cannot be found",
        text: MessageText("fileGone", ["file": url.path]), cause: error)
    }
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw ModelFileError(.unreadable, "“\(name)” is not a regular file; give the path of a model")
    }
    let size = (attributes[.size] as? NSNumber)?.intValue ?? 0
    guard size <= limit else {
      throw ModelFileError(
        .tooLarge,
        "“\(name)” has \(size >> 20) MB where \(limit >> 20) MB are possible; "
          + ModelKind.expectation,
        text: MessageText(
          "largeModel", ["file": name, "megabytes": size >> 20, "limit": limit >> 20]))
    }
    do {
      let handle = try FileHandle(forReadingFrom: url)
      defer { try? handle.close() }
      return Array(try handle.read(upToCount: limit) ?? Data())
    } catch {
      throw ModelFileError(
        .unreadable, "“\(name)” cannot be read; check its permissions",
        text: MessageText("unreadableFile", ["file": name]), cause: error)
    }
  }
}
