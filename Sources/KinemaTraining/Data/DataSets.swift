package import Foundation
import KinemaFiles

/// The listings of the sets that a source has: of a folder with `train`, `val` and `test`, of a table
/// with a column `split`, or training alone.
///
/// Folders of these names are sets wherever they are, never classes.
package struct DataSets: Sendable {
  /// A set by the name of its folder, or the word of a table.
  enum Name: String, CaseIterable {
    case training, validation, test

    /// The set of a folder, whose name may also be that of a label or a person, such as Dev.
    init?(_ folder: URL) {
      switch folder.lastPathComponent.lowercased() {
      case "train", "training": self = .training
      case "val", "valid", "validation": self = .validation
      case "test", "testing": self = .test
      default: return nil
      }
    }

    /// The set that a table means by a word: one of the Hugging Face Hub's (“File names and
    /// splits”), or the `validate` of Kinetics.
    init?(word: String) {
      switch word.lowercased() {
      case "train", "training": self = .training
      case "val", "valid", "validation", "validate", "dev": self = .validation
      case "test", "testing", "eval", "evaluation": self = .test
      default: return nil
      }
    }
  }

  package var training: DataListing?
  package var validation: DataListing?
  package var test: DataListing?
  /// The folder of each set, in the order of ``training``, ``validation``, ``test``; empty where the
  /// source has no such folders.
  package private(set) var folders: [URL] = []

  /// Reads the sets of a source; no video is opened.
  ///
  /// - Throws: ``TrainingError`` where a folder has other folders of videos beside sets, two folders for
  ///   a set, or a set without labels inside.
  package init(_ source: ActionClassifierDataSource) throws {
    guard let folder = source.labelFolder, let sets = try Self.folders(in: folder) else {
      try divide(source.listing())
      return
    }
    training = try Self.listing(sets[.training])
    validation = try Self.listing(sets[.validation])
    test = try Self.listing(sets[.test])
    folders = Name.allCases.compactMap { sets[$0] }
  }

  /// Divides a listing by the sets that its annotations name; findings are those of the first.
  private mutating func divide(_ listing: DataListing) throws {
    func part(_ name: Name) -> DataListing? {
      var part = listing
      part.annotations.removeAll { ($0.set ?? .training) != name }
      return part.annotations.isEmpty ? nil : part
    }
    guard listing.annotations.contains(where: { ![nil, .training].contains($0.set) }) else {
      training = listing
      return
    }
    (training, validation, test) = (part(.training), part(.validation), part(.test))
    if training != nil { validation?.findings = [] }
    if training != nil || validation != nil { test?.findings = [] }
  }

  /// Whether there is more than what to train on.
  package var isDivided: Bool { validation != nil || test != nil }

  /// What is evaluated: the test set, else the validation set, else all there is, with its folder.
  package var evaluated: (listing: DataListing, folder: URL?) {
    (test ?? validation ?? training ?? DataListing(), folders.last)
  }

  /// The folders of sets in a folder without an annotation file; `nil` where there is none with a video.
  static func folders(in url: URL) throws -> [Name: URL]? {
    let folders = try MediaFolder(url).contents().folders.filter { try hasMedia($0) }
    let sets = folders.filter { Name($0) != nil }
    guard !sets.isEmpty else { return nil }
    let byName = Dictionary(sets.compactMap { set in Name(set).map { ($0, set) } }) { one, _ in one
    }
    let others = folders.filter { Name($0) == nil }
    guard byName.count == sets.count, others.isEmpty else {
      let names = (sets + others).map(\.lastPathComponent).joined(separator: ", ")
      throw TrainingError(
        .badData, MessageText("mixedSets", ["folder": url.path, "names": names]))
    }
    return byName
  }

  private static func listing(_ folder: URL?) throws -> DataListing? {
    guard let folder else { return nil }
    let source = try DataFolders.recognized(folder)
    if case .labeledFiles = source, try !hasLabelledNames(folder) {
      throw TrainingError(
        .badData,
        MessageText("setWithoutLabels", ["folder": folder.path, "name": folder.lastPathComponent]))
    }
    var listing = try ActionClassifierDataSource.automatic(at: folder).listing()
    // Files of two sets can have one name.
    for index in listing.annotations.indices {
      listing.annotations[index].file =
        "\(folder.lastPathComponent)/\(listing.annotations[index].file)"
    }
    return listing
  }

  /// Whether all videos are named as `squats.3.mov`.
  private static func hasLabelledNames(_ folder: URL) throws -> Bool {
    try MediaFolder(folder).contents().files.filter(MediaFolder.isMedia).allSatisfy {
      $0.lastPathComponent.count { $0 == "." } > 1
    }
  }

  /// Whether there is a video or pose file in a folder, or as deep below it as people are in sets.
  private static func hasMedia(_ folder: URL, depth: Int = 3) throws -> Bool {
    let contents = try MediaFolder(folder).contents()
    return try contents.files.contains(where: MediaFolder.isMedia)
      || depth > 0 && contents.folders.contains { try hasMedia($0, depth: depth - 1) }
  }
}

extension ActionClassifierDataSource {
  /// The folder whose folders are labels, or sets.
  fileprivate var labelFolder: URL? {
    switch self {
    case .labeledDirectories(let url): return url
    case .automatic(let url):
      guard case .labeledDirectories? = try? DataFolders.recognized(url) else { return nil }
      return url
    default: return nil
    }
  }
}
