package import Foundation
package import KinemaFiles
import KinemaPose
import KinemaTraining
import Synchronization

/// The folders on the server whose files may be used.
package struct ImportFolders: Sendable {
  /// What is in a folder.
  package struct Listing: Codable, Sendable {
    package var path: String
    /// `nil` for the highest folder that may be used.
    package var parent: String?
    package var folders: [String]
    /// The number of videos and pose files in it.
    package var files: Int
    /// The files that can be added alone: videos, pose files and annotation files, the first
    /// ``ImportFolders/maximumFileCount``.
    package var contents: [File]
  }

  /// A file that can be added.
  package struct File: Codable, Sendable {
    package enum Kind: String, Codable, Sendable {
      case video, poses, annotations
    }

    package var name: String
    /// Its path, links resolved.
    package var path: String
    package var kind: Kind
    package var bytes: Int64
  }

  /// The most files of a listing.
  static let maximumFileCount = 2000

  /// The highest folders, links resolved.
  private let roots: [String]

  /// - Parameter roots: The highest folders; those that do not exist are left out.
  package init(_ roots: [URL]) { self.roots = roots.compactMap { Project.real($0) } }

  /// The file or folder at a path, links resolved; throws ``StudioError`` where it is not below an
  /// allowed folder.
  package func url(_ path: String) throws -> URL {
    guard path.hasPrefix("/"), !path.utf8.contains(0), let real = Project.real(URL(filePath: path)),
      roots.contains(where: { real == $0 || real.hasPrefix($0 == "/" ? "/" : $0 + "/") })
    else {
      throw StudioError(.notOffered(path: StudioMessage.quoted(path)))
    }
    return URL(filePath: real)
  }

  /// The folders and files in a folder, hidden ones left out; the first allowed one where the path
  /// is `nil`.
  package func listing(_ path: String?) throws -> Listing {
    guard let path = path ?? roots.first else {
      throw StudioError(.noFolders)
    }
    let url = try url(path)
    let contents: FolderContents
    do {
      contents = try MediaFolder(url).contents()
    } catch let error as TrainingError {
      throw StudioError(.noLayout(reason: error.message, text: error.text))
    }
    return Listing(
      path: url.path,
      parent: roots.contains(url.path) ? nil : url.deletingLastPathComponent().path,
      folders: contents.folders.map(\.lastPathComponent),
      files: contents.files.count(where: MediaFolder.isMedia),
      contents: Array(contents.files.lazy.compactMap(file).prefix(Self.maximumFileCount)))
  }

  /// A file of a listing; `nil` for one that cannot be added, or is outside of what is offered.
  private func file(_ link: URL) -> File? {
    let kind: File.Kind
    if MediaFolder.isPoseFile(link) {
      kind = .poses
    } else if MediaFolder.isMedia(link) {
      kind = .video
    } else if ["csv", "json"].contains(link.pathExtension.lowercased()) {
      kind = .annotations
    } else {
      return nil
    }
    guard let url = try? url(link.path), let version = FileVersion(url) else { return nil }
    return File(
      name: link.lastPathComponent, path: url.path, kind: kind, bytes: version.size)
  }
}

extension Project {
  /// Annotation files are read one at a time: each may take hundreds of megabytes.
  private static let reading = Mutex(())

  /// What an import brought.
  package struct ImportResult: Codable, Sendable {
    package var items: Int
    package var findings: [Finding]
  }

  /// Adds the segments of a folder or annotation file of any layout, or a single video or pose file
  /// without a label; nothing is copied.
  ///
  /// - Parameter url: Below one of the folders.
  package func add(
    contentsOf url: URL, to well: Well, from folders: ImportFolders
  ) async throws -> ImportResult {
    if MediaFolder.isMedia(url), FileVersion(url) != nil {
      let header = try await MediaHeaders.read(url)
      if let problem = header.problem { throw StudioError(.badData(problem)) }
      try update { description in
        var media = description.media ?? []
        if !media.contains(where: { FileName($0) == FileName(url.path) }) { media.append(url.path) }
        description.media = media
      }
      return ImportResult(items: 0, findings: [])
    }
    return try await add(Self.data(at: url), to: well, from: folders)
  }

