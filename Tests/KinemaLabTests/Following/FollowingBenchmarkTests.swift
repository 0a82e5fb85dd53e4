import KinemaLab
import KinemaRendering
import KinemaReport
import KinemaTestSupport
import KinemaTraining
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
      // The detector runs once a frame at most, and to verify who is new; the landmark network not much more
      // often than there are people.
      #expect(scene.detectorRuns <= score.frames + 4 * scene.personCount)
      #expect(scene.landmarkRuns <= score.frames * (scene.personCount + 2))
    }
    let report = PeopleBench.Report(scenes)
    #expect(try report.exportedTracks().map(\.name).first == "0-crossings.jsonl")
    #expect(report.page.html.contains("Scene 1: crossings, 2 people"))
    let swaps = scenes.reduce(0) { $0 + $1.score.count(.swap) }
    #expect(swaps == 0, "\(scenes.map(\.score.mishaps))")
  }

  @Test("of the people who are detected, all who return have the ids that they had")
  func detectedReturns() async throws {
    try await FollowingLongTests.returns(sceneCount: 5, isDetected: true)
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
