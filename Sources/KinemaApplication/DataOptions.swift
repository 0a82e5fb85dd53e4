import Foundation
import Kinema
import KinemaStudio

struct DataOptions: OptionGroup {
  enum Layout: String, CaseIterable, OptionValue {
    case automatic = "auto"
    case folders, files, table
    case labelStudio = "label-studio"
    case labelU = "labelu"
    case repetitionCounts = "repetition-counts"
    case activityNet = "activitynet"
    case via, elan, cvat, boris, kinetics, charades

    /// `automatic` is the spelling of earlier versions.
    static func value(of text: String, within limits: ClosedRange<Int>?) -> Layout? {
      Layout(rawValue: text == "automatic" ? Layout.automatic.rawValue : text)
    }
  }

  @Option(
    "KIND", "folders, files, table, or the format of a tool, such as elan (default: auto).")
  var layout = Layout.automatic
  @Option(
    "NAMES", "A table's columns: file=clip,label=action,start=from; or a tier: label=TIER.")
  var columns: TableColumns?
  @Option("FOLDER", "The pose cache (default ~/.cache/kinema/features).")
  var cache: FolderPath?
  @Option("DEVICE", NetworkDevice.poseHelp)
  var device = NetworkDevice.cpu

  /// - Parameter ofHands: Whether it is of hands, which pictures show as well.
  func source(at url: URL, ofHands: Bool = false) throws -> ActionClassifierDataSource {
    let columns = columns?.names
    let layout = columns != nil && layout == .automatic ? .table : layout
    guard columns == nil || layout == .table else {
      throw UsageError("--columns goes with --layout table.")
    }
    if ofHands, [.automatic, .folders].contains(layout), !Project.isProject(url) {
      let source = try ActionClassifierDataSource.hands(at: url)
      if layout == .automatic || source.isOfPictures { return source }
    }
    let folder = url.deletingLastPathComponent()
    switch layout {
    case .automatic: return Project.data(at: url)
    case .folders: return .labeledDirectories(at: url)
    case .files: return .labeledFiles(at: url)
    case .table:
      return .directoryWithVideosAndAnnotation(
        at: folder, annotationFile: url, videoColumn: columns?["file"] ?? "file_name",
        labelColumn: columns?["label"] ?? "label",
        startTimeColumn: columns?["start"] ?? "start_time",
        endTimeColumn: columns?["end"] ?? "end_time")
    case .labelStudio, .labelU, .repetitionCounts, .activityNet, .via, .elan, .cvat, .boris,
      .kinetics,
      .charades:
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
  func extraction(
    _ project: Project?, _ frames: FrameOptions = FrameOptions(), ofHands: Bool = false
  ) throws -> FeatureExtractor.Configuration {
    var configuration = project?.extraction ?? FeatureExtractor.Configuration()
    configuration.extractor.device = device
    if ofHands { configuration.hands = .init(device: device) }
    configuration.extractor.settings.reportSubstitutes()
    configuration.cacheFolder = frames.noCache ? nil : cache?.url ?? configuration.cacheFolder
    configuration.processing = frames.rate ?? .all
    configuration.jobCount = frames.threads ?? configuration.jobCount
    return configuration
  }
}

/// The names of a table's columns, by what they hold.
struct TableColumns: OptionValue {
  let names: [String: String]
  static var kind: OptionKind { .text }
  static func value(of text: String, within limits: ClosedRange<Int>?) throws -> TableColumns? {
    var names: [String: String] = [:]
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
      guard pair.count == 2, ["file", "label", "start", "end"].contains(pair[0]) else {
        return nil
      }
      names[pair[0]] = pair[1]
    }
    return TableColumns(names: names)
  }
  static func expectation(within limits: ClosedRange<Int>?) -> String {
    "pairs such as file=clip,label=action,start=from,end=to"
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
