import KinemaLab
import KinemaPose
import Testing

@Suite("Figures of hard poses")
struct HardPoseFiguresTests {
  /// A body whose trunk is 0.2 high, moved to the side.
  private func body(at x: Float, isExchanged: Bool = false) -> Pose {
    var keypoints: [JointKey: JointPoint] = [:]
    for (name, y) in [("Shoulder", 0.7), ("Hip", 0.5), ("Knee", 0.3)] as [(String, Float)] {
      for (side, offset) in [("left", 0.05), ("right", -0.05)] as [(String, Float)] {
        let key = JointKey(rawValue: side + name)
        keypoints[key] = JointPoint(
          key, position: SIMD2(x + (isExchanged ? -offset : offset), y), confidence: 1)
      }
    }
    return Pose(from: keypoints)
  }

  @Test("a pose at the person's place is found without error")
  func found() {
    var figures = HardPoseFigures()
    figures.add([body(at: 0.5)], truth: body(at: 0.5), index: 7)
    #expect(figures.found == 1 && figures.strangers == 0 && figures.exchanged == 0)
    #expect(figures.medianError == 0 && figures.meanError == 0 && figures.firstFrames == [7])
  }

  @Test("a pose elsewhere is a stranger")
  func stranger() {
    var figures = HardPoseFigures()
    figures.add([body(at: 0.05)], truth: body(at: 0.9), index: 0)
    figures.add([body(at: 0.9), body(at: 0.05)], truth: body(at: 0.9), index: 1)
    #expect(figures.found == 0.5 && figures.strangers == 1 && figures.firstFrames == [1])
  }

  @Test("left and right exchanged are reported")
  func exchanged() {
    var figures = HardPoseFigures()
    figures.add([body(at: 0.5, isExchanged: true)], truth: body(at: 0.5), index: 0)
    #expect(figures.found == 1 && figures.exchanged == 1)
  }
}
