import Foundation
import KinemaPose
import KinemaSynth
import Testing

@Suite struct UprightMistakeTests {
  /// A body of length 1 whose head is turned from the camera by an angle, in radians.
  private func body(turnedBy angle: Float, onTheBack: Bool = false) -> [SIMD3<Float>] {
    var joints = [SIMD3<Float>](repeating: .zero, count: 18)
    let axis = SIMD3<Float>(sin(angle), 0, cos(angle))
    let side = (onTheBack ? -1 : 1) * SIMD3<Float>(cos(angle), 0, -sin(angle))
    for (right, left, along) in [(2, 5, Float(0.8)), (8, 11, 0.5), (9, 12, 0.25), (10, 13, 0)] {
      joints[right] = along * axis - 0.1 * side
      joints[left] = along * axis + 0.1 * side
    }
    return joints
  }

  private func mistakes() -> [UprightMistake] {
    var generator = SeededGenerator(seed: 7)
    return (0..<200).map { _ in UprightMistake(frameCount: 1, using: &generator) }
  }

  @Test("with the head to the camera, hips and legs are put below the shoulders, or left alone")
  func frontal() {
    var (misled, undecided) = (0, 0)
    for mistake in mistakes() {
      var views = [body(turnedBy: 0)]
      let seen = views[0]
      let doubt = mistake.mislead(&views)[0]
      #expect(Array(views[0][..<8]) == Array(seen[..<8]))
      guard views[0] != seen else {
        #expect(doubt.hips == 0 && doubt.legs == 0)
        continue
      }
      guard doubt.legs >= 0.8 else {
        undecided += 1
        continue
      }
      misled += 1
      for (hip, knee, ankle) in [(8, 9, 10), (11, 12, 13)] {
        #expect(views[0][hip].y < -0.07 && views[0][hip].y > -0.25)
        #expect(views[0][knee].y < views[0][hip].y && views[0][ankle].y < views[0][knee].y)
      }
      #expect((0.09...0.16).contains(views[0][11].x - views[0][8].x))
      #expect((0...1).contains(doubt.hips))
    }
    #expect((110...170).contains(misled) && undecided < 30)
  }

  @Test("seen from the side, from behind, or on the back, nobody is taken for upright")
  func otherViews() {
    for mistake in mistakes() {
      for view in [
        body(turnedBy: 0.9), body(turnedBy: -.pi / 2), body(turnedBy: .pi),
        body(turnedBy: 0, onTheBack: true),
      ] {
        var views = [view]
        let doubt = mistake.mislead(&views)[0]
        #expect(views[0] == view && doubt.hips == 0 && doubt.legs == 0)
      }
    }
  }
}
