public import Foundation

/// Where labelled videos, or files of poses, come from, as `MLActionClassifier.DataSource` has it.
///
/// Wherever a video may stand, a file of poses (`.npz`, `.jsonl`) may stand as well.
public enum ActionClassifierDataSource: Hashable, Sendable {
  /// A folder with a folder for each label: `squats/anna.mp4`.
  case labeledDirectories(at: URL)
  /// A folder with files whose names begin with the label and a dot: `squats.3.mov`.
  case labeledFiles(at: URL)
  /// A folder with files, and a CSV or JSON file that says what is done when.
  ///
  /// Times are in seconds; without them a row stands for the whole file. Columns that are not named
  /// here are ignored. The usual columns may also be called `file` or `video`, `start` and `end`;
  /// those of the times may be missing, or switched off with `nil`.
  case directoryWithVideosAndAnnotation(
    at: URL, annotationFile: URL, videoColumn: String = "file_name", labelColumn: String = "label",
    startTimeColumn: String? = "start_time", endTimeColumn: String? = "end_time")
  /// A folder with files, and an annotation file that a labelling tool or a data set has.
  ///
  /// - Parameters:
  ///   - frameRate: The frames per second at which the file counts frames; `nil` for the videos' own
  ///     frames.
  case importedAnnotation(
    at: URL, annotationFile: URL, format: AnnotationFormat = .automatic, frameRate: Double? = nil)
  /// Poses that are in memory already.
  case labeledPoses([ActionExample])
  /// A folder of any of these layouts, or an annotation file beside its videos: what it is, is
  /// recognised.
  case automatic(at: URL)
}

extension ActionClassifierDataSource {
  /// What is done when in which file; no video is opened.
  ///
  /// - Throws: ``TrainingError`` where a folder or an annotation file cannot be read at all. What is
  ///   wrong with single rows and files is among the listing's findings.
  public func listing() throws -> DataListing {
    switch self {
    case .labeledDirectories(let url): return try DataFolders.labeledDirectories(MediaFolder(url))
    case .labeledFiles(let url): return try DataFolders.labeledFiles(MediaFolder(url))
    case .directoryWithVideosAndAnnotation(
      let url, let file, let video, let label, let startTime, let endTime):
      return try AnnotationFile(file).listing(
        for: MediaFolder(url), format: .table,
        columns: AnnotationColumns(
          video: video, label: label, startTime: startTime, endTime: endTime),
        frameRate: nil)
    case .importedAnnotation(let url, let file, let format, let frameRate):
      if let frameRate, !(frameRate > 0 && frameRate.isFinite) {
        throw TrainingError(
          .badParameter, "A frame rate of \(frameRate) for \(file.lastPathComponent) is none.")
      }
      return try AnnotationFile(file).listing(
        for: MediaFolder(url), format: format, columns: AnnotationColumns(), frameRate: frameRate)
    case .labeledPoses(let examples):
      return DataListing(examples: examples)
    case .automatic(let url):
      return try DataFolders.recognized(url).listing()
    }
  }

  /// What is done when in which file; no video is opened.
  ///
  /// - Throws: ``TrainingError`` for the first thing that is wrong.
  public func annotations() throws -> [ActionAnnotation] {
    let listing = try listing()
    try listing.findings.throwFirstError()
    return listing.annotations
  }
}

extension [DataFinding] {
  /// Those that must be mended.
  public var errors: [DataFinding] { filter { $0.severity == .error } }

  /// Throws a ``TrainingError`` for the first error, which says how many there are, if there is one.
  public func throwFirstError() throws {
    let errors = errors
    guard let first = errors.first else { return }
    let others = errors.count - 1
    let more =
      others == 0 ? "" : " (And \(others) more \(others == 1 ? "error" : "errors").)"
    let code: TrainingError.Code = first.kind == .missingFile ? .missing : .badData
    throw TrainingError(code, first.message + more)
  }
}
