import Foundation
import KinemaPose
import KinemaStreams
import KinemaTestSupport
import KinemaTraining
import KinemaVideo
import KinemaVision
import Synchronization
import Testing

/// Keeps the last report of each phase.
private final class Reports: Sendable {
  private let all = Mutex<[ExtractionProgress]>([])
  func add(_ progress: ExtractionProgress) { all.withLock { $0.append(progress) } }
  var values: [ExtractionProgress] { all.withLock { $0 } }
  var last: ExtractionProgress? { values.last }
}

@Suite("The extraction of poses")
struct FeatureExtractorTests {
  private let folder: DataFolder
  private var cache: URL { folder.file("cache") }

  init() throws {
    folder = try DataFolder()
  }

  /// Finds a pose that depends on the picture, and someone smaller beside it in every second video.
  private func extractor(
    cache: URL? = nil, jobCount: Int = 2, failingAfter limit: Int = .max
  ) -> FeatureExtractor {
    let calls = Counter()
    return FeatureExtractor(
      configuration: .init(cacheFolder: cache ?? self.cache, jobCount: jobCount)
    ) {
      { frame, _ in
        if calls.increment() > limit { throw CancellationError() }
        let value = frame.withUnsafeBytes { Int($0[1]) }
        // Ids continue from video to video, as in the real extractor.
        return [
          .sample(value, personID: 40 + calls.value / 1000),
          .sample(value, personID: 90, size: 0.3),
        ]
      }
    }
  }

