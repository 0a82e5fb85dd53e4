import KinemaPose
import KinemaSynth
import Testing

@Suite struct SyntheticCrossingTests {
  @Test(
    "people pass each other in the picture and are hidden for a second at most", arguments: 2...4)
  func occlusions(count: Int) {
    let crossing = SyntheticCrossing(personCount: count, seed: 5, duration: 6)
    #expect(crossing.scene.figures.count == count)
    var hidden = [Double](repeating: 0, count: count)
    var occlusions = 0
    for frame in 0..<120 {
      let time = Double(frame) / 20
      for pose in crossing.scene.poses(at: time, aspectRatio: 16 / 9) {
        #expect(pose.keypoints.values.allSatisfy { $0.confidence == 1 }, "out of the picture")
      }
      for (index, share) in crossing.scene.visibleShares(at: time).enumerated() {
        if share < 0.5 {
          if hidden[index] == 0 { occlusions += 1 }
          hidden[index] += 0.05
        } else {
          hidden[index] = 0
        }
        #expect(hidden[index] <= 1.1)
      }
    }
    #expect(occlusions > 0)
  }

  @Test("the same seed gives the same scene, another one another")
  func determinism() {
    func poses(_ seed: UInt64) -> [[SIMD2<Float>]] {
      SyntheticCrossing(personCount: 2, seed: seed, duration: 4).scene
        .poses(at: 2, aspectRatio: 16 / 9).map { $0.keypoints.map(\.value.position).sortedByX() }
    }
    #expect(poses(1) == poses(1))
    #expect(poses(1) != poses(2))
  }

  @Test("a way leads straight from stop to stop and stays at both ends")
  func path() {
    let path = FloorPath([
      .init(time: 1, position: SIMD2(0, 0), headingDegrees: 90),
      .init(time: 3, position: SIMD2(2, -1), headingDegrees: 0),
    ])
    for (time, position, heading) in [
      (0.0, SIMD2<Float>(0, 0), Float(90)), (2, SIMD2(1, -0.5), 45), (4, SIMD2(2, -1), 0),
    ] {
      let place = path.place(at: time)
      #expect(place.position == position)
      #expect(place.headingDegrees == heading)
    }
  }
}

extension [SIMD2<Float>] {
  fileprivate func sortedByX() -> [SIMD2<Float>] { sorted { ($0.x, $0.y) < ($1.x, $1.y) } }
}
