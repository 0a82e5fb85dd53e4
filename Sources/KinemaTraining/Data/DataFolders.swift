import Foundation

enum DataFolders {
  static func labeledDirectories(_ folder: MediaFolder) throws -> DataListing {
    var collector = AnnotationCollector(folder: folder)
    let (files, folders) = try folder.contents()
    for label in folders {
      let contents = try MediaFolder(label).contents()
      let media = contents.files.filter(MediaFolder.isMedia)
      let people = try contents.folders.map { ($0, try MediaFolder($0).contents().files) }
      for (person, files) in people {
        for file in files where MediaFolder.isMedia(file) {
          let name = [label, person, file].map(\.lastPathComponent).joined(separator: "/")
          collector.add(
            place: name, name: name, label: label.lastPathComponent,
            person: person.lastPathComponent)
        }
      }
      if media.isEmpty, !people.contains(where: { $0.1.contains(where: MediaFolder.isMedia) }) {
        collector.note(
          .ignoredFile, severity: .warning, label.lastPathComponent,
          MessageText("ignoredFolder", ["folder": label.path]))
      }
      noteIgnored(contents.files.filter { !MediaFolder.isMedia($0) }, in: label, into: &collector)
      for file in media {
        let name = "\(label.lastPathComponent)/\(file.lastPathComponent)"
        collector.add(place: name, name: name, label: label.lastPathComponent)
      }
    }
    for file in files where MediaFolder.isMedia(file) {
      collector.note(
        .ignoredFile, severity: .warning, file.lastPathComponent,
        MessageText("besideFolders", ["file": file.lastPathComponent]))
    }
    return try collector.listing.usable(
      "The folder \(folder.url.path) has no videos in folders of labels, such as squats/anna.mp4.",
      MessageText("noLabelFolders", ["folder": folder.url.path]))
  }

  static func labeledFiles(_ folder: MediaFolder) throws -> DataListing {
    var collector = AnnotationCollector(folder: folder)
    let files = try folder.contents().files
    for file in files where MediaFolder.isMedia(file) {
      let name = file.lastPathComponent
      let label = name.prefix { $0 != "." }
      collector.add(place: name, name: name, label: String(label))
    }
    noteIgnored(files.filter { !MediaFolder.isMedia($0) }, in: folder.url, into: &collector)
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
    let (files, folders) = try MediaFolder(url).contents()
    if let training = Self.trainingTable(files, folders) {
      return .directoryWithVideosAndAnnotation(
        at: url.appending(path: "sources"), annotationFile: training)
    }
    let tables = files.filter { ["csv", "tsv", "json"].contains($0.pathExtension.lowercased()) }
    let annotationFiles = tables.filter {
      (try? AnnotationFile($0))?.format(AnnotationColumns()) != nil
    }
    if annotationFiles.count > 1 {
      let names = annotationFiles.map(\.lastPathComponent).joined(separator: ", ")
      throw TrainingError(
        .badData,
        MessageText("severalTables", ["folder": url.path, "names": names]))
    }
    if let file = annotationFiles.first {
      return .importedAnnotation(at: url, annotationFile: file)
    }
    let hasLabelFolders = try folders.contains { folder in
      try hasMedia(folder) || MediaFolder(folder).contents().folders.contains(where: hasMedia)
    }
    if hasLabelFolders { return .labeledDirectories(at: url) }
    if files.contains(where: MediaFolder.isMedia) {
      // The errors of a table explain more than names without labels.
      if let table = tables.first { return .importedAnnotation(at: url, annotationFile: table) }
      return .labeledFiles(at: url)
    }
    throw TrainingError(.badData, MessageText("noVideos", ["folder": url.path]))
  }

  /// The annotation file for training of a project's folder; `nil` for any other folder.
  private static func trainingTable(_ files: [URL], _ folders: [URL]) -> URL? {
    guard files.contains(where: { $0.lastPathComponent == "project.json" }),
      folders.contains(where: { $0.lastPathComponent == "sources" })
    else { return nil }
    return files.first { $0.lastPathComponent == "training.csv" }
  }

  private static func hasMedia(_ folder: URL) throws -> Bool {
    try MediaFolder(folder).contents().files.contains(where: MediaFolder.isMedia)
  }

  private static func noteIgnored(
    _ files: [URL], in folder: URL, into collector: inout AnnotationCollector
  ) {
    guard let first = files.first else { return }
    let others = files.count == 1 ? "" : " and \(files.count - 1) more"
    collector.note(
      .ignoredFile, severity: .warning, first.lastPathComponent,
      MessageText(
        "ignoredFiles",
        ["file": first.lastPathComponent, "others": others, "folder": folder.path]))
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