  /// Adds the segments of an annotation file whose names are those of the project's media.
  package func add(
    annotationFile: URL, to well: Well, from folders: ImportFolders
  ) async throws -> ImportResult {
    try await add(
      .importedAnnotation(at: folder.sources, annotationFile: annotationFile), to: well,
      from: folders)
  }

  /// Adds the segments of a source whose files are in the project or below one of the folders;
  /// those that are there already are left out.
  ///
  /// Sets go where they belong, all others into the well.
  private func add(
    _ source: ActionClassifierDataSource, to well: Well, from folders: ImportFolders
  ) async throws -> ImportResult {
    let sets: DataSets
    do {
      sets = try Self.reading.withLock { _ in try DataSets(source) }
    } catch let error as TrainingError {
      throw StudioError(
        error.code == .missing
          ? .noLayout(reason: error.message, text: error.text) : .badData(error))
    }
    var result = ImportResult(items: 0, findings: [])
    let wells = sets.isDivided ? [Well.training, .validation, .testing] : [well]
    for (listing, well) in zip([sets.training, sets.validation, sets.test], wells) {
      guard let listing else { continue }
      let part = try await add(listing, to: well, from: folders)
      result.items += part.items
      result.findings += part.findings
    }
    return result
  }

  private func add(
    _ listing: DataListing, to well: Well, from folders: ImportFolders
  ) async throws -> ImportResult {
    var findings = Finding.list(listing.findings)
    var names: [URL: String] = [:]
    for url in Set(listing.annotations.map(\.url)) {
      // Before any file is opened.
      guard MediaFolder.isMedia(url), let name = try? name(of: url, from: folders) else {
        findings.append(
          Finding(.noMedium(file: url.path), file: url.lastPathComponent))
        continue
      }
      names[url] = name
    }
    let headers = try await headers.headers(of: Set(names.keys))
    for (url, header) in headers {
      guard let problem = header.problem else { continue }
      names[url] = nil
      findings.append(Finding(.badData(problem), file: url.lastPathComponent))
    }
    let known = Set(try items().map(Segment.init))
    var seen = known
    let new = try listing.annotations.compactMap { annotation -> NewItem? in
      guard seen.count <= Self.maximumItemCount else {
        throw StudioError(.tooManyItems(limit: Self.maximumItemCount))
      }
      guard let name = names[annotation.url] else { return nil }
      let rate = headers[annotation.url]?.frameRate
      let item = NewItem(
        file: name, label: annotation.label, start: annotation.start?.seconds(rate),
        end: annotation.end?.seconds(rate), person: annotation.person)
      return seen.insert(Segment(item)).inserted ? item : nil
    }
    return ImportResult(items: try add(new, to: well).count, findings: findings)
  }

  /// The name of a file for an item: in the folder of sources, else its path.
  private func name(of url: URL, from folders: ImportFolders) throws -> String {
    if let real = Self.real(url), let home = Self.real(folder.sources), real.hasPrefix(home + "/") {
      return String(real.dropFirst(home.utf8.count + 1))
    }
    return try folders.url(url.path).path
  }

  /// Checks that new items may name their files: those of the project, or below a folder.
  package func check(_ files: Set<FileName>, from folders: ImportFolders) throws {
    for file in files.map(\.text) where (try? url(of: file)) == nil {
      guard file.hasPrefix("/"), let url = try? folders.url(file),
        FileName(url.path) == FileName(file),
        MediaFolder.isMedia(url), FileVersion(url) != nil
      else {
        throw StudioError(.noMedium(file: StudioMessage.quoted(file)))
      }
    }
  }

  /// What makes two items the same.
  private struct Segment: Hashable {
    var file: FileName
    var label: String
    var start: Double?
    var end: Double?

    init(_ item: ProjectItem) {
      (file, label) = (FileName(item.file), item.label)
      (start, end) = (item.start, item.end)
    }

    init(_ item: NewItem) {
      (file, label) = (FileName(item.file), item.label)
      (start, end) = (item.start, item.end)
    }
  }
}

extension ActionAnnotation.Moment {
  /// The time in seconds at a frame rate.
  fileprivate func seconds(_ frameRate: Double?) -> Double? {
    switch self {
    case .seconds(let seconds): max(0, seconds)
    case .frame(let number): max(0, Double(number) / (frameRate ?? 30))
    }
  }
}
