public import Foundation

/// A source of labelled videos or pose files, as `MLActionClassifier.DataSource`.
public enum ActionClassifierDataSource: Hashable, Sendable {
  /// A folder with one folder per label: `squats/anna.mp4`.
  case labeledDirectories(at: URL)
  /// A folder with files named by label: `squats.3.mov`.
  case labeledFiles(at: URL)
  /// A folder with files, and a CSV or JSON file that labels segments of them, or the file of a tool whose tier or
  /// attribute of labels has the name `labelColumn`.
  ///
  /// A row without times labels the whole file. The default columns may also be named `file` or
  /// `video`, and `class` or `action`, in any spelling; those of times are found by what they are
  /// called, such as `start`, `end_frame`, `from`, `duration (ms)`, and may be missing, or `nil`. Where
  /// another column looks like a time, the file is refused; others are ignored.
  case directoryWithVideosAndAnnotation(
    at: URL, annotationFile: URL, videoColumn: String = "file_name", labelColumn: String = "label",
    startTimeColumn: String? = "start_time", endTimeColumn: String? = "end_time")
  /// A folder with files, and the export of a labelling tool or data set.
  ///
  /// - Parameter frameRate: The rate of the file's frame numbers; `nil` for the videos' own.
  case importedAnnotation(
    at: URL, annotationFile: URL, format: AnnotationFormat = .automatic, frameRate: Double? = nil)
  /// A folder with one folder of pictures per label, as `MLHandPoseClassifier.DataSource`: `thumbs_up/1.jpg`. Each is
  /// an example of a single pose, for a window of one frame.
  case labeledPictures(at: URL)
  /// Poses in memory.
  case labeledPoses([ActionExample])
  /// A folder of any of these layouts, or an annotation file beside its videos.
  case automatic(at: URL)
}

extension ActionClassifierDataSource {
  /// The data of hands at a path: folders of pictures, or what ``automatic(at:)`` recognises; throws
  /// ``TrainingError`` for a folder with both.
  package static func hands(at url: URL) throws -> ActionClassifierDataSource {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
    return try exists && isFolder.boolValue && PictureFolders.isPresent(in: url)
      ? .labeledPictures(at: url) : .automatic(at: url)
  }

  /// Whether its examples are single poses.
  package var isOfPictures: Bool { if case .labeledPictures = self { true } else { false } }

  /// The labelled segments of each file; no video is opened.
  ///
  /// Errors in rows and files are findings; an unreadable folder or file throws ``TrainingError``.
  package func listing() throws -> DataListing {
    switch self {
    case .labeledDirectories(let url): return try DataFolders.labeledDirectories(MediaFolder(url))
    case .labeledFiles(let url): return try DataFolders.labeledFiles(MediaFolder(url))
    case .directoryWithVideosAndAnnotation(
      let url, let file, let video, let label, let startTime, let endTime):
      let annotations = try AnnotationFile(file)
      return try annotations.listing(
        for: MediaFolder(url), format: annotations.hasTracks ? .automatic : .table,
        columns: AnnotationColumns(
          video: video, label: label, startTime: startTime, endTime: endTime),
        frameRate: nil)
    case .importedAnnotation(let url, let file, let format, let frameRate):
      if let frameRate, !(frameRate > 0 && frameRate.isFinite) {
        throw TrainingError(
          .badParameter, "\(frameRate) is not a frame rate for \(file.lastPathComponent).")
      }
      return try AnnotationFile(file).listing(
        for: MediaFolder(url), format: format, columns: AnnotationColumns(), frameRate: frameRate)
    case .labeledPictures(let url): return try PictureFolders.listing(MediaFolder(url))
    case .labeledPoses(let examples):
      return DataListing(examples: examples)
    case .automatic(let url):
      let source = try DataFolders.recognized(url)
      guard case .importedAnnotation(url, let file, let format, _) = source else {
        return try source.listing()
      }
      // The tools with a file a video have several.
      guard file == url else {
        return try AnnotationFile(file).listing(
          for: MediaFolder(url), format: format, columns: AnnotationColumns(), frameRate: nil,
          notesUnnamed: true)
      }
      var listing = DataListing()
      for file in try DataFolders.annotationFiles(in: url) {
        let found = try file.listing(
          for: MediaFolder(url), format: format, columns: AnnotationColumns(), frameRate: nil)
        listing.annotations += found.annotations
        listing.findings += found.findings
      }
      return listing
    }
  }
}

extension [DataFinding] {
  /// The errors among the findings.
  public var errors: [DataFinding] { filter { $0.severity == .error } }

  /// Throws the first error, with the number of further ones.
  public func throwFirstError() throws {
    let errors = errors
    guard let first = errors.first else { return }
    let others = errors.count - 1
    let more =
      others == 0 ? "" : " (And \(others) more \(others == 1 ? "error" : "errors").)"
    let code: TrainingError.Code = first.kind == .missingFile ? .missing : .badData
    throw TrainingError(code, first.message + more, text: first.text)
  }
}
