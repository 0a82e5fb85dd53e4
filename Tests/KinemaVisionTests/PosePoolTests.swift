import Foundation
import KinemaPose
import KinemaStreams
import KinemaTestSupport
import KinemaVideo
import KinemaVision
import Synchronization
import Testing

@Suite(.enabled(if: SharedData.isPresent, SharedData.reason))
struct PosePoolTests {
  @Test("streams that share threads find what an extractor finds in each")
  func sameAsExtractor() async throws {
    let pool = PosePool(workerCount: 2)
    try await pool.prepare()
    let clips = ["pyskl_ntu_pair.avi", "treadtv_starfish.mp4", "pyskl_ntu_pair.avi"]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for clip in clips {
        group.addTask {
          let frames = try await Clip(clip).stampedFrames(24)
          let extractor = HumanBodyPoseExtractor()
          let stream = pool.makeStream()
          for frame in frames {
            let expected = try await extractor.applied(to: frame).feature
            let time = frame.id.rangeInSeconds.lowerBound
            #expect(try await stream.poses(in: frame.feature, at: time) == expected)
          }
        }
      }
      try await group.waitForAll()
    }
    pool.end()
    await #expect(throws: CancellationError.self) {
      _ = try await pool.makeStream().poses(in: Frame(width: 8, height: 8), at: 0)
    }
  }

  @Test("the people of a frame are the same whether one thread finds them or several")
  func sharedFrame() async throws {
    let frames = try await Clip("pyskl_ntu_pair.avi").stampedFrames(40)
    var reports: [[[Pose]]] = []
    for workerCount in [1, 2] {
      let pool = PosePool(workerCount: workerCount, loading: .bodies(.init()))
      let stream = pool.makeStream()
      var poses: [[Pose]] = []
      for frame in frames {
        let time = frame.id.rangeInSeconds.lowerBound
        poses.append(try await stream.poses(in: frame.feature, at: time))
      }
      reports.append(poses)
      pool.end()
    }
    #expect(reports[0].contains { $0.count > 1 })
    #expect(reports[0] == reports[1])
  }

  @Test("the number of people may change while they are followed")
  func changingCount() async throws {
    let frames = try await Clip("pyskl_ntu_pair.avi").stampedFrames(40)
    let pool = PosePool(workerCount: 1)
    let stream = pool.makeStream(.bodies(.init(maximumPersonCount: 2)))
    var counts: [Int] = []
    for frame in frames {
      let time = frame.id.rangeInSeconds.lowerBound
      counts.append(try await stream.poses(in: frame.feature, at: time).count)
    }
    #expect(counts.last == 2)
    try await stream.perform { $0.subject = .bodies(.init(maximumPersonCount: 1)) }
    let last = try #require(frames.last)
    #expect(try await stream.poses(in: last.feature, at: 2).map(\.personID) == [1])
  }

  @Test("a stream that uses little is served before one that used more")
  func fairShares() async throws {
    let pool = PosePool(workerCount: 1)
    let (heavy, light, other) = (pool.makeStream(), pool.makeStream(), pool.makeStream())
    try await heavy.perform { _ in Thread.sleep(forTimeInterval: 0.02) }
    try await light.perform { _ in }
    let served = Mutex<[String]>([])
    let isOpen = DispatchSemaphore(value: 0)
    await withTaskGroup(of: Void.self) { group in
      other.offer { _ in isOpen.wait() }
      for (name, stream) in [("heavy", heavy), ("light", light)] {
        let isDone = AsyncStream<Void>.makeStream()
        stream.offer { _ in
          served.withLock { $0.append(name) }
          isDone.continuation.finish()
        }
        group.addTask { for await _ in isDone.stream {} }
      }
      isOpen.signal()
    }
    #expect(served.withLock { $0 } == ["light", "heavy"])
    pool.end()
  }
}
