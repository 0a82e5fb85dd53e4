import Foundation
import KinemaFiles

/// Folders of pictures, one for each label, as Create ML's hand pose classifier takes them.
enum PictureFolders {
  /// Whether there is a picture in the folders of labels in a folder, or of its sets; throws where they have videos or
  /// pose files beside them.
  static func isPresent(in url: URL) throws -> Bool {
    var (pictures, videos): (URL?, URL?) = (nil, nil)
    try forEachFile(in: MediaFolder(url)) { file, _ in
      if MediaFolder.isPicture(file) {
        pictures = pictures ?? file
      } else if MediaFolder.isMedia(file) {
        videos = videos ?? file
      }
    }
    if let pictures, let videos {
      throw TrainingError(
        .badData,
        MessageText(
          "picturesAndVideos",
          ["folder": url.path, "picture": pictures.path, "video": videos.path]))
    }
    return pictures != nil
  }

  /// Where a file is: its label, and the person and set whose folders it is in, if any.
  private struct Place {
    var label: String
    var person: String?
    var set: DataSets.Name?
  }

  static func listing(_ folder: MediaFolder) throws -> DataListing {
    var collector = AnnotationCollector(folder: folder)
    let depth = folder.url.standardizedFileURL.pathComponents.count
    var ignored: [String] = []
    try forEachFile(in: folder) { file, place in
      let name = file.standardizedFileURL.pathComponents.dropFirst(depth).joined(separator: "/")
      guard MediaFolder.isPicture(file) else {
        ignored.append(name)
        return
      }
      collector.add(
        place: name, name: name, label: place.label, person: place.person,
        setWord: place.set?.rawValue)
    }
    if let first = ignored.first {
      let others = ignored.count == 1 ? "" : " and \(ignored.count - 1) more"
      collector.note(
        .ignoredFile, severity: .warning, first,
        MessageText(
          "ignoredBesidePictures", ["file": first, "others": others, "folder": folder.url.path]))
    }
    var listing = collector.listing
    guard !listing.annotations.isEmpty || !listing.findings.errors.isEmpty else {
      throw TrainingError(.badData, MessageText("noPictures", ["folder": folder.url.path]))
    }
    // The file itself is the location.
    for index in listing.annotations.indices { listing.annotations[index].place = nil }
    return listing
  }

  /// Goes through `label/file`, `label/person/file`, and the same in folders of sets.
  private static func forEachFile(
    in folder: MediaFolder, set: DataSets.Name? = nil, _ body: (URL, Place) -> Void
  ) throws {
    for label in try folder.contents().folders {
      if set == nil, let name = DataSets.Name(label) {
        try forEachFile(in: MediaFolder(label), set: name, body)
        continue
      }
      let contents = try MediaFolder(label).contents()
      var place = Place(label: label.lastPathComponent, set: set)
      for file in contents.files { body(file, place) }
      for person in contents.folders {
        place.person = person.lastPathComponent
        for file in try MediaFolder(person).contents().files { body(file, place) }
      }
    }
  }
}
