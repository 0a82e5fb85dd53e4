import Foundation
import Kinema
import KinemaStudio

enum DataOptions {
  enum Layout: String, CaseIterable {
    case automatic, folders, files, table
    case labelStudio = "label-studio"
    case labelU = "labelu"
    case repetitionCounts = "repetition-counts"
  }

  static let options = """
    --layout LAYOUT  folders, files, table, label-studio, labelu, repetition-counts (default: auto).
    --columns NAMES  A table's column names, such as file=clip,label=action,start=from,end=to.
    --cache FOLDER  The pose cache (default ~/.cache/kinema/features).
    """

  static func source(
    at url: URL, _ arguments: Arguments
  ) throws -> ActionClassifierDataSource {
    let columns = try arguments.value("columns").map(columns)
    let layout = try arguments.choice(
      "layout", default: columns == nil ? Layout.automatic : Layout.table)
    guard columns == nil || layout == .table else {
      throw UsageError("--columns goes with --layout table.")
    }
    let folder = url.deletingLastPathComponent()
    switch layout {
    case .automatic: return .automatic(at: url)
    case .folders: return .labeledDirectories(at: url)
    case .files: return .labeledFiles(at: url)
    case .table:
      return .directoryWithVideosAndAnnotation(
        at: folder, annotationFile: url, videoColumn: columns?["file"] ?? "file_name",
        labelColumn: columns?["label"] ?? "label",
        startTimeColumn: columns?["start"] ?? "start_time",
        endTimeColumn: columns?["end"] ?? "end_time")
    case .labelStudio, .labelU, .repetitionCounts:
      return .importedAnnotation(
        at: folder, annotationFile: url,
        format: AnnotationFormat(rawValue: layout.rawValue) ?? .automatic)
    }
  }

  /// The project in a folder, if there is one; throws ``KinemaStudio/StudioError`` for a damaged one.
  static func project(at url: URL) throws -> Project? {
    Project.isProject(url) ? try Project(opening: url) : nil
  }

  /// How poses are extracted; a project has a cache of its own.
  static func extraction(
    _ arguments: Arguments, _ project: Project? = nil
  ) throws -> FeatureExtractor.Configuration {
    var configuration = project?.extraction ?? FeatureExtractor.Configuration()
    if let folder = arguments.url("cache") { configuration.cacheFolder = folder }
    if arguments.has("no-cache") { configuration.cacheFolder = nil }
    configuration.rate = try arguments.frameRate()
    if let count = try arguments.integer("threads", within: 1...256) {
      configuration.jobCount = count
    }
    return configuration
  }

  private static func columns(_ text: String) throws -> [String: String] {
    var columns: [String: String] = [:]
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
      guard pair.count == 2, ["file", "label", "start", "end"].contains(pair[0]) else {
        throw UsageError(
          "--columns takes pairs such as file=clip,label=action,start=from,end=to, not \(part).")
      }
      columns[pair[0]] = pair[1]
    }
    return columns
  }
}

extension ExtractionProgress {
  func show() {
    let bar = ProgressBar.bar(fractionCompleted, length: 24)
    let step = phase == .checking ? "checking the cache" : "extracting poses"
    let left = secondsRemaining.map { "  \(ProgressBar.clock($0)) left" } ?? ""
    StandardStreams.showProgress(
      "\(step)  \(bar)  \(completedCount) of \(fileCount) files\(left)", step: step,
      share: fractionCompleted)
  }
}
