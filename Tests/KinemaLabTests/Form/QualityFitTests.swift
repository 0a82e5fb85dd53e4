import Foundation
import KinemaCoach
import KinemaLab
import KinemaSynth
import KinemaTestSupport
import KinemaTraining
import Testing

@Suite("Right executions are learned from motion capture")
struct QualityFitTests {
  /// Two seconds of somebody who turns the upper body to the side and back, in metres.
  private static func swaying(by radians: Float, height: Float) -> [CapturedMotion.Frame] {
    (0..<60).map { frame in
      let lean = radians * sin(Float(frame) / 60 * .pi)
      return CaptureFolder.standing().map { place in
        let hips = SIMD3<Float>(0, 0.9, 0)
        guard place.y > hips.y + 0.05 else { return place * height }
        let from = place - hips
        let turned = SIMD3(
          from.x * cos(lean) + from.y * sin(lean), from.y * cos(lean) - from.x * sin(lean), from.z)
        return (turned + hips) * height
      }
    }
  }

  /// Three people, each twice right and twice with a trunk that sways.
  private func folder() throws -> CaptureFolder {
    let folder = try CaptureFolder()
    let heights: [Float] = [0.95, 1, 1.05]
    let sways: [Float] = [0.02, 0.05, 0.5, 0.6]
    let takes = heights.indices.flatMap { person in
      sways.map { (person: person, sway: $0) }
    }
    try folder.write(takes.map { Self.swaying(by: $0.sway, height: heights[$0.person]) })
    try folder.index(
      takes.enumerated().map { index, take in
        let label = take.sway > 0.1 ? "deep squat (incorrect form)" : "deep squat"
        return "some.npz,take\(index),person\(take.person),\(label),exercise,\(index * 60),60,"
      })
    return folder
  }

  @Test("who sways is distinguished from who does not, also of people who were not learned from")
  func learns() throws {
    let folder = try folder()
    let (models, report) = try QualityFit(contentsOf: folder.url, viewCount: 6).run()
    #expect(Set(models.keys) == ["deep_squats"])
    let row = try #require(report.rows.first)
    #expect(row.repetitions == 3 * 4 * 6 && row.evaluated > row.repetitions / 2)
    #expect(try #require(row.area) > 0.95)
    // Nobody is held out here.
    #expect(row.heldOutArea == nil)
    let sway = try #require(models["deep_squats"]?.terms.first { $0.name == "sway of the trunk" })
    #expect(sway.weight < 0)
  }

  @Test("the same seed learns the same")
  func seed() throws {
    let folder = try folder()
    func models(seed: UInt64) throws -> [String: QualityModel] {
      try QualityFit(contentsOf: folder.url, viewCount: 2, seed: seed).run().models
    }
    #expect(try models(seed: 1) == models(seed: 1))
    #expect(try models(seed: 1) != models(seed: 2))
  }

  @Test("a folder without right and wrong executions is refused")
  func other() throws {
    let folder = try CaptureFolder()
    try folder.write([CaptureFolder.walker(frames: 40)])
    try folder.index(["some.npz,a,a,walk,walk,0,40,"])
    #expect(throws: TrainingError.self) { try QualityFit(contentsOf: folder.url) }
  }
}
