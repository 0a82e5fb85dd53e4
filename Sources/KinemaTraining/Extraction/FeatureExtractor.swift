public import Foundation
public import KinemaVision

/// Extracts and caches the poses of annotated videos.
///
/// Each video is processed once for the poses of all people, which are cached by its content in
/// ``Configuration/cacheFolder``. Several videos are processed in parallel. After a cancellation or
/// crash, the poses of finished videos are in the cache.
public struct FeatureExtractor: Sendable {
  /// How poses are extracted.
  public struct Configuration: Hashable, Sendable {
    /// The folder of the pose cache; `nil` for none.
    public var cacheFolder: URL?
    /// How the poses of bodies are found.
    public var extractor: HumanBodyPoseExtractor.Configuration
    /// How hands are found, in place of bodies; `nil` for bodies.
    public var hands: HumanHandPoseExtractor.Configuration?
    /// How many videos are processed at the same time.
    public var jobCount: Int
    /// How many frames a second of a video are processed at most; `nil` for all.
    public var rate: Double? {
      get { if case .atMost(let rate) = processing { rate } else { nil } }
      set { processing = newValue.map { .atMost($0) } ?? .all }
    }
    /// How many frames of a video are processed.
    package var processing = ProcessingRate.all
    /// Whether the networks run only where other threads leave time.
    package var isInBackground = false

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - cacheFolder: The folder of the pose cache, created if necessary.
    ///   - extractor: The configuration of pose extraction.
    ///   - jobCount: Number of videos processed in parallel; by default one for each core.
    public init(
      cacheFolder: URL? = Self.defaultCacheFolder(),
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
      PoseCache.defaultFolder(environment: environment)
    }
  }

  /// How poses are extracted.
  public let configuration: Configuration
  private let runtime: VisionRuntime
  private let substitute: (@Sendable () -> PoseFinder.Substitute)?

  /// Creates an extractor.
  ///
  /// - Parameters:
  ///   - configuration: How poses are extracted.
  ///   - runtime: Where the networks are; they are not needed if all poses are in the cache.
  public init(
    configuration: Configuration = Configuration(), runtime: VisionRuntime = .located()
  ) {
    self.configuration = configuration
    self.runtime = runtime
    substitute = nil
  }

  /// Creates an extractor that finds poses without networks, for tests.
  package init(
    configuration: Configuration, substitute: @escaping @Sendable () -> PoseFinder.Substitute
  ) {
    self.configuration = configuration
    self.runtime = .located()
    self.substitute = substitute
  }

  /// The poses of the data of a source.
  ///
  /// Videos that cannot be read are among the findings as errors; the others are extracted.
  ///
  /// - Parameter progress: Takes reports, one at a time, on any thread.
  /// - Throws: ``TrainingError`` where the source or the cache cannot be used, ``VisionError``
  ///   where a part of vision is missing, `CancellationError`.
  package func extract(
    _ source: ActionClassifierDataSource,
    progress: (@Sendable (ExtractionProgress) -> Void)? = nil
  ) async throws -> ExtractedData {
    try await extract([source.listing()], progress: progress)[0]
  }

  /// The poses of several listings in one run.
  ///
  /// - Parameter progress: Takes reports, one at a time, on any thread.
  /// - Returns: The data of each listing, in order.
  package func extract(
    _ listings: [DataListing], progress: (@Sendable (ExtractionProgress) -> Void)? = nil
  ) async throws -> [ExtractedData] {
    var files: [URL] = []
    // By the bytes of their names, as URLs have them: paths that look alike are equal strings.
    var numbers: [URL: Int] = [:]
    for annotation in listings.flatMap(\.annotations) {
      let url = annotation.url.standardizedFileURL
      if numbers.updateValue(numbers[url] ?? files.count, forKey: url) == nil {
        files.append(annotation.url)
      }
    }
    var annotated: [[(listing: Int, index: Int, annotation: ActionAnnotation)]] = files.map { _ in
      []
    }
    for (number, listing) in listings.enumerated() {
      for (index, annotation) in listing.annotations.enumerated() {
        guard let file = numbers[annotation.url.standardizedFileURL] else { continue }
        annotated[file].append((number, index, annotation))
      }
    }
    let results = try await results(
      for: zip(files, annotated).map { url, uses in
        FileExtraction.File(url: url, annotations: uses.map(\.annotation))
      }, progress: progress)
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

  /// Extracts the poses of files into the cache; no examples are made.
  ///
  /// - Parameter progress: Takes reports, one at a time, on any thread.
  /// - Returns: Findings about files that cannot be read.
  package func extractPoses(
    of files: [URL], progress: (@Sendable (ExtractionProgress) -> Void)? = nil
  ) async throws -> [DataFinding] {
    try await results(
      for: files.map { FileExtraction.File(url: $0, annotations: []) }, progress: progress
    ).compactMap(\.failure)
  }

  /// How the frames of a file are read, with the cache.
  package func frameOptions() throws -> FrameSource.Options {
    var options = FrameSource.Options(
      subject: configuration.hands.map { .hands($0) } ?? .bodies(configuration.extractor))
    options.rate = configuration.processing
    options.needsCache = true
    options.cache = try configuration.cacheFolder.map(PoseCache.init)
    return options
  }

  private func results(
    for files: [FileExtraction.File], progress: (@Sendable (ExtractionProgress) -> Void)?
  ) async throws -> [FileExtraction.Result] {
    do {
      let run = FileExtraction(
        jobCount: configuration.jobCount, options: try frameOptions(),
        pool: PosePool(
          workerCount: configuration.jobCount, isInBackground: configuration.isInBackground,
          runtime: runtime, substitute: substitute),
        progress: progress)
      return try await run.results(for: files)
    } catch let error as VisionError where error.code == .unwritable {
      throw TrainingError(.unwritable, error.message, cause: error)
    }
  }
}
