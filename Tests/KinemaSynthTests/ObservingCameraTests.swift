import KinemaPose
import KinemaSynth
import Testing

@Suite struct ObservingCameraTests {
  private static let person = SyntheticPerson()

  private static func skeleton() -> Skeleton {
    BodySolver(person: person).skeleton(for: .standing(person, stance: 0.1))
  }

  private static func cameras(_ count: UInt64, nearShare: Float? = 0) -> [ObservingCamera] {
    (0..<count).map { seed in
      var generator = SeededGenerator(seed: seed)
      return ObservingCamera(
        for: .standing, duration: 1, mayTurn: false, nearShare: nearShare, using: &generator)
    }
  }

  private static func views(_ camera: ObservingCamera) -> [[SIMD3<Float>]] {
    camera.views(of: person, at: [0, 0.5]) { _ in skeleton() }
  }

  @Test("a person who is framed is in the picture, as a whole or down to the hands")
  func framing() {
    for camera in Self.cameras(60) + Self.cameras(60, nearShare: 1) {
      let views = Self.views(camera)
      let (corner, size) = camera.picture(of: views)
      #expect(abs(size.x / size.y - camera.aspectRatio) < 1e-4)
      let places = views[0].map { (SIMD2($0.x, $0.y) - corner) / size }
      let framed = camera.showsUpperBody ? Array(places[..<8]) : places
      // The person may fill the frame and three hundredths more.
      #expect(framed.allSatisfy { $0.min() > -0.02 && $0.max() < 1.02 })
    }
  }

  @Test("the middle of a body is the middle of its view, and depth is the way to the camera")
  func projection() {
    let front = ObservingCamera.Projection(yaw: 0, pitch: 0, roll: 0, distance: 3)
    #expect(front.view(.zero) == .zero)
    #expect(front.view(SIMD3(0.3, 0.2, 0)) == SIMD3(0.3, 0.2, 0))
    // What is nearer by half the distance is twice as large.
    #expect(front.view(SIMD3(0.1, 0, 1.5)) == SIMD3(0.2, 0, 1.5))
    let side = ObservingCamera.Projection(yaw: .pi / 2, pitch: 0, roll: 0, distance: 3)
    let place = side.view(SIMD3(0, 0.2, -0.3))
    #expect(abs(place.x - 0.3) < 1e-6 && abs(place.y - 0.2) < 1e-6 && abs(place.z) < 1e-6)
    let tilted = ObservingCamera.Projection(yaw: 0, pitch: 0, roll: .pi / 2, distance: 3)
    let turned = tilted.view(SIMD3(0.3, 0, 0))
    #expect(abs(turned.x) < 1e-6 && abs(turned.y - 0.3) < 1e-6)
    let zoomed = ObservingCamera.Projection(yaw: 0, pitch: 0, roll: 0, distance: 3, zoom: 2)
    #expect(zoomed.view(SIMD3(0.3, 0.2, 0)) == SIMD3(0.6, 0.4, 0))
    // From above, the head is nearer than the feet.
    let above = ObservingCamera.Projection(yaw: 0, pitch: 0.5, roll: 0, distance: 3)
    #expect(above.view(SIMD3(0, 1, 0)).z > above.view(SIMD3(0, -1, 0)).z)
  }

  @Test("directions are front, side or any; pitches are small, and distances within limits")
  func positions() {
    let cameras = Self.cameras(400)
    #expect(cameras.allSatisfy { (1.3...6.01).contains($0.distance) })
    #expect(cameras.count { abs($0.pitch) < 0.6 } > 380)
    // 35 % of the front, and one in five of the others.
    #expect((120...240).contains(cameras.count { abs($0.yaw) < 0.6 }))
    #expect(cameras.allSatisfy { abs($0.roll) < 0.3 })
    #expect(cameras.allSatisfy { !$0.showsUpperBody && $0.framedShare == 1 })
  }

  @Test("a pitch that is asked for changes nothing else")
  func pitch() {
    for seed in 0..<20 as Range<UInt64> {
      var (one, other) = (SeededGenerator(seed: seed), SeededGenerator(seed: seed))
      let usual = ObservingCamera(for: .squats, duration: 2, mayTurn: true, using: &one)
      let high = ObservingCamera(
        for: .squats, duration: 2, mayTurn: true, pitch: 0.5, using: &other)
      #expect(high.pitch == 0.5 && high.yaw == usual.yaw && high.distance == usual.distance)
      #expect(one.next() == other.next())
    }
  }
}
