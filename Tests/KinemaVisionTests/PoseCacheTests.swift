import Foundation
import KinemaPose
import KinemaTestSupport
import KinemaVideo
import KinemaVision
import Synchronization
import Testing

@Suite("The cache of poses")
struct PoseCacheTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func movie(_ name: String = "movie.mp4") throws -> URL {
    try folder.makeMovie(name, frameCount: 30, "-c:v libx264")
  }

  /// Poses with all that a pose may have or lack.
  private static func poses(at time: Double) -> [Pose] {
    let third = Float(time) / 3
    let point = { (key: JointKey) in
      JointPoint(key, position: SIMD2(third, 1 - third), confidence: third.squareRoot())
    }
    return [
      Pose(from: [.nose: point(.nose), .neck: point(.neck)], confidence: 0.123_456_7, personID: 2),
      Pose(from: [:], confidence: 0, personID: 7, chirality: .left),
      Pose(from: [.leftEar: point(.leftEar)], confidence: third, chirality: .right),
    ]
  }

  /// Reads a file; `calls` counts the frames that were processed and not taken from the cache.
  private func frames(
    _ url: URL, _ calls: Calls, _ change: (inout FrameSource.Options) -> Void = { _ in }
  ) async throws -> [PosedFrame] {
    var options = FrameSource.Options()
    options.cache = try PoseCache(folder: folder.url("cache"))
    change(&options)
    let pool = PosePool(workerCount: 1) {
      { _, time in
        calls.add()
        return Self.poses(at: time)
      }
    }
    var frames: [PosedFrame] = []
    for try await frame in FrameSource(contentsOf: url, options: options, pool: pool) {
      frames.append(frame)
    }
    return frames
  }

  private final class Calls: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
    func add() { count.add(1, ordering: .relaxed) }
  }

  private func expectEqual(_ some: [PosedFrame], _ others: [PosedFrame]) {
    #expect(some.map(\.index) == others.map(\.index))
    #expect(some.map(\.id) == others.map(\.id))
    #expect(some.map(\.time) == others.map(\.time))
    #expect(some.map { $0.size?.width } == others.map { $0.size?.width })
    #expect(some.map { $0.size?.height } == others.map { $0.size?.height })
    #expect(some.map(\.poses) == others.map(\.poses))
  }

  @Test("frames from the cache equal those without it in every bit, with pictures and without")
  func exactness() async throws {
    let url = try movie()
    let calls = Calls()
    let plain = try await frames(url, calls) { $0.cache = nil }
    expectEqual(try await frames(url, calls), plain)
    #expect(calls.value == 60)
    expectEqual(try await frames(url, calls), plain)
    let drawn = try await frames(url, calls) { $0.wantsPictures = true }
    expectEqual(drawn, plain)
    #expect(drawn.allSatisfy { $0.picture?.width == 96 })
    #expect(calls.value == 60)
  }

  @Test("each option that changes poses has entries of its own")
  func keys() {
    typealias Options = FrameSource.Options
    let changes: [(inout Options) -> Void] = [
      { _ in }, { $0.rate = .atMost(10) }, { $0.rate = .atMost(15) }, { $0.rate = .auto },
      { $0.subject = .hands(.init()) },
      { $0.subject = .hands(.init(maximumHandCount: 1)) },
      { $0.subject = .bodies(.init(maximumPersonCount: 1)) },
      { $0.subject = .bodies(.init(repairsSides: false)) },
      { $0.subject = .bodies(.init(isSmoothed: true)) }, { $0.segmenter.minimumTotal = 5 },
    ]
    let keys = changes.map { change in
      var options = Options()
      change(&options)
      return PoseCache.key(content: "0", options: options)
    }
    #expect(Set(keys).count == keys.count)
    var pictures = Options()
    pictures.wantsPictures = true
    #expect(PoseCache.key(content: "0", options: pictures) == keys[0])
    #expect(PoseCache.key(content: "1", options: Options()) != keys[0])
  }

  @Test("changed code and changed networks have entries of their own")
  func makers() {
    func key(_ code: String, _ networks: [String]) -> PoseCache.Key {
      PoseCache.key(content: "0", options: .init(), code: code, networks: networks)
    }
    #expect(key("code", ["detector", "network"]) == key("code", ["detector", "network"]))
    #expect(key("other code", ["detector", "network"]) != key("code", ["detector", "network"]))
    #expect(key("code", ["detector", "other"]) != key("code", ["detector", "network"]))
  }

  @Test("the names of networks change with the content of their weights")
  func weights() throws {
    let home = folder.url("home")
    try FileManager.default.createDirectory(
      at: home.appending(path: "share/kinema"), withIntermediateDirectories: true)
    let networks: [(name: String, id: (VisionRuntime) -> String)] = [
      ("pose_detection.tflite", { BlazePoseDetector.id(in: $0) }),
      ("pose_landmark_full.tflite", { BlazePoseNetwork.id(in: $0) }),
    ]
    for (name, id) in networks {
      let runtime = VisionRuntime(home: home)
      let without = id(runtime)
      try Data(name.utf8).write(to: home.appending(path: "share/kinema/\(name)"))
      let with = id(runtime)
      try Data((name + "!").utf8).write(to: home.appending(path: "share/kinema/\(name)"))
      #expect(Set([without, with, id(runtime)]).count == 3)
    }
  }

  @Test("a file that was not read to its end is not in the cache")
  func unfinished() async throws {
    let url = try movie()
    let calls = Calls()
    let task = Task { try await frames(url, calls) }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    let before = calls.value
    #expect(try await frames(url, calls).count == 30)
    #expect(calls.value == before + 30)
  }

  @Test("a cache that cannot be written is a warning, or an error where it is needed")
  func unwritable() async throws {
    let url = try movie()
    let cache = try PoseCache(folder: folder.url("cache"))
    // A file stands where the entries' folder would be.
    try Data().write(to: folder.url("cache/poses"))
    var options = FrameSource.Options()
    options.cache = cache
    let pool = PosePool(workerCount: 1) { { _, _ in [] } }
    let source = FrameSource(contentsOf: url, options: options, pool: pool)
    var count = 0
    for try await _ in source { count += 1 }
    #expect(count == 30)
    #expect(source.warnings.count == 1 && source.warnings[0].contains(cache.folder.path))
    options.needsCache = true
    await #expect(throws: VisionError.self) {
      for try await _ in FrameSource(contentsOf: url, options: options, pool: pool) {}
    }
  }
}
