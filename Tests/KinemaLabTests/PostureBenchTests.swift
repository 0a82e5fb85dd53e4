import Foundation
import KinemaAction
import KinemaLab
import KinemaNetwork
import KinemaPose
import KinemaTestSupport
import Testing

@Suite("A model of postures")
struct PostureBenchTests {
  @Test("the built-in one is right about synthetic people whom nobody has learned from")
  func builtIn() async throws {
    var bench = PostureBench([try .installed])
    (bench.sequenceCount, bench.seed) = (400, 77)
    let report = try await bench.run([])
    for name in ["standing", "sitting", "lying_supine", "on_all_fours"] {
      let row = try #require(report.synthetic.first { $0.name == name })
      #expect(row.count > 10 && row.right > 0.7, "\(name): \(row.right) of \(row.count)")
    }
    #expect(report.real.isEmpty && report.capture.isEmpty)
    #expect(report.table.contains("synthetic people"))
  }

  @Test(
    "learned from few people, standing and lying are distinguished; the same seed gives the same model"
  )
  func learning() async throws {
    var fit = PostureFit()
    (fit.sequenceCount, fit.treeCount, fit.modelCount) = (300, 12, 2)
    let models = try await fit.run()
    #expect(models.count == 2 && models[0] != models[1])
    #expect(try await fit.run() == models)
    let mean = PostureFit.mean(of: models)
    #expect(mean.kinds.trees.count == models.reduce(0) { $0 + $1.kinds.trees.count })
    var bench = PostureBench([mean])
    (bench.sequenceCount, bench.seed) = (200, 5)
    let rows = try await bench.run([]).synthetic
    #expect(try #require(rows.first { $0.name == "standing" }).right > 0.5)
    let folder = try TemporaryFolder()
    try mean.stableJSON.write(to: folder.url("postures.json"))
    #expect(try PostureModel(contentsOf: folder.url("postures.json")) == mean)
  }

  @Test("labels, and falls after them, give the postures of real clips")
  func tables() async throws {
    let folder = try TemporaryFolder()
    for name in ["a.mp4", "b.mp4", "f.mp4", "g.mp4", "h.mp4"] {
      try Data().write(to: folder.url(name))
    }
    try Data(
      """
      file,label,start_time,end_time,source
      a.mp4,standing,0,2,me
      a.mp4,squats,2,4,me
      a.mp4,push_ups,4,9,me
      b.mp4,dancing,0,9,me
      """.utf8
    ).write(to: folder.url("clips.csv"))
    try Data(
      """
      file,fall_time,visible_after,end_posture,what
      f.mp4,2.5,yes,lying,"hall: stumbles"
      g.mp4,3,yes,none,"hall: gets up at once"
      h.mp4,,,,"hall: sits"
      """.utf8
    ).write(to: folder.url("falls.csv"))
    let clips = try RealPostures.clips(of: [folder.url("clips.csv"), folder.url("falls.csv")])
    #expect(clips.map(\.url.lastPathComponent) == ["a.mp4", "f.mp4"])
    #expect(clips.map(\.source) == ["me", "hall"])
    #expect(clips[0].segments.map(\.row) == [.standing, .onAllFours])
    #expect(clips[1].segments[0].row == .fallen && clips[1].segments[0].timeRange.lowerBound == 3.5)
  }
}
