import KinemaLab
import KinemaReport
import KinemaRendering
import KinemaTestSupport
import KinemaTraining
import KinemaVision
import Testing

@Suite(.enabled(if: SharedData.isPresent, SharedData.reason))
struct FollowingBenchmarkTests {
  @Test("two, three and four people who walk past each other are found and keep their ids")
  func crossings() async throws {
    var benchmark = FollowingBenchmark()
    benchmark.kinds = [.crossings]
    benchmark.sceneCount = 3
    benchmark.duration = 5
    benchmark.threadCount = 2
    let scenes = try await benchmark.run()
    #expect(scenes.map(\.personCount) == [2, 3, 4])
    for scene in scenes {
      let score = scene.score
      #expect(score.frames == 75 && score.hidden > 0)
      #expect(score.foundShare >= 0.92, "\(scene.personCount) people")
      #expect(score.foundConfidently * 10 >= score.visible * 8)
      #expect(score.foundConfidently <= score.found)
      #expect(score.ghosts <= score.frames / 4)
      // One look of the detector a frame at most, and not many more for landmarks than people.
      #expect(scene.detectorRuns <= score.frames)
      #expect(scene.landmarkRuns <= score.frames * (scene.personCount + 2))
    }
    let report = PeopleBench.Report(scenes)
    #expect(try report.exportedTracks().map(\.name).first == "0-crossings.jsonl")
    #expect(report.page.html.contains("Scene 1: crossings, 2 people"))
    let swaps = scenes.reduce(0) { $0 + $1.score.count(.swap) }
    #expect(swaps == 0, "\(scenes.map(\.score.mishaps))")
  }

  @Test("of two people who are exchanged after a second of occlusion, each keeps their id")
  func foreignBody() async throws {
    try await FollowingLongTests.foreignBodies(seed: 709, sceneCount: 1)
  }

  @Test("people who enter are found soon at ten frames a second, with the ids that they had")
  func returns() async throws {
    // How many people return in each scene.
    let counts = [1, 2, 3, 1, 1]
    var benchmark = FollowingBenchmark()
    benchmark.kinds = [.returns]
    // Somebody returns seen from the side, in another light.
    benchmark.seed = 11
    benchmark.sceneCount = counts.count
    benchmark.threadCount = 2
    let scenes = try await benchmark.run()
    #expect(scenes.allSatisfy { $0.frameRate == 10 })
    #expect(scenes.map(\.returns.returns) == counts)
    #expect(scenes.map(\.returns.regained) == counts)
    #expect(scenes.allSatisfy { $0.returns.taken == 0 })
    let found = scenes.reduce(0) { $0 + $1.score.found }
    let visible = scenes.reduce(0) { $0 + $1.score.visible }
    #expect(found * 100 >= visible * 93)
  }

  @Test("two hands that cross are found")
  func hands() async throws {
    var benchmark = FollowingBenchmark()
    benchmark.isOfHands = true
    benchmark.sceneCount = 1
    benchmark.duration = 2
    let score = try #require(try await benchmark.run().first).score
    #expect(score.foundShare >= 0.8)
  }
}
