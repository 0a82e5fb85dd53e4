public import Foundation
import KinemaFiles
import KinemaPose
import KinemaStreams
import KinemaVideo
public import KinemaVision

/// Makes poses of annotated videos, and remembers them.
///
/// Each video is looked at once, as a whole, for the poses of everybody in it. They are kept in a
/// folder under the hash of the video's content, so that the next time no video is opened, whatever
/// its name; see ``Configuration/cacheFolder``. Several videos are worked on at the same time.
/// Wherever the work ends, be it cancelled or the process killed, what has been finished is kept.
public struct FeatureExtractor: Sendable {
  /// How poses are extracted.
  public struct Configuration: Hashable, Sendable {
    /// Where poses are kept.
    public var cacheFolder: URL
    /// How people are looked for.
    public var extractor: HumanBodyPoseExtractor.Configuration
    /// How many videos are worked on at the same time.
    public var jobCount: Int

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - cacheFolder: Where poses are kept; it is made where it is not there.
    ///   - extractor: How people are looked for.
    ///   - jobCount: How many videos are worked on at the same time; by default one a core.
    public init(
      cacheFolder: URL = Self.defaultCacheFolder(),
      extractor: HumanBodyPoseExtractor.Configuration = .init(),
      jobCount: Int = ProcessInfo.processInfo.activeProcessorCount
    ) {
      self.cacheFolder = cacheFolder
      self.extractor = extractor
      self.jobCount = max(1, jobCount)
    }

    /// The folder `kinema/features` in `XDG_CACHE_HOME`, or in `.cache` in the user's home.
    public static func defaultCacheFolder(
      environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> URL {
      // The specification of base directories has relative paths ignored.
      let chosen = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      let base =
        chosen.map { URL(filePath: $0) }
        ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".cache")
      return base.appending(path: "kinema/features")
    }
  }

  /// Changes whenever the same video would give other poses than before.
  static let version = 2

  /// How poses are extracted.
  public let configuration: Configuration
  private let makeFinder: @Sendable () -> ClipPoseFinder

  /// Creates an extractor.
  ///
  /// - Parameters:
  ///   - configuration: How poses are extracted.
  ///   - runtime: Where the parts of vision are; they are not needed while all poses are known.
  public init(
    configuration: Configuration = Configuration(), runtime: VisionRuntime = .located()
  ) {
    self.init(configuration: configuration) {
      .bodies(configuration.extractor, runtime: runtime)
    }
  }

  /// Creates an extractor that finds people in a way of the caller's.
  package init(
    configuration: Configuration, makeFinder: @escaping @Sendable () -> ClipPoseFinder
  ) {
    self.configuration = configuration
    self.makeFinder = makeFinder
  }

  /// The poses of the data of a source.
  ///
  /// Videos that cannot be read are among the findings as errors; the others are extracted all the
  /// same.
  ///
  /// - Parameter progress: Takes reports, one at a time, on any thread.
  /// - Throws: ``TrainingError`` where the source or the cache cannot be used, ``VisionError`` where a
  ///   part of vision is missing, `CancellationError`.
  public func extract(
    _ source: ActionClassifierDataSource,
    progress: (@Sendable (ExtractionProgress) -> Void)? = nil
  ) async throws -> ExtractedData {
    try await extract([source.listing()], progress: progress)[0]
  }

  /// The poses of several listings, in one go.
  ///
  /// - Parameter progress: Takes reports, one at a time, on any thread.
  /// - Returns: The data of each listing, in order.
  public func extract(
    _ listings: [DataListing], progress: (@Sendable (ExtractionProgress) -> Void)? = nil
  ) async throws -> [ExtractedData] {
    var files: [URL] = []
    var numbers: [String: Int] = [:]
    for annotation in listings.flatMap(\.annotations) {
      let path = annotation.url.standardizedFileURL.path
      if numbers.updateValue(numbers[path] ?? files.count, forKey: path) == nil {
        files.append(annotation.url)
      }
    }
    let run = ExtractionRun(
      configuration: configuration,
      cache: try FeatureCache(
        folder: configuration.cacheFolder, extractionKey: Self.key(of: configuration.extractor)),
      pool: FilePosePool(threadCount: configuration.jobCount, makeFinder: makeFinder),
      progress: progress)
    var annotated: [[(listing: Int, index: Int, annotation: ActionAnnotation)]] = files.map { _ in
      []
    }
    for (number, listing) in listings.enumerated() {
      for (index, annotation) in listing.annotations.enumerated() {
        guard let file = numbers[annotation.url.standardizedFileURL.path] else { continue }
        annotated[file].append((number, index, annotation))
      }
    }
    let results = try await run.results(
      for: zip(files, annotated).map { url, uses in
        ExtractionRun.File(url: url, annotations: uses.map(\.annotation))
      })
    // Put together in the order of the annotations, whichever video was done first.
    return listings.indices.map { number in
      var data = ExtractedData(findings: listings[number].findings)
      var examples: [(index: Int, example: ActionExample)] = []
      var findings: [(index: Int, finding: DataFinding)] = []
      for (uses, result) in zip(annotated, results) {
        guard let firstUse = uses.first(where: { $0.listing == number }) else { continue }
        if var description = result.description {
          description.file = firstUse.annotation.file
          data.videos.append(description)
        }
        if let failure = result.failure {
          var finding = failure
          finding.file = firstUse.annotation.file
          findings.append((firstUse.index, finding))
        }
        for (use, stretch) in zip(uses, result.stretches) where use.listing == number {
          if let example = stretch.example { examples.append((use.index, example)) }
          findings += stretch.findings.map { (use.index, $0) }
        }
      }
      data.examples = examples.sorted { $0.index < $1.index }.map(\.example)
      data.examples += listings[number].examples
      data.findings += findings.enumerated().sorted {
        ($0.element.index, $0.offset) < ($1.element.index, $1.offset)
      }.map(\.element.finding)
      return data
    }
  }

  /// Names a way of extraction.
  private static func key(of configuration: HumanBodyPoseExtractor.Configuration) -> String {
    let parts = [
      "features \(version)", "mode \(configuration.mode.rawValue)",
      "persons \(configuration.maximumPersonCount)",
      "precision \(configuration.precision.rawValue)",
      "sides \(configuration.repairsSides)", "smoothed \(configuration.isSmoothed)",
    ]
    return String(ContentHash.sha256(of: Data(parts.joined(separator: "\n").utf8)).prefix(16))
  }
}
