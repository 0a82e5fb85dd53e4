package import Foundation
import Glibc
import KinemaFiles
import KinemaTraining
import KinemaVideo
import Synchronization

/// The unfinished uploads of a project.
///
/// A chunk is on the disk before its offset is reported, so that an upload continues after the
/// process was killed.
package final class UploadStore: Sendable {
  package struct Upload: Codable, Hashable, Sendable {
    package var id: String
    package var name: String
    package var size: Int64
    package var well: Well
    package var label: String?
    /// Who is in it, with a label.
    package var person: String?
    /// Where it becomes a take of its label instead of an item.
    package var take: TakeStore.Order?
    /// How many bytes are on the disk.
    package var offset: Int64 = 0
  }

  /// What a chunk led to.
  package enum Outcome: Sendable {
    case more(offset: Int64)
    case done(file: String, item: ProjectItem?, take: TakeStore.Take?)
    /// Another chunk is needed next.
    case wrongOffset(Int64)
  }

  // MARK: - Limits

  /// The most bytes of a chunk.
  package static let chunkByteCount = 4 << 20
  /// The largest file: 1 TiB.
  package static let maximumByteCount: Int64 = 1 << 40
  package static let maximumCount = 1000
  /// How much room stays free on the disk, in bytes.
  static let reserveByteCount: Int64 = 256 << 20
  /// How many finished uploads are remembered, for takes that are asked for later and for answers that were lost.
  private static let finishedCount = 1000

  private let project: Project
  private let takes: TakeStore
  /// One chunk at a time; finished uploads with their files, the latest at the end.
  private let finished = Mutex<[(id: String, file: String)]>([])

  init(_ project: Project, takes: TakeStore) {
    (self.project, self.takes) = (project, takes)
    removeLeftovers()
  }

  /// The unfinished uploads.
  package var uploads: [Upload] { finished.withLock { _ in unfinished } }

  /// The file of an upload that is complete.
  package func file(of id: String) throws -> String {
    guard let file = finished.withLock({ $0.first { $0.id == id }?.file }) else {
      throw StudioError(.noUpload(id: StudioMessage.quoted(id)))
    }
    return file
  }

  /// Begins an upload; throws ``StudioError`` where the file cannot become a medium or there is no
  /// room for it.
  package func begin(
    name: String, size: Int64, well: Well, label: String?, person: String? = nil,
    take: TakeStore.Order? = nil
  ) throws -> Upload {
    let name = String(name.split(whereSeparator: { "/\\".contains($0) }).last ?? "")
    guard ProjectLibrary.isName(name), MediaFolder.mayBeMedia(name) else {
      throw StudioError(.notMedia(name: StudioMessage.quoted(name)))
    }
    guard size > 0, size <= Self.maximumByteCount else {
      throw StudioError(.badSize(size: size, limit: Self.maximumByteCount))
    }
    if label != nil || take != nil {
      try ProjectItem(id: "", well: well, file: name, label: label ?? "", person: person).check()
    }
    try project.checkOwned()
    return try finished.withLock { _ in
      let waiting = unfinished
      guard waiting.count < Self.maximumCount else {
        throw StudioError(.tooManyUploads(count: waiting.count))
      }
      let id = ProjectItem.newID()
      let upload = Upload(
        id: id, name: name, size: size, well: well, label: label, person: person, take: take)
      try Project.storing(.upload) {
        try FileManager.default.createDirectory(
          at: project.folder.uploads, withIntermediateDirectories: true)
        let promised = waiting.reduce(size) { $0 + $1.size - $1.offset }
        guard Self.freeByteCount(project.folder.uploads) - Self.reserveByteCount >= promised else {
          throw StudioError(.noRoom(file: name, size: size))
        }
        try WholeFile.write(try upload.jsonText(), to: record(id))
        try WholeFile.write(Data(), to: part(id))
      }
      return upload
    }
  }

  /// Adds a chunk; the last one makes the file a medium, with an item or a take where the upload has a label.
  ///
  /// A chunk of a finished upload changes nothing, and is answered as the last one was.
  ///
  /// - Throws: ``StudioError``: `notFound`, `badRequest` for a chunk too long, `storage`, and
  ///   `badFile` where the complete file is not a video or pose file, which is then removed.
  package func append(_ data: Data, to id: String, at offset: Int64) async throws -> Outcome {
    // The answer to the last chunk may have been lost.
    if let file = finished.withLock({ $0.first { $0.id == id }?.file }) {
      let take = await takes.take(of: id)
      return .done(
        file: file, item: take == nil ? try project.items(of: file).first : nil, take: take)
    }
    let outcome = try await BlockingThread.run { [self] in
      try project.checkOwned()
      return try finished.withLock { _ in try write(data, to: id, at: offset) }
    }
    guard let outcome else { return try await complete(id) }
    return outcome
  }

  /// Ends an upload without a file.
  package func remove(_ id: String) throws {
    try project.checkOwned()
    try finished.withLock { _ in
      _ = try upload(id)
      for url in [record(id), part(id)] { unlink(url.path) }
    }
  }

  // MARK: - Files

  private func part(_ id: String) -> URL { project.folder.uploads.appending(path: "\(id).part") }
  private func record(_ id: String) -> URL { project.folder.uploads.appending(path: "\(id).json") }

  /// Removes what a killed process has left: files whose upload has no record, which is the first
  /// file to come and the first to go.
  private func removeLeftovers() {
    WholeFile.removeLeftovers(in: project.folder.uploads)
    let folder = project.folder.uploads.path
    // What is not found now goes the next time.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let ids = Set(names.filter { $0.hasSuffix(".json") }.map { $0.dropLast(5) })
    for name in names where !name.hasPrefix(".") && !ids.contains(name.prefix { $0 != "." }) {
      unlink("\(folder)/\(name)")
    }
  }

  private var unfinished: [Upload] {
    // There is no folder before the first upload.
    let names = try? FileManager.default.contentsOfDirectory(atPath: project.folder.uploads.path)
    return (names ?? []).sorted().compactMap { name in
      name.hasSuffix(".json") ? try? upload(String(name.dropLast(5))) : nil
    }
  }

  private func upload(_ id: String) throws -> Upload {
    guard !id.isEmpty, id.utf8.count <= 20, id.utf8.allSatisfy({ $0 < 128 }),
      id.allSatisfy({ $0.isLetter || $0.isNumber }),
      let data = try Project.content(of: record(id)),
      // One that is damaged is no upload any more.
      var upload = try? JSONDecoder().decodeForeign(Upload.self, from: data), upload.id == id
    else { throw StudioError(.noUpload(id: StudioMessage.quoted(id))) }
    upload.offset = FileVersion(part(id))?.size ?? 0
    return upload
  }

  /// Writes a chunk to the disk; `nil` where the file is complete.
  private func write(_ data: Data, to id: String, at offset: Int64) throws -> Outcome? {
    let upload = try upload(id)
    guard offset == upload.offset else { return .wrongOffset(upload.offset) }
    guard Int64(data.count) <= upload.size - offset else {
      throw StudioError(.longChunk(size: upload.size))
    }
    guard !data.isEmpty || offset == upload.size else {
      throw StudioError(.emptyChunk)
    }
    try Project.storing(.chunk) {
      // Killed after the record was written, it has none.
      if FileVersion(part(id)) == nil { try WholeFile.write(Data(), to: part(id)) }
      let file = try FileHandle(forWritingTo: part(id))
      defer { try? file.close() }
      do {
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: data)
        try file.synchronize()
      } catch {
        // What is not whole on the disk does not count: where it cannot be cut off, nothing does.
        do { try file.truncate(atOffset: UInt64(offset)) } catch { unlink(part(id).path) }
        throw error
      }
    }
    let reached = offset + Int64(data.count)
    return reached < upload.size ? .more(offset: reached) : nil
  }

  /// Makes a complete upload a medium.
  ///
  /// The file gets its name as a second one, then its item or its take, before the upload's own files go:
  /// killed between, the same is done again and finds what is done.
  private func complete(_ id: String) async throws -> Outcome {
    let upload = try finished.withLock { _ in try self.upload(id) }
    // Its video may have gone since the take began.
    if let take = await takes.take(of: id) { return try end(id, file: take.file, take: take) }
    let named = project.folder.uploads.appending(
      path: "\(id).\(URL(filePath: upload.name).pathExtension)")
    unlink(named.path)
    guard link(part(id).path, named.path) == 0 else {
      throw StudioError(
        .notStored(part: .upload, reason: "\(String(cString: strerror(errno)))."))
    }
    defer { unlink(named.path) }
    let header = try await MediaHeaders.read(named)
    let file = try finished.withLock { _ in
      _ = try self.upload(id)
      if let problem = header.problem {
        for url in [record(id), part(id)] { unlink(url.path) }
        func renamed(_ text: String) -> String {
          text.replacingOccurrences(of: named.path, with: upload.name)
            .replacingOccurrences(of: named.lastPathComponent, with: upload.name)
        }
        throw StudioError(
          .unusableFile(
            file: upload.name, reason: renamed(problem.message),
            text: problem.text?.mapValues(renamed)))
      }
      let file = try placed(upload)
      // Adding an item then needs no second decoding of the file.
      project.headers.keep(header, of: try project.url(of: file))
      return file
    }
    var take: TakeStore.Take?
    if let order = upload.take {
      take = try await takes.begin(
        file: file, label: upload.label ?? "", person: upload.person, well: upload.well,
        keepsVideo: order.keepVideo ?? false, upload: id)
    }
    return try end(id, file: file, take: take)
  }

  /// Forgets an upload whose file is in its place, with an item where it has a label and is no take.
  private func end(_ id: String, file: String, take: TakeStore.Take?) throws -> Outcome {
    try finished.withLock { finished in
      let upload = try self.upload(id)
      var item = take == nil ? try project.items(of: file).first : nil
      if item == nil, take == nil, let label = upload.label {
        let new = NewItem(file: file, label: label, person: upload.person)
        item = try project.add([new], to: upload.well).first
      }
      for url in [record(id), part(id)] { unlink(url.path) }
      finished.append((id, file))
      if finished.count > Self.finishedCount { finished.removeFirst() }
      return .done(file: file, item: item, take: take)
    }
  }

  /// The name of an upload's file in the folder of sources, where it is put.
  private func placed(_ upload: Upload) throws -> String {
    var status = stat()
    if stat(part(upload.id).path, &status) == 0, status.st_nlink > 2 {
      for name in try project.namesInSources {
        var other = stat()
        let path = project.folder.sources.appending(path: name).path
        if stat(path, &other) == 0, other.st_ino == status.st_ino, other.st_dev == status.st_dev {
          return name
        }
      }
    }
    return try Project.storing(.upload) {
      try FileManager.default.createDirectory(
        at: project.folder.sources, withIntermediateDirectories: true)
      let name = project.unusedName(upload.name)
      let target = project.folder.sources.appending(path: name)
      guard link(part(upload.id).path, target.path) == 0 else {
        throw WholeFile.Failure(target, number: errno)
      }
      return name
    }
  }

  /// How many bytes a file in a folder may take.
  static func freeByteCount(_ folder: URL) -> Int64 {
    var status = statvfs()
    guard statvfs(folder.path, &status) == 0 else { return .max }
    let (bytes, overflow) = Int64(status.f_bavail).multipliedReportingOverflow(
      by: Int64(status.f_frsize))
    return overflow ? .max : bytes
  }
}
