import KinemaPose
import KinemaRendering
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

  @Test("people in the same clothes walk as those in their own do")
  func sameClothes() {
    let usual = SyntheticCrossing(personCount: 2, seed: 3, duration: 4).scene.figures
    let alike = SyntheticCrossing(.sameClothes, personCount: 2, seed: 3, duration: 4).scene.figures
    #expect(usual.map(\.path) == alike.map(\.path))
    #expect(alike[0].appearance.shirt == alike[1].appearance.shirt)
    #expect(usual[0].appearance.shirt != usual[1].appearance.shirt)
    #expect(usual[1].appearance.skin == alike[1].appearance.skin)
  }

  @Test("a camera that moves sees people who stay at other places of the frame")
  func movingCamera() {
    let scene = SyntheticCrossing(.movingCamera, personCount: 2, seed: 3, duration: 4).scene
    #expect(scene.viewpoint(at: 0) != scene.viewpoint(at: 1))
    #expect(abs(scene.viewpoint(at: 1).yawDegrees - scene.viewpoint.yawDegrees) <= 17)
  }

  @Test("one leaves the frame for five seconds at least and returns, and another is new after that")
  func returns() {
    let crossing = SyntheticCrossing(.returns, personCount: 2, seed: 3)
    let inside = stride(from: 0, to: crossing.duration, by: 0.25).map { time in
      crossing.scene.poses(at: time, aspectRatio: 16 / 9).map { $0.shareInside > 0 }
    }
    let leaver = inside.map { $0[0] }
    #expect(leaver.first == true && leaver.last == true)
    #expect(leaver.split(separator: true).map(\.count).max() ?? 0 >= 20)
    let returnIndex = leaver.lastIndex(of: false) ?? 0
    let gone = leaver.firstIndex(of: false) ?? 0
    #expect(inside[..<gone].allSatisfy { !$0[1] } && inside.last?[1] == true)
    #expect(gone < returnIndex)
  }

  @Test("two hands cross and leave the frame")
  func hands() {
    let scene = SyntheticScene.twoHands(seed: 3)
    let poses = stride(from: 0, to: 10, by: 0.25).map {
      scene.poses(at: $0, aspectRatio: 16 / 9)
    }
    #expect(poses.allSatisfy { $0.count == 2 && $0[0].keypoints.count == 21 })
    let isRightFirst = poses.map { poses in
      let places = poses.map { $0.keypoints[.wrist]?.position.x ?? 0 }
      return places[0] < places[1]
    }
    #expect(isRightFirst.first == true && isRightFirst.contains(false))
    for hand in 0..<2 { #expect(poses.contains { $0[hand].shareInside == 0 }) }
    #expect(scene.visibleShares(at: 0).allSatisfy { $0 > 0.9 })
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
