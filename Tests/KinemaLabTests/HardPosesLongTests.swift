import KinemaLab
import Testing

@Suite("Hard poses from all sides")
struct HardPosesLongTests {
  @Test(
    "a person of a fifth of the picture's height is found within a second, from any side",
    arguments: [HardView.front, .side, .back])
  func smallPeople(view: HardView) async throws {
    for seed in [1, 2] as [UInt64] {
      let stage = HardStage(view, share: 0.2, width: 640, height: 480, seed: seed)
      let figures = try await stage.figures(frameCount: 45)
      #expect(figures.firstFrames.first ?? .max <= 30, "seed \(seed)")
      #expect(figures.foundCount >= 15 && figures.strangerCount == 0, "seed \(seed)")
    }
  }

  @Test(
    "who lies, does push-ups or is half outside is found from the first frames on",
    arguments: [(HardView.lying, Float(0.25)), (.pushUp, 0.25), (.halfOutside, 0.3)])
  func hardViews(view: HardView, share: Float) async throws {
    var found = 0
    for seed in 21...24 as ClosedRange<UInt64> {
      let stage = HardStage(view, share: share, width: 1280, height: 720, seed: seed)
      found += try await stage.figures(frameCount: 15).foundCount
    }
    #expect(found >= 4 * 15 * 6 / 10)
  }
}
