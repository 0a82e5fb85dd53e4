import KinemaLab
import Testing

@Suite("Hard poses")
struct HardPosesTests {
  @Test("a person of a fifth of the picture's height is found within a second")
  func smallPerson() async throws {
    let stage = HardStage(.front, share: 0.2, width: 640, height: 480, seed: 1)
    let figures = try await stage.figures(frameCount: 45)
    #expect(figures.firstFrames.first ?? .max <= 30)
    #expect(figures.foundCount >= 15 && figures.strangerCount == 0)
  }

  @Test("without a person, none is found in any part of the frame")
  func emptyRoom() async throws {
    let stage = HardStage(.front, share: 0.2, width: 640, height: 480, seed: 3, isEmpty: true)
    let figures = try await stage.figures(frameCount: 75)
    #expect(figures.foundCount == 0 && figures.strangerCount == 0)
  }
}
