import KinemaLab
import KinemaPose
import Testing

@Suite("Figures of hard poses, by hand")
struct HardPoseFiguresByHandTests {
  /// Shoulders at 0.7, hips at 0.5, so that the trunk is 0.2 high, and wrists.
  private func body(
    wrists: SIMD2<Float> = SIMD2(0.5, 0.6), shift: SIMD2<Float> = .zero
  ) -> Pose {
    let places: [JointKey: SIMD2<Float>] = [
      .leftShoulder: SIMD2(0.55, 0.7), .rightShoulder: SIMD2(0.45, 0.7),
      .leftHip: SIMD2(0.55, 0.5), .rightHip: SIMD2(0.45, 0.5), .leftWrist: wrists,
      .rightWrist: wrists,
    ]
    return Pose(
      from: Dictionary(
        uniqueKeysWithValues: places.map {
          ($0, JointPoint($0, position: $1 + shift, confidence: 1))
        }))
  }

  private func isClose(_ value: Float, _ expected: Float) -> Bool { abs(value - expected) < 1e-4 }

  @Test("errors are shares of the trunk, at four to three across")
  func errors() {
    var figures = HardPoseFigures()
    figures.add([body(shift: SIMD2(0, 0.02))], truth: body(), index: 0)
    #expect(isClose(figures.medianError, 0.1) && isClose(figures.meanError, 0.1))
    figures = HardPoseFigures()
    figures.add([body(shift: SIMD2(0.03, 0))], truth: body(), index: 0)
    #expect(isClose(figures.medianError, 0.2) && isClose(figures.meanError, 0.2))
  }

  @Test("a joint far off changes the mean, not the median")
  func median() {
    var figures = HardPoseFigures()
    figures.add([body(wrists: SIMD2(0.5, 0.9))], truth: body(), index: 0)
    // Two of six joints are 1.5 trunks off.
    #expect(figures.found == 1 && isClose(figures.medianError, 0))
    #expect(isClose(figures.meanError, 0.5))
  }

  @Test("a joint outside the picture has no error")
  func outside() {
    var figures = HardPoseFigures()
    figures.add(
      [body(wrists: SIMD2(0.5, 0.9))], truth: body(wrists: SIMD2(0.5, 1.1)), index: 0)
    #expect(figures.found == 1 && isClose(figures.meanError, 0))
  }

  @Test("of two poses the nearer one is the person, the other a false positive")
  func nearest() {
    var figures = HardPoseFigures()
    figures.add(
      [body(shift: SIMD2(0, 0.1)), body(shift: SIMD2(0, 0.01))], truth: body(), index: 4)
    #expect(figures.found == 1 && figures.strangers == 1 && figures.firstFrames == [4])
    #expect(isClose(figures.medianError, 0.05))
  }

  @Test("two trunks off is a stranger; without poses nothing is found, and shares are of frames")
  func limits() {
    var figures = HardPoseFigures()
    figures.add([body(shift: SIMD2(0, 0.39))], truth: body(), index: 0)
    figures.add([body(shift: SIMD2(0, 0.41))], truth: body(), index: 1)
    figures.add([], truth: body(), index: 2)
    figures.add([], truth: body(), index: 3)
    #expect(figures.found == 0.25 && figures.strangers == 0.25)
    #expect(figures.firstFrames == [0])
    #expect(HardPoseFigures().found == 0 && HardPoseFigures().medianError == 0)
  }
}
