import Foundation
import Kinema
import KinemaFiles

enum InputFiles {
  /// The endings of the files that are taken from a folder.
  private static let mediaExtensions = MediaFolder.videoExtensions.union(
    MediaFolder.pictureExtensions)

  /// The files that operands stand for: files as they are, folders as the media files in them.
  ///
  /// - Throws: ``CommandFailure`` where something is not there or a folder holds no such file, and
  ///   ``UsageError`` where there are no operands.
  static func resolve(_ operands: [String], includingPoseFiles: Bool = false) throws -> [URL] {
    guard !operands.isEmpty else { throw UsageError("Name at least one file or folder.") }
    return try operands.flatMap { operand -> [URL] in
      let url = URL(filePath: operand)
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
        throw CommandFailure(.noInput, "\(operand) is not there; check the name.")
      }
      guard isFolder.boolValue else { return [url] }
      guard let contents = FolderContents(url) else {
        throw CommandFailure(.noInput, "\(operand) cannot be read; check its permissions.")
      }
      let hasVideos = contents.files.contains {
        MediaFolder.videoExtensions.contains($0.pathExtension.lowercased())
      }
      if !hasVideos, PoseFile.isReadable(url) { return [url] }
      func isInput(_ file: URL) -> Bool {
        mediaExtensions.contains(file.pathExtension.lowercased())
          || includingPoseFiles && PoseSequence.format(of: file) != nil
      }
      let files = contents.files.filter(isInput)
      guard !files.isEmpty else {
        throw CommandFailure(.noInput, "The folder \(operand) has no video or image.")
      }
      let others = contents.files.filter { !isInput($0) }.map(\.lastPathComponent)
      if case let others = others + contents.unusable, !others.isEmpty {
        StandardStreams.printMessage("kinema: left out of \(operand): \(summary(of: others))")
      }
      return files
    }
  }

  /// The first names of several, and the number of the others.
  static func summary(of names: [String]) -> String {
    let shown = names.prefix(3).joined(separator: ", ")
    return names.count <= 3 ? shown : "\(shown) and \(names.count - 3) more"
  }

  /// Processes the files in order.
  ///
  /// With several files, errors are reported and the others continue.
  ///
  /// - Returns: What to throw when the results of the others are written, with the status of the first error;
  ///   `nil` where all files could be used.
  static func forEach(
    _ files: [URL], _ work: (URL) async throws -> Void
  ) async throws -> CommandFailure? {
    var firstFailure: CommandFailure?
    for file in files {
      try Task.checkCancellation()
      do {
        try await work(file)
      } catch {
        let failure = CommandFailure(error)
        guard files.count > 1, failure.status != .interrupted, failure.status != .unavailable else {
          throw error
        }
        StandardStreams.printMessage("kinema: \(failure.message)")
        firstFailure = firstFailure ?? failure
      }
    }
    return firstFailure.map {
      CommandFailure($0.status, "Not all of the \(files.count) files could be used; see above.")
    }
  }
}

/// Where results go: into one file, or into a folder with one file for each input.
struct OutputTarget {
  /// The endings of what commands write a file of.
  private static let fileEndings = Set(
    PoseFormats.all.filter { !$0.isFolder }.map { $0.fileExtension } + [
      "mp4", "mov", "mkv", "png", "jpg", "jpeg", "html",
    ])

  let url: URL
  let isFolder: Bool

  /// - Parameter inputs: The inputs; several need a folder, which is made where it is not there.
  init(_ url: URL, for inputs: [URL]) throws {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
    self.url = url
    self.isFolder =
      inputs.count > 1 || (exists ? isFolder.boolValue : url.hasDirectoryPath)
    guard self.isFolder else {
      try WholeFile.checkWritable(url)
      return
    }
    guard !exists || isFolder.boolValue else {
      throw UsageError("\(url.path) is a file; for \(inputs.count) inputs name a folder.")
    }
    guard
      exists || url.hasDirectoryPath || !Self.fileEndings.contains(url.pathExtension.lowercased())
    else {
      throw UsageError(
        "\(url.lastPathComponent) is the name of one file; for \(inputs.count) inputs name a folder."
      )
    }
    let names = inputs.map { $0.deletingPathExtension().lastPathComponent }
    guard Set(names.map { Data($0.utf8) }).count == names.count else {
      throw UsageError("Two of the inputs have the same name; work on them one after the other.")
    }
    try Self.makeFolder(url)
    try WholeFile.checkWritable(url.appending(path: names.first ?? ""))
  }

  /// Throws ``UsageError`` for a file of poses, of which no annotated copy can be made.
  static func checkPictures(of file: URL, _ kind: FrameSource.Kind) throws {
    guard kind != .poses else {
      throw UsageError(
        "\(file.lastPathComponent) has no pictures to draw on; leave --annotate out.")
    }
  }

  /// Makes a folder where it is not there.
  static func makeFolder(_ url: URL) throws {
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw CommandFailure(
        .inputOutput,
        "The folder \(url.path) cannot be made (\(error.localizedDescription)): make room, check "
          + "the permissions, or write elsewhere.")
    }
  }

  func file(for input: URL, fileExtension: String) -> URL {
    guard isFolder else { return url }
    let name = input.deletingPathExtension().lastPathComponent
    return url.appending(path: "\(name).\(fileExtension)")
  }
}
