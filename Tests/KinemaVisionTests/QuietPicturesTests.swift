import Foundation
import KinemaPose
import KinemaVideo
import KinemaVision
import Testing

@Suite("Pictures in which nothing moves")
struct QuietPicturesTests {
  /// The time in seconds until a second person, who appears between two frames, is reported.
  ///
  /// - Parameter isQuiet: What is said of the pictures from then on, two a second.
  private func delay(isQuiet: Bool) async throws -> Double? {
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
    for step in 0..<24 {
      let seconds = Double(step) / 2
      let poses = try await stream.poses(in: both, at: 2 + seconds, isQuiet: isQuiet)
      if poses.count == 2 { return seconds }
    }
    return nil
  }

  @Test("others are searched at once where something may have moved, elsewhere every five seconds")
  func others() async throws {
    let (moving, quiet) = (try await delay(isQuiet: false), try await delay(isQuiet: true))
    #expect(try #require(moving) <= 2)
    #expect((3...7).contains(try #require(quiet)))
  }
}
