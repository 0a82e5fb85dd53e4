import Foundation
import KinemaFiles

enum DataFolders {
  static func labeledDirectories(_ folder: MediaFolder) throws -> DataListing {
    if let sets = try DataSets.folders(in: folder.url) {
      let names = sets.values.map(\.lastPathComponent).sorted().joined(separator: ", ")
      throw TrainingError(
        .badData, MessageText("setsNotLabels", ["folder": folder.url.path, "names": names]))
    }
    var collector = AnnotationCollector(folder: folder)
    let contents = try folder.contents()
    for label in contents.folders { try add(label, to: &collector) }
    for file in contents.files where MediaFolder.isMedia(file) {
      collector.note(
        .ignoredFile, severity: .warning, file.lastPathComponent,
        MessageText("besideFolders", ["file": file.lastPathComponent]))
    }
    collector.noteIgnored(in: contents, of: folder.url)
    return try collector.listing.usable(
      "The folder \(folder.url.path) has no videos in folders of labels, such as squats/anna.mp4.",
      MessageText("noLabelFolders", ["folder": folder.url.path]))
  }

  /// Adds the files of a label, and those of the people in folders inside it.
  private static func add(_ label: URL, to collector: inout AnnotationCollector) throws {
    let contents = try MediaFolder(label).contents()
    var count = 0
    for person in contents.folders {
      let inner = try MediaFolder(person).contents()
      for file in inner.files where MediaFolder.isMedia(file) {
        guard DataSets.Name(person) == nil else {
          throw TrainingError(
            .badData,
            MessageText(
              "setInLabel", ["folder": label.path, "name": person.lastPathComponent]))
        }
        let name = [label, person, file].map(\.lastPathComponent).joined(separator: "/")
        collector.add(
          place: name, name: name, label: label.lastPathComponent, person: person.lastPathComponent)
        count += 1
      }
      collector.noteIgnored(in: inner, of: person)
      for folder in inner.folders { collector.noteIgnored(folder) }
    }
    for file in contents.files where MediaFolder.isMedia(file) {
      let name = "\(label.lastPathComponent)/\(file.lastPathComponent)"
      collector.add(place: name, name: name, label: label.lastPathComponent)
      count += 1
    }
    if count == 0 { collector.noteIgnored(label) }
    collector.noteIgnored(in: contents, of: label)
  }

  static func labeledFiles(_ folder: MediaFolder) throws -> DataListing {
    var collector = AnnotationCollector(folder: folder)
    let contents = try folder.contents()
    for file in contents.files where MediaFolder.isMedia(file) {
      let name = file.lastPathComponent
      let label = name.prefix { $0 != "." }
      collector.add(place: name, name: name, label: String(label))
    }
    collector.noteIgnored(in: contents, of: folder.url)
    for inner in contents.folders { collector.noteIgnored(inner) }
    return try collector.listing.usable(
      "The folder \(folder.url.path) has no videos whose names start with a label, such as "
        + "squats.3.mov.", MessageText("noLabelledFiles", ["folder": folder.url.path]))
  }

