import Foundation
import KinemaPose
import KinemaVideo
import KinemaVision
import Testing

@Suite("Motion beside people")
struct QuietPicturesTests {
  /// The time in seconds until a second person, who appears between two frames, is reported.
  ///
  /// - Parameters:
  ///   - otherMotion: What is said of the pictures from then on.
  ///   - rate: How many of them there are a second.
  private func delay(_ otherMotion: OtherMotion, rate: Int = 2) async throws -> Double? {
    var runtime = VisionRuntime(home: URL(filePath: "/nowhere"))
    (runtime.bodyDetector, runtime.bodyNetwork) = (HandMadeNetwork.self, HandMadeNetwork.self)
    let pool = PosePool(workerCount: 1, runtime: runtime)
    defer { pool.end() }
    let stream = pool.makeStream()
    let (one, both) = (
      Frame(people: [SIMD2(40, 60)]), Frame(people: [SIMD2(40, 60), SIMD2(120, 60)])
    )
    for step in 0..<50 {
      let ids = try await stream.poses(in: one, at: Double(step) / 25).map(\.personID)
      #expect(ids == [1])
    }
    for step in 0..<12 * rate {
      let seconds = Double(step) / Double(rate)
      let poses = try await stream.poses(in: both, at: 2 + seconds, otherMotion: otherMotion)
      if poses.count == 2 { return seconds }
    }
    return nil
  }

  @Test("others are searched at once where something may have moved, elsewhere every five seconds")
  func others() async throws {
    let (moving, quiet) = (try await delay(.unknown), try await delay(.none))
    #expect(try #require(moving) <= 2)
    #expect((3...7).contains(try #require(quiet)))
  }

  @Test("where something moves beside people, others are searched in every second frame")
  func motion() async throws {
    let area = MotionArea(lowerLeft: SIMD2(0.68, 0.3), upperRight: SIMD2(0.82, 0.7))
    let known = try #require(try await delay(.areas([area]), rate: 25))
    let unknown = try #require(try await delay(.unknown, rate: 25))
    #expect(known < 0.25 && known < unknown)
    // Motion elsewhere does not keep them from being found.
    let elsewhere = MotionArea(lowerLeft: SIMD2(0, 0), upperRight: SIMD2(0.05, 0.1))
    let late = try #require(try await delay(.areas([elsewhere]), rate: 25))
    #expect(late <= 1.5)
  }

  @Test("where few frames are processed, each searches a place where something moves")
  func rare() async throws {
    let area = MotionArea(lowerLeft: SIMD2(0.68, 0.3), upperRight: SIMD2(0.82, 0.7))
    let elsewhere = MotionArea(lowerLeft: SIMD2(0, 0), upperRight: SIMD2(0.05, 0.1))
    let delay = try #require(try await delay(.areas([area, elsewhere])))
    #expect(delay <= 0.5)
  }
}
