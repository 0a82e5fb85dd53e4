import Foundation
import KinemaPose
import KinemaStreams
import KinemaTestSupport
import KinemaVideo
import KinemaVision
import Synchronization
import Testing

@Suite("Poses of files, found on several threads")
struct FilePosePoolTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static var short: VideoSegmenter {
    var segmenter = VideoSegmenter()
    segmenter.minimumLength = 2
    segmenter.minimumRest = 1
    segmenter.warmUp = 0.5
    return segmenter
  }

  /// A video of ten seconds with a key frame every second.
  private func movie(_ name: String = "movie.mp4", seconds: Int = 10) throws -> URL {
    let url = folder.url(name)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      ["ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i"]
      + ["testsrc2=size=96x64:rate=30:duration=\(seconds)", "-c:v", "libx264", "-g", "30"]
      + ["-preset", "ultrafast", url.path]
    try process.run()
    process.waitUntilExit()
    return url
  }

  /// A person of all joints, whose middle is at a place.
  private static func person(_ id: Int, x: Float) -> Pose {
    var joints: [JointKey: JointPoint] = [:]
    for (number, key) in JointKey.body.enumerated() {
      let place = SIMD2(x + Float(number % 3) * 0.02, 0.3 + Float(number) * 0.02)
      joints[key] = JointPoint(key, position: place, confidence: 0.9)
    }
    return Pose(from: joints, personID: id)
  }

  /// Finds people at places that depend on the time, and gives them ids of its own in each clip.
  private static func finder(
    _ places: @escaping @Sendable (Double) -> [Float]
  ) -> @Sendable () -> ClipPoseFinder {
    {
      let clip = Mutex(0)
      return ClipPoseFinder(reset: { clip.withLock { $0 += 10 } }) { frame in
        let base = clip.withLock { $0 }
        return places(frame.id.rangeInSeconds.lowerBound).enumerated().map { index, x in
          // Who is asked for first has the higher id in every second clip.
          person(base + (base % 20 == 0 ? index : 5 - index), x: x)
        }.sorted { ($0.personID ?? 0) < ($1.personID ?? 0) }
      }
    }
  }

  private func all(_ poses: VideoPoses) async throws -> [FoundFrame] {
    var found: [FoundFrame] = []
    while let frame = try await poses.next() { found.append(frame) }
    return found
  }

  @Test("ids are the same over all segments, whatever they are within each")
  func joinedIDs() async throws {
    let url = try movie()
    let pool = FilePosePool(
      threadCount: 3, segmenter: Self.short, makeFinder: Self.finder { _ in [0.2, 0.7] })
    let poses = try await pool.open(url)
    #expect(poses.segmentCount == 5)
    let found = try await all(poses)
    #expect(found.count == 300)
    #expect(found.map(\.id.range.lowerBound) == found.map(\.id.range.lowerBound).sorted())
    for frame in found {
      #expect(frame.poses.map(\.personID) == [1, 2])
      let places = frame.poses.map { $0.keypoints[.nose]?.position.x ?? 0 }
      // Whoever comes first in the first clip keeps the first id.
      #expect((places[0] < places[1]) == (found[0].poses[0].keypoints[.nose]?.position.x == 0.2))
    }
    #expect(poses.foundCount == 300)
    #expect(poses.warnings.isEmpty)
  }

  @Test("who comes after a seam is new, and who is gone for a moment at a seam is not")
  func comings() async throws {
    let url = try movie()
    // Seams at 2.5, 4.5, 6.5 and 8.5 s.
    let pool = FilePosePool(
      threadCount: 2, segmenter: Self.short,
      makeFinder: Self.finder { time in
        (2.2..<2.9).contains(time) ? [0.2] : time < 5 ? [0.2, 0.7] : [0.2]
      })
    let found = try await all(try await pool.open(url))
    #expect(Set(found.flatMap(\.poses).compactMap(\.personID)) == [1, 2])
    let newcomer = FilePosePool(
      threadCount: 2, segmenter: Self.short,
      makeFinder: Self.finder { time in time < 1.9 ? [0.2] : time < 2.9 ? [] : [0.8] })
    let moved = try await all(try await newcomer.open(url))
    #expect(Set(moved.flatMap(\.poses).compactMap(\.personID)) == [1, 2])
  }

  @Test("several files at the same time give what each gives alone")
  func severalFiles() async throws {
    let urls = try (0..<4).map { try movie("\($0).mp4", seconds: 3 + $0) }
    let makeFinder = Self.finder { time in [Float(time) / 20] }
    let pool = FilePosePool(threadCount: 3, segmenter: Self.short, makeFinder: makeFinder)
    let alone = FilePosePool(threadCount: 1, segmenter: Self.short, makeFinder: makeFinder)
    var opened: [VideoPoses] = []
    for url in urls { opened.append(try await pool.open(url)) }
    for (url, poses) in zip(urls, opened) {
      let (found, expected) = (try await all(poses), try await all(try await alone.open(url)))
      #expect(found.map(\.id) == expected.map(\.id))
      #expect(found.map(\.poses) == expected.map(\.poses))
    }
  }

  @Test("a failure in any segment ends the file with that failure, and other files go on")
  func failures() async throws {
    struct Failure: Error {}
    let url = try movie()
    let pool = FilePosePool(threadCount: 2, segmenter: Self.short) {
      ClipPoseFinder { frame in
        if frame.id.rangeInSeconds.lowerBound > 5, frame.id.source.contains("movie") {
          throw Failure()
        }
        return []
      }
    }
    let poses = try await pool.open(url)
    await #expect(throws: Failure.self) { _ = try await all(poses) }
    let other = try movie("other.mp4")
    #expect(try await all(try await pool.open(other)).count == 300)
  }

  @Test("a reader that is cancelled or goes away stops the workers")
  func cancellation() async throws {
    let url = try movie()
    let counter = Counter()
    let pool = FilePosePool(threadCount: 2, segmenter: Self.short) {
      ClipPoseFinder { _ in
        counter.add()
        try await Task.sleep(for: .milliseconds(5))
        return []
      }
    }
    let task = Task { try await all(try await pool.open(url)) }
    while counter.value < 20 { usleep(1000) }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    usleep(100_000)
    let stopped = counter.value
    usleep(200_000)
    #expect(counter.value == stopped)
    #expect(stopped < 300)
  }

  private final class Counter: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
    func add() { count.add(1, ordering: .relaxed) }
  }

  @Test(
    "a real clip has the same poses with one thread and with three, and a person in as many frames",
    .enabled(if: SharedData.isPresent, SharedData.reason))
  func realClip() async throws {
    let url = SharedData.url("clips/johnclaide_jacks.mp4")
    var segmenter = Self.short
    segmenter.minimumLength = 4
    func poses(_ threadCount: Int, _ segmenter: VideoSegmenter) async throws -> [FoundFrame] {
      let pool = FilePosePool(threadCount: threadCount, segmenter: segmenter) { .bodies(.init()) }
      return try await all(try await pool.open(url))
    }
    let (one, three) = (try await poses(1, segmenter), try await poses(3, segmenter))
    #expect(one.map(\.id) == three.map(\.id))
    #expect(one.map(\.poses) == three.map(\.poses))
    let whole = try await poses(1, VideoSegmenter())
    #expect(whole.map(\.id) == one.map(\.id))
    #expect(one.count { !$0.poses.isEmpty } >= whole.count { !$0.poses.isEmpty })
    #expect(
      Set(one.flatMap(\.poses).map(\.personID)) == Set(whole.flatMap(\.poses).map(\.personID)))
  }
}
