import Foundation
import KinemaPose
import KinemaStreams
import KinemaTestSupport
import KinemaVideo
import KinemaVision
import Synchronization
import Testing

@Suite("Frames of files with their poses, from several threads")
struct FrameSourceTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A video of ten seconds with a key frame every second.
  private func movie(_ name: String = "movie.mp4", seconds: Int = 10, width: Int = 96) throws -> URL
  {
    try folder.makeMovie(
      name, size: "\(width)x64", frameCount: seconds * 30, "-c:v libx264 -g 30 -preset ultrafast")
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

  /// Finds people at places that depend on the time, and gives them ids of its own in each segment.
  private static func finder(
    _ places: @escaping @Sendable (Double) -> [Float]
  ) -> @Sendable () -> PoseFinder.Substitute {
    let counter = Counter()
    return {
      let base = 10 * counter.add()
      return { _, time in
        places(time).enumerated().map { index, x in
          // The first one has the higher id in every second segment.
          person(base + (base % 20 == 0 ? index : 5 - index), x: x)
        }.sorted { ($0.personID ?? 0) < ($1.personID ?? 0) }
      }
    }
  }

  /// Two threads that find nobody, count frames, and pause for some microseconds at each.
  private static func pool(_ counter: Counter, pause: useconds_t = 0) -> PosePool {
    PosePool(workerCount: 2) {
      { _, _ in
        counter.add()
        usleep(pause)
        return []
      }
    }
  }

  private func source(
    _ url: URL, _ pool: PosePool, _ change: (inout FrameSource.Options) -> Void = { _ in }
  ) -> FrameSource {
    var options = FrameSource.Options()
    options.segmenter = .short(length: 2)
    change(&options)
    return FrameSource(contentsOf: url, options: options, pool: pool)
  }

  private func all(_ source: FrameSource) async throws -> [PosedFrame] {
    var found: [PosedFrame] = []
    for try await frame in source { found.append(frame) }
    return found
  }

  @Test("ids are the same over all segments, whatever they are within each")
  func joinedIDs() async throws {
    let url = try movie()
    let pool = PosePool(workerCount: 3, substitute: Self.finder { _ in [0.2, 0.7] })
    let source = source(url, pool)
    let found = try await all(source)
    #expect(found.map(\.index) == Array(0..<300))
    #expect(found.count == 300)
    #expect(found.map(\.id.range.lowerBound) == found.map(\.id.range.lowerBound).sorted())
    for frame in found {
      #expect(frame.poses.map(\.personID) == [1, 2])
      let places = frame.poses.map { $0.keypoints[.nose]?.position.x ?? 0 }
      // The first person of the first clip has the first id.
      #expect((places[0] < places[1]) == (found[0].poses[0].keypoints[.nose]?.position.x == 0.2))
    }
    #expect(source.processedCount == 300)
    #expect(source.warnings.isEmpty)
  }

  @Test("who comes after a seam is new, and who is gone for a moment at a seam is not")
  func comings() async throws {
    let url = try movie()
    // Seams at 2.5, 4.5, 6.5 and 8.5 s.
    let pool = PosePool(
      workerCount: 2,
      substitute: Self.finder { time in
        (2.2..<2.9).contains(time) ? [0.2] : time < 5 ? [0.2, 0.7] : [0.2]
      })
    let found = try await all(source(url, pool))
    #expect(Set(found.flatMap(\.poses).compactMap(\.personID)) == [1, 2])
    let newcomer = PosePool(
      workerCount: 2,
      substitute: Self.finder { time in time < 1.9 ? [0.2] : time < 2.9 ? [] : [0.8] })
    let moved = try await all(source(url, newcomer))
    #expect(Set(moved.flatMap(\.poses).compactMap(\.personID)) == [1, 2])
  }

  @Test(
    "a person whom a segment cannot find is tracked on from the one before",
    arguments: [Double.infinity, 5.2])
  func handOver(foundFrom: Double) async throws {
    // Found in the first second, and then by streams which have found the person before.
    let pool = PosePool(workerCount: 3) {
      let found = Counter()
      return { _, time in
        if time < 1 || time >= foundFrom { found.add() }
        return found.value > 0 ? [Self.person(1, x: 0.3)] : []
      }
    }
    let frames = try await all(source(try movie(), pool))
    #expect(frames.count == 300)
    #expect(frames.allSatisfy { $0.poses.map(\.personID) == [1] })
  }

  @Test("several files at the same time give what each gives alone")
  func severalFiles() async throws {
    let urls = try (0..<4).map { try movie("\($0).mp4", seconds: 3 + $0) }
    let substitute = Self.finder { time in [Float(time) / 20] }
    let pool = PosePool(workerCount: 3, substitute: substitute)
    let alone = PosePool(workerCount: 1, substitute: substitute)
    let sources = urls.map { source($0, pool) }
    for source in sources { source.start() }
    for (url, other) in zip(urls, sources) {
      let (found, expected) = (try await all(other), try await all(source(url, alone)))
      #expect(found.map(\.id) == expected.map(\.id))
      #expect(found.map(\.poses) == expected.map(\.poses))
    }
  }

  @Test("a failure in any segment ends the file with that failure, and other files continue")
  func failures() async throws {
    struct Failure: Error {}
    let url = try movie()
    let pool = PosePool(workerCount: 2) {
      { frame, time in
        if time > 5, frame.width == 96 { throw Failure() }
        return []
      }
    }
    await #expect(throws: Failure.self) { _ = try await all(source(url, pool)) }
    let other = try movie("other.mp4", width: 80)
    #expect(try await all(source(other, pool)).count == 300)
  }

  @Test("a reader that is cancelled or goes away stops the workers")
  func cancellation() async throws {
    let url = try movie()
    let counter = Counter()
    // Long enough that many frames are left however late this test goes on.
    let pool = Self.pool(counter, pause: 50_000)
    let task = Task { try await all(source(url, pool)) }
    while counter.value < 20 { try await Task.sleep(for: .milliseconds(1)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    // What the workers had begun comes to its end.
    var stopped = -1
    while counter.value != stopped {
      stopped = counter.value
      try await Task.sleep(for: .milliseconds(200))
    }
    #expect(stopped < 300)
  }

  private final class Counter: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
    @discardableResult
    func add() -> Int { count.add(1, ordering: .relaxed).newValue }
  }

  @Test(
    "a real clip has the same poses with one thread and with three, and a person in as many frames",
    .enabled(if: SharedData.isPresent, SharedData.reason))
  func realClip() async throws {
    let url = try folder.make(
      "jacks.mp4", "-t", "6", "-i", SharedData.url("clips/johnclaide_jacks.mp4").path, "-c", "copy")
    var segmenter = VideoSegmenter.short(length: 2)
    segmenter.minimumLength = 4
    #expect(try await segmenter.segments(of: url).count == 2)
    func poses(_ workerCount: Int, _ segmenter: VideoSegmenter) async throws -> [PosedFrame] {
      try await all(source(url, PosePool(workerCount: workerCount)) { $0.segmenter = segmenter })
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

  @Test(
    "poses are the same with pictures, which come along, and few frames are ahead of the reader")
  func pictures() async throws {
    let url = try movie()
    let substitute = Self.finder { time in [Float(time) / 20] }
    let pool = PosePool(workerCount: 2, substitute: substitute)
    let plain = try await all(source(url, pool))
    var count = 0
    for try await frame in source(url, pool, { $0.wantsPictures = true }) {
      #expect(frame.picture?.width == 96 && frame.id == plain[count].id)
      #expect(frame.poses == plain[count].poses)
      count += 1
    }
    #expect(count == 300)
    #expect(plain.allSatisfy { $0.picture == nil })
  }

  @Test("frames without a reader stop the work on their file, and other files continue")
  func unreadPictures() async throws {
    let url = try movie("wide.mp4", width: 4096)
    let pool = PosePool(workerCount: 1, substitute: Self.finder { _ in [] })
    // Room for 64 pictures of 1 MB.
    let waiting = source(url, pool) { $0.wantsPictures = true }
    waiting.start()
    #expect(try await all(source(try movie(), pool)).count == 300)
    #expect(waiting.processedCount <= 65 * 2)
    #expect(try await all(waiting).count == 300)
  }

  @Test("a lower rate processes the first frame of each cell of time, in any segments")
  func rate() async throws {
    let url = try movie()
    let calls = Counter()
    let pool = Self.pool(calls)
    let found = try await all(source(url, pool) { $0.rate = .atMost(10) })
    #expect(found.map(\.id.range.lowerBound) == (0..<100).map { $0 * 100_000 })
    // Some frames of warming up are processed twice.
    #expect(calls.value < 130)
    let whole = try await all(
      source(url, pool) {
        $0.rate = .atMost(10)
        $0.segmenter = VideoSegmenter()
      })
    #expect(whole.map(\.id) == found.map(\.id))
  }

  @Test("a pose file gives its frames at their exact times, and those of other joints are refused")
  func poseFile() async throws {
    let url = folder.url("poses.npz")
    let times = [0, 1.0 / 3, 0.7, 1.123_456_789]
    try PoseSequence(
      frames: times.map { PoseSequence.Frame(time: $0, poses: [Self.person(3, x: 0.4)]) }
    ).write(to: url)
    let pool = PosePool(workerCount: 1) { { _, _ in [] } }
    let found = try await all(source(url, pool))
    #expect(found.map(\.time) == times)
    #expect(found.allSatisfy { $0.poses.map(\.personID) == [3] && $0.size == nil })
    await #expect(throws: PoseError.self) {
      _ = try await all(source(url, pool) { $0.subject = .hands(.init()) })
    }
  }

  @Test("people of a pose file without ids have one each, also where they cross and change places")
  func poseFileWithoutIDs() async throws {
    let url = folder.url("poses.jsonl")
    // One walks to the right, the other to the left, in turn first in the line.
    let lines = (0..<60).map { index -> String in
      let time = Double(index) / 30
      let people = [0.2 + 0.3 * time, 0.8 - 0.3 * time].map { x in
        let joints = (0..<4).map { row in
          ["right", "left"].enumerated().map { side, name in
            let joint = ["Shoulder", "Elbow", "Hip", "Ankle"][row]
            let place = (x + 0.08 * Double(side), 0.8 - 0.2 * Double(row))
            return "\"\(name)\(joint)\":[\(place.0),\(place.1),0.9]"
          }.joined(separator: ",")
        }
        return "{\"joints\":{\(joints.joined(separator: ","))}}"
      }
      let ordered = index.isMultiple(of: 2) ? people : people.reversed()
      return "{\"time\":\(time),\"persons\":[\(ordered.joined(separator: ","))]}"
    }
    try Data(lines.joined(separator: "\n").utf8).write(to: url)
    let pool = PosePool(workerCount: 1) { { _, _ in [] } }
    let found = try await all(source(url, pool))
    #expect(found.allSatisfy { $0.poses.map(\.personID) == [1, 2] })
    let ways = [0, 1].map { person in
      found.compactMap { $0.poses[person].keypoints[.rightHip]?.position.x }
    }
    #expect(ways.allSatisfy { $0.count == 60 && ($0 == $0.sorted() || $0 == $0.sorted(by: >)) })
    #expect(found[0].poses.allSatisfy { $0.confidence == 0.9 })
  }

  @Test(
    "thinning keeps at most so many frames a second, and all frames of a slower source",
    arguments: [
      // Frames a second, times to a millisecond as Matroska has them, wanted, kept in ten seconds.
      (30.0, false, 10.0, 100), (30, true, 15, 150), (30, false, 20, 200), (29.97, true, 30, 300),
      (25, false, 30, 250), (60, true, 30, 300), (50, false, 20, 200), (24, true, 10, 100),
    ])
  func thinning(rate: Double, isRounded: Bool, wanted: Double, count: Int) async throws {
    let times = (0..<Int((10 * rate).rounded())).map { Double($0) / rate }
      .map { isRounded ? ($0 * 1000).rounded() / 1000 : $0 }
    let url = folder.url("poses.jsonl")
    try PoseSequence(frames: times.map { PoseSequence.Frame(time: $0, poses: []) }).write(to: url)
    let pool = PosePool(workerCount: 1) { { _, _ in [] } }
    let kept = try await all(source(url, pool) { $0.rate = .atMost(wanted) }).map(\.time)
    #expect(abs(kept.count - count) <= 1, "\(kept.count)")
    #expect(zip(kept, kept.dropFirst()).allSatisfy { $1 - $0 > 0.7 / max(rate, wanted) })
  }

  @Test("a stream that waits is processed frame by frame, and one that is asked to stop ends")
  func stream() async throws {
    let pool = PosePool(workerCount: 1, substitute: Self.finder { _ in [0.3] })
    var options = FrameSource.Options()
    options.patience = .init(duration: 2)
    let movie = try folder.makeMovie("movie.ts", frameCount: 90, "-c:v libx264 -pix_fmt yuv420p")
    let pipe = folder.url("pipe")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    // Opened for reading too, so that writing finds a reader to the end.
    let writer = FileHandle(fileDescriptor: open(pipe.path, O_RDWR | O_CLOEXEC))
    let data = try Data(contentsOf: movie)
    Thread.detachNewThread { try? writer.write(contentsOf: data) }
    let found = try await all(
      FrameSource(LiveSource(pipe.path), options: options, pool: pool))
    #expect(found.count == 60)
    #expect(found.allSatisfy { $0.poses.map(\.personID) == found[0].poses.map(\.personID) })
    options.patience = .init()
    let pattern = LiveSource.pattern("testsrc2=size=64x64:rate=30")
    let endless = FrameSource(pattern, options: options, pool: pool)
    var count = 0
    for try await _ in endless {
      count += 1
      if count == 3 { endless.stop() }
    }
    #expect((3...5).contains(count))
  }
}
