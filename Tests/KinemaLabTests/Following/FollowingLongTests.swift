import KinemaLab
import KinemaRendering
import KinemaTestSupport
import KinemaVision
import Testing

/// More scenes that were once mistaken, with rendering and networks.
@Suite(.enabled(if: SharedData.isPresent, SharedData.reason))
struct FollowingLongTests {
  @Test(
    "a body of another person is not reported as the track's that drifted to it",
    arguments: [
      // A track drifts to a person who comes from behind; a body found between two people starts
      // with neither; two are exchanged after a second of occlusion.
      (seed: 714, sceneCount: 3), (seed: 712, sceneCount: 3), (seed: 709, sceneCount: 1),
    ])
  func foreignBodies(_ seed: UInt64, _ sceneCount: Int) async throws {
    var benchmark = FollowingBenchmark()
    benchmark.kinds = [.crossings]
    benchmark.seed = seed
    benchmark.sceneCount = sceneCount
    benchmark.threadCount = 2
    let scores = try await benchmark.run().map(\.score)
    #expect(scores.allSatisfy { $0.count(.swap) == 0 }, "\(scores.map(\.mishaps))")
    let found = scores.reduce(0) { $0 + $1.found }
    let visible = scores.reduce(0) { $0 + $1.visible }
    #expect(found * 100 >= visible * 92, "\(scores.map(\.foundShare))")
  }

  @Test("people who enter are found soon at ten frames a second, with the ids that they had")
  func returns() async throws { try await Self.returns(sceneCount: 5) }

  /// Expects that people who return to scenes have the ids that they had.
  ///
  /// - Parameters:
  ///   - isDetected: Whether the scenes themselves take the networks' place.
  static func returns(sceneCount: Int, isDetected: Bool = false) async throws {
    // How many people return in each scene.
    let counts = Array([1, 2, 3, 1, 1].prefix(sceneCount))
    var benchmark = FollowingBenchmark()
    benchmark.kinds = [.returns]
    // Somebody returns seen from the side, in another light.
    benchmark.seed = 11
    benchmark.sceneCount = sceneCount
    benchmark.threadCount = 2
    if isDetected { SceneNetwork.prepare(&benchmark) }
    let scenes = try await benchmark.run(runtime: isDetected ? SceneNetwork.runtime : .located())
    #expect(scenes.allSatisfy { $0.frameRate == 10 })
    #expect(scenes.map(\.returns.returns) == counts)
    #expect(scenes.map(\.returns.regained) == counts)
    #expect(scenes.allSatisfy { $0.returns.taken == 0 })
    let found = scenes.reduce(0) { $0 + $1.score.found }
    let visible = scenes.reduce(0) { $0 + $1.score.visible }
    #expect(found * 100 >= visible * 93)
  }
}