  /// The layout of a folder or an annotation file.
  static func recognized(_ url: URL) throws -> ActionClassifierDataSource {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw TrainingError(.missing, MessageText("nothingThere", ["path": url.path]))
    }
    guard isFolder.boolValue else {
      return .importedAnnotation(at: url.deletingLastPathComponent(), annotationFile: url)
    }
    let contents = try MediaFolder(url).contents()
    let (files, folders) = (contents.files, contents.folders)
    let tables = Self.tables(in: files)
    let annotationFiles = try annotationFiles(in: url)
    if annotationFiles.count > 1 {
      // The tools that write a file a video.
      let formats = Set(annotationFiles.map { $0.format(AnnotationColumns()) })
      if formats.isSubset(of: [.elan, .cvat, .via]), formats.count == 1 {
        return .importedAnnotation(at: url, annotationFile: url)
      }
      let names = annotationFiles.map(\.url.lastPathComponent).joined(separator: ", ")
      throw TrainingError(
        .badData,
        MessageText("severalTables", ["folder": url.path, "names": names]))
    }
    if let file = annotationFiles.first {
      return .importedAnnotation(at: url, annotationFile: file.url)
    }
    let hasLabelFolders = try folders.contains { folder in
      try hasMedia(folder) || MediaFolder(folder).contents().folders.contains(where: hasMedia)
    }
    if try hasLabelFolders || DataSets.folders(in: url) != nil {
      return .labeledDirectories(at: url)
    }
    if files.contains(where: MediaFolder.isMedia) {
      // The errors of a table explain more than names without labels.
      let foreign = files.filter { foreignTables.contains($0.pathExtension.lowercased()) }
      if let table = (tables + foreign).first {
        return .importedAnnotation(at: url, annotationFile: table)
      }
      return .labeledFiles(at: url)
    }
    throw TrainingError(
      .badData,
      try PictureFolders.isPresent(in: url)
        ? MessageText("picturesNotVideos", ["folder": url.path])
        : MessageText("noVideos", ["folder": url.path]))
  }

  /// The annotation files in a folder, by their content.
  static func annotationFiles(in url: URL) throws -> [AnnotationFile] {
    try tables(in: MediaFolder(url).contents().files).compactMap { table in
      // What cannot be read is none, which is reported where nothing else is there.
      guard let file = try? AnnotationFile(table), file.format(AnnotationColumns()) != nil else {
        return nil
      }
      return file
    }
  }

  private static func tables(in files: [URL]) -> [URL] {
    files.filter { tableExtensions.contains($0.pathExtension.lowercased()) }
  }

  /// The extensions of annotation files, and of those that are not read.
  private static let tableExtensions: Set<String> = ["csv", "tsv", "json", "eaf", "xml", "boris"]
  private static let foreignTables: Set<String> = [
    "xlsx", "xls", "ods", "srt", "vtt", "textgrid", "ndjson", "parquet",
  ]

  private static func hasMedia(_ folder: URL) throws -> Bool {
    try MediaFolder(folder).contents().files.contains(where: MediaFolder.isMedia)
  }
}

extension AnnotationCollector {
  /// Notes what is no video in a folder, and what cannot be opened.
  fileprivate mutating func noteIgnored(in contents: FolderContents, of folder: URL) {
    let others = contents.files.filter { !MediaFolder.isMedia($0) }.map(\.lastPathComponent)
    note(others, of: folder, "ignoredFiles")
    note(contents.unusable, of: folder, "unusableNames")
  }

  /// Notes a folder that is not used.
  fileprivate mutating func noteIgnored(_ folder: URL) {
    note(
      .ignoredFile, severity: .warning, folder.lastPathComponent,
      MessageText("ignoredFolder", ["folder": folder.path]))
  }

  /// Notes the videos that no row names.
  mutating func noteUnnamed(in folder: MediaFolder) throws {
    let named = Set(listing.annotations.map(\.url))
    let contents = try folder.contents()
    let others = contents.files.filter { MediaFolder.isMedia($0) && !named.contains($0) }
    note(others.map(\.lastPathComponent), of: folder.url, "unlabelledFiles")
    note(contents.unusable, of: folder.url, "unusableNames")
  }

  private mutating func note(_ names: [String], of folder: URL, _ text: String) {
    guard let first = names.first else { return }
    let others = names.count == 1 ? "" : " and \(names.count - 1) more"
    note(
      .ignoredFile, severity: .warning, first,
      MessageText(text, ["file": first, "others": others, "folder": folder.path]))
  }
}

extension DataListing {
  /// The listing of a folder, where the file itself is the location; throws where it is empty and no
  /// error says why.
  fileprivate func usable(_ message: String, _ text: MessageText) throws -> DataListing {
    guard !annotations.isEmpty || !findings.errors.isEmpty else {
      throw TrainingError(.badData, message, text: text)
    }
    var listing = self
    for index in listing.annotations.indices { listing.annotations[index].place = nil }
    return listing
  }
}