  private final class Counter: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
    func increment() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
  }

  private func writeVideos(_ count: Int, frameCount: Int = 12) async throws
    -> ActionClassifierDataSource
  {
    for index in 0..<count {
      try await folder.writeVideo(
        "videos/\(index % 2 == 0 ? "up" : "down")/\(index).mp4", frameCount: frameCount, seed: index
      )
    }
    return .labeledDirectories(at: folder.file("videos"))
  }

  @Test("an example holds the prominent person's poses and the video's times")
  func example() async throws {
    let data = try await extractor().extract(try await writeVideos(2))
    #expect(data.findings.isEmpty)
    #expect(data.examples.map(\.label) == ["down", "up"])
    let example = try #require(data.examples.first)
    #expect(example.file == "down/1.mp4" && example.videoID.count == 64)
    #expect(example.timeRange.lowerBound == 0)
    #expect(abs(example.timeRange.upperBound - 0.4) < 1e-3)
    #expect(example.poses.frames.count == 12)
    #expect(example.poses.frames.allSatisfy { $0.poses.map(\.personID) == [1] })
    let video = try #require(data.videos.first)
    #expect(video.file == "down/1.mp4" && video.videoID == example.videoID)
    #expect(video.width == 64 && video.height == 64 && video.frameCount == 12)
    #expect(abs(video.frameRate - 30) < 0.01 && abs(video.duration - 0.4) < 1e-3)
  }

  @Test("segments are cut by time, or by frames, from one pass over the video")
  func stretches() async throws {
    try await folder.writeVideo("a.mp4", frameCount: 30)
    let url = folder.file("a.mp4")
    let reports = Reports()
    let listing = DataListing(annotations: [
      ActionAnnotation(url: url, label: "x", start: .seconds(0.2), end: .seconds(0.5)),
      ActionAnnotation(url: url, label: "y", start: .frame(20), end: .frame(25)),
      ActionAnnotation(url: url, label: "z", start: .seconds(0.9)),
    ])
    let data = try await extractor().extract([listing]) { reports.add($0) }[0]
    let times = data.examples.map { $0.poses.frames.map(\.time) }
    #expect(times.map(\.count) == [9, 5, 3])
    #expect(
      abs((times[0].first ?? 0) - 0.2) < 1e-4 && abs((times[1].first ?? 0) - 20.0 / 30) < 1e-4)
    #expect(data.examples.map(\.label) == ["x", "y", "z"])
    #expect(Set(data.examples.map(\.videoID)).count == 1 && data.videos.count == 1)
    #expect(reports.last?.decodedCount == 1 && reports.last?.frameCount == 30)
  }

  @Test("a second run opens no video, and gives the same")
  func secondRun() async throws {
    let source = try await writeVideos(3)
    let first = try await extractor().extract(source)
    // Files of the same size and date, which nobody could read as videos any more.
    for (path, content) in try DataFolder.contents(of: folder.file("videos")) {
      let url = folder.file("videos").appending(path: path)
      var status = stat()
      #expect(stat(url.path, &status) == 0)
      let file = try FileHandle(forWritingTo: url)
      try file.write(contentsOf: Data(count: content.count))
      try file.close()
      var times = [status.st_atim, status.st_mtim]
      #expect(utimensat(AT_FDCWD, url.path, &times, 0) == 0)
    }
    let reports = Reports()
    let second = try await extractor(failingAfter: 0).extract(source) { reports.add($0) }
    #expect(second.examples == first.examples && second.videos == first.videos)
    #expect(reports.last?.decodedCount == 0 && reports.last?.cachedCount == 3)
    #expect(reports.last?.fractionCompleted == 1)
  }

  @Test("poses are known by the content of a video, whatever its name")
  func renamed() async throws {
    let url = try await folder.writeVideo("a.mp4")
    _ = try await extractor().extract([DataListing(annotations: [.init(url: url, label: "x")])])
    let other = folder.file("other.mp4")
    try FileManager.default.moveItem(at: url, to: other)
    try FileManager.default.copyItem(at: other, to: folder.file("copy.mp4"))
    let reports = Reports()
    let listing = DataListing(annotations: [
      .init(url: other, label: "x"), .init(url: folder.file("copy.mp4"), label: "y"),
    ])
    let data = try await extractor(failingAfter: 0).extract([listing]) { reports.add($0) }[0]
    #expect(data.examples.map(\.file) == ["other.mp4", "copy.mp4"])
    #expect(data.examples[0].videoID == data.examples[1].videoID)
    #expect(data.videos.map(\.file) == ["other.mp4", "copy.mp4"])
    #expect(reports.last?.decodedCount == 0 && reports.last?.cachedCount == 1)
    // A video that was changed is another one.
    try await folder.writeVideo("other.mp4", seed: 5)
    let changed = try await extractor().extract([listing]) { reports.add($0) }[0]
    #expect(reports.last?.decodedCount == 1)
    #expect(changed.examples[0].videoID != changed.examples[1].videoID)
  }

  @Test("the cache is the same however often the work was broken off, and however many work at it")
  func brokenOff() async throws {
    let source = try await writeVideos(5)
    let undisturbed = try await extractor(cache: folder.file("whole"), jobCount: 1).extract(source)
    let whole = try DataFolder.contents(of: folder.file("whole"))
    #expect(whole.count == 15)
    for limit in [5, 17, 30] {
      await #expect(throws: CancellationError.self) {
        try await extractor(jobCount: 1, failingAfter: limit).extract(source)
      }
    }
    let reports = Reports()
    let resumed = try await extractor().extract(source) { reports.add($0) }
    #expect(resumed.examples == undisturbed.examples)
    #expect(try DataFolder.contents(of: cache) == whole)
    // The first run ended in its first video, the others finished one and two more.
    #expect(reports.last?.cachedCount == 3 && reports.last?.decodedCount == 2)
  }

  @Test("two runs at the same time share a cache")
  func concurrent() async throws {
    let source = try await writeVideos(4)
    async let one = extractor().extract(source)
    async let other = extractor().extract(source)
    let results = try await [one, other]
    #expect(results[0].examples == results[1].examples)
    let alone = folder.file("alone")
    _ = try await extractor(cache: alone).extract(source)
    #expect(try DataFolder.contents(of: cache) == DataFolder.contents(of: alone))
  }

  @Test("what a killed process may leave behind, or a disk destroys, is made again")
  func damaged() async throws {
    let source = try await writeVideos(3)
    let first = try await extractor().extract(source)
    let whole = try DataFolder.contents(of: cache)
    let entries = whole.keys.filter { $0.hasPrefix("poses/") }.sorted()
    let hashes = whole.keys.filter { $0.hasPrefix("hashes/") }.sorted()
    #expect(entries.count == 6 && hashes.count == 3)
    // Leftovers that nobody will finish.
    try folder.write("half", to: "cache/temporary/left.npz")
    try folder.write("half", to: "cache/temporary/.left.npz.1.part")
    for name in ["left.npz", ".left.npz.1.part"] {
      var times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
      #expect(utimensat(AT_FDCWD, folder.file("cache/temporary/\(name)").path, &times, 0) == 0)
    }
    for path in entries + hashes {
      let content = try #require(whole[path])
      var flipped = content
      flipped[content.count / 2] ^= 1
      let states: [Data?] = [nil, Data(), content.prefix(content.count / 2), flipped]
      for state in states {
        let file = cache.appending(path: path)
        if let state {
          try state.write(to: file)
        } else {
          try FileManager.default.removeItem(at: file)
        }
        #expect(try await extractor().extract(source).examples == first.examples)
        #expect(try DataFolder.contents(of: cache) == whole)
      }
    }
  }

  @Test("another way of extraction has entries of its own")
  func configuration() async throws {
    let source = try await writeVideos(1)
    _ = try await extractor().extract(source)
    var configuration = FeatureExtractor.Configuration(cacheFolder: cache)
    configuration.extractor.maximumPersonCount = 1
    let other = FeatureExtractor(configuration: configuration) { { _, _ in [] } }
    let data = try await other.extract(source)
    #expect(data.examples[0].poses.frames.allSatisfy { $0.poses.isEmpty })
    let again = try await extractor(failingAfter: 0).extract(source)
    #expect(again.examples[0].poses.frames.allSatisfy { $0.poses.count == 1 })
  }

  @Test("files of poses stand in place of videos, and are not copied")
  func poseFiles() async throws {
    try folder.writePoses("data/up/a.npz")
    try folder.writePoses("data/down/b.jsonl", seconds: 2, frameRate: 24)
    let data = try await extractor(failingAfter: 0).extract(.automatic(at: folder.file("data")))
    #expect(data.examples.map(\.file) == ["down/b.jsonl", "up/a.npz"])
    let poses = try PoseSequence(contentsOf: folder.file("data/up/a.npz"))
    #expect(data.examples[1].poses.frames == poses.frames)
    #expect(data.videos.map { Int($0.frameRate.rounded()) } == [24, 30])
    #expect(abs(data.videos[0].duration - 2) < 1e-6 && data.videos[0].cameraSpeed == nil)
    #expect(try DataFolder.contents(of: cache).keys.allSatisfy { $0.hasPrefix("hashes/") })
  }

  @Test("unreadable files are reported by name, and the others are processed")
  func unreadable() async throws {
    try await folder.writeVideo("data/up/good.mp4")
    try folder.write("no video", to: "data/up/bad.mp4")
    try folder.write("", to: "data/up/empty.mp4")
    try folder.write("no poses", to: "data/up/bad.npz")
    let data = try await extractor().extract(.automatic(at: folder.file("data")))
    #expect(data.examples.map(\.file) == ["up/good.mp4"])
    #expect(data.findings.allSatisfy { $0.severity == .error && $0.kind == .unreadableFile })
    #expect(data.findings.compactMap(\.file) == ["up/bad.mp4", "up/bad.npz", "up/empty.mp4"])
    for finding in data.findings {
      #expect(finding.message.contains(finding.file ?? "?"))
    }
    #expect(throws: TrainingError.self) { try data.findings.throwFirstError() }
  }

  @Test("annotations beyond the end of a video are reported")
  func pastEnd() async throws {
    let url = try folder.writePoses("a.npz", seconds: 4)
    func annotation(_ start: Double, _ end: Double, _ row: Int) -> ActionAnnotation {
      ActionAnnotation(
        url: url, label: "x", start: .seconds(start), end: .seconds(end), place: "l.csv, row \(row)"
      )
    }
    let listing = DataListing(annotations: [
      annotation(1, 4.3, 2), annotation(1, 9, 3), annotation(5, 9, 4), annotation(2.001, 2.002, 5),
      ActionAnnotation(url: url, label: "x", start: .frame(100), end: .frame(400), place: "row 6"),
      ActionAnnotation(url: url, label: "x", start: .frame(130), end: .frame(400), place: "row 7"),
    ])
    let data = try await extractor().extract([listing])[0]
    #expect(data.examples.map { $0.timeRange.upperBound } == [4, 4, 4])
    #expect(data.findings.map(\.kind) == [.pastEnd, .pastEnd, .shortClip, .pastEnd, .pastEnd])
    #expect(data.findings.map(\.severity) == [.warning, .error, .warning, .warning, .error])
    #expect(
      data.findings.first?.message
        == "l.csv, row 3 (a.npz) ends at 9.0 s, after the end of the video at 4.0 s, where it is cut "
        + "off: check the times.")
  }

  @Test("progress goes from nothing to all of it, in order")
  func progress() async throws {
    let reports = Reports()
    _ = try await extractor().extract(try await writeVideos(4)) { reports.add($0) }
    let phases = reports.values.map(\.phase)
    #expect(phases.first == .checking && phases.last == .extracting)
    for phase in [ExtractionProgress.Phase.checking, .extracting] {
      let values = reports.values.filter { $0.phase == phase }
      let fractions = values.map(\.fractionCompleted)
      #expect(fractions == fractions.sorted() && fractions.last == 1)
      #expect(values.last?.completedCount == 4 && values.last?.fileCount == 4)
    }
    #expect(reports.last?.decodedCount == 4 && reports.last?.frameCount == 48)
    #expect(reports.last?.secondsRemaining == 0)
    #expect(reports.values.contains { ($0.secondsRemaining ?? 0) > 0 })
  }

  @Test("a cache that cannot be written is an error that names it")
  func unwritable() async throws {
    try folder.write("", to: "file")
    let source = try await writeVideos(1)
    let error = await expectAsyncError(TrainingError.self) {
      try await extractor(cache: folder.file("file/cache")).extract(source)
    }
    #expect(error?.code == .unwritable)
    #expect(error?.message.contains(folder.file("file/cache").path) == true)
  }

  @Test("the cache lies where the environment says")
  func defaultFolder() {
    typealias Configuration = FeatureExtractor.Configuration
    let chosen = Configuration.defaultCacheFolder(environment: ["XDG_CACHE_HOME": "/elsewhere"])
    #expect(chosen.path == "/elsewhere/kinema/features")
    for environment in [[:], ["XDG_CACHE_HOME": ""], ["XDG_CACHE_HOME": "relative"]] {
      #expect(
        Configuration.defaultCacheFolder(environment: environment).path.hasSuffix(
          "/.cache/kinema/features"))
    }
  }
}
