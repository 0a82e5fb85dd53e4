import KinemaPose
import KinemaRendering
import KinemaSynth
import KinemaVideo
import Testing

@Suite struct SyntheticRendererTests {
  private static func scene(_ motion: Motion, seed: UInt64 = 3) -> SyntheticScene {
    let part = SyntheticSession.Part.motion(motion, repetitions: 2)
    var generator = SeededGenerator(seed: seed)
    let session = SyntheticSession([part], person: .random(using: &generator), seed: seed)
    return SyntheticScene(framing: [.init(session, appearance: .random(using: &generator))])
  }

  /// Red, green and blue, from the upper left.
  private static func pixels(_ frame: Frame) -> [SIMD3<Int>] {
    frame.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 4).map {
        SIMD3(Int(bytes[$0]), Int(bytes[$0 + 1]), Int(bytes[$0 + 2]))
      }
    }
  }

  @Test("the same scene, seed and time give the same picture, others do not")
  func determinism() {
    let scene = Self.scene(.burpees)
    let renderer = SyntheticRenderer(scene, width: 160, height: 120, seed: 4)
    let same = SyntheticRenderer(scene, width: 160, height: 120, seed: 4)
    let other = SyntheticRenderer(scene, width: 160, height: 120, seed: 5)
    let picture = Self.pixels(renderer.frame(at: 1.25))
    #expect(picture == Self.pixels(same.frame(at: 1.25)))
    #expect(picture != Self.pixels(other.frame(at: 1.25)))
    #expect(picture != Self.pixels(renderer.frame(at: 1.5)))
  }

  @Test(
    "the person is where the joints are",
    arguments: [Motion.jumpingJacks, .lunges, .burpees, .squats, .pushUps, .standing],
    [1, 2] as [UInt64])
  func coverage(motion: Motion, seed: UInt64) {
    let scene = Self.scene(motion, seed: seed)
    let empty = SyntheticScene([], viewpoint: scene.viewpoint)
    let room = Self.pixels(
      SyntheticRenderer(empty, width: 240, height: 180, seed: 1, noise: 0).frame(at: 0))
    let renderer = SyntheticRenderer(scene, width: 240, height: 180, seed: 1, noise: 0)
    var covered = 0
    var joints = 0
    for time in [0.2, 0.9] {
      let picture = Self.pixels(renderer.frame(at: time))
      let pose = scene.poses(at: time, aspectRatio: 4 / 3)[0]
      for point in pose.keypoints.values {
        let column = Int(point.position.x * 240)
        let row = Int((1 - point.position.y) * 180)
        let change = picture[row * 240 + column] &- room[row * 240 + column]
        joints += 1
        if (change &* change).wrappedSum() > 100 { covered += 1 }
      }
    }
    // A shirt can have the wall's colour.
    #expect(Float(covered) > 0.9 * Float(joints), "\(covered) of \(joints)")
  }

  @Test("a picture is made of a person in front of a room, not of nothing")
  func content() {
    let scene = Self.scene(.jumpingJacks)
    let picture = Self.pixels(SyntheticRenderer(scene, width: 160, height: 120).frame(at: 0.5))
    #expect(picture.count == 160 * 120)
    #expect(Set(picture.map { $0 / 16 }).count > 60)
    let brightness = picture.map { $0.wrappedSum() / 3 }.reduce(0, +) / picture.count
    #expect(brightness > 60 && brightness < 220)
  }

  @Test("several people stand where they were put")
  func several() throws {
    let figures = [-1.2, 0, 1.2].enumerated().map { index, x in
      SyntheticScene.Figure(
        SyntheticSession([.standing(seconds: 3)], seed: UInt64(index)),
        position: SIMD2(Float(x), 0), headingDegrees: Float(index) * 30)
    }
    let scene = SyntheticScene(framing: figures, yawDegrees: 0, aspectRatio: 16 / 9)
    let poses = scene.poses(at: 1, aspectRatio: 16 / 9)
    #expect(poses.map(\.personID) == [1, 2, 3])
    let necks = poses.compactMap { $0.keypoints[.neck]?.position.x }
    #expect(necks == necks.sorted())
    #expect(poses.allSatisfy { $0.keypoints.values.allSatisfy { $0.confidence == 1 } })
    let frame = SyntheticRenderer(scene, width: 320, height: 180).frame(at: 1)
    #expect(frame.width == 320 && frame.height == 180)
  }

  @Test("the nearer person hides the farther one")
  func occlusion() throws {
    let session = SyntheticSession([.standing(seconds: 3)], seed: 1)
    var red = SyntheticAppearance.plain
    red.shirt = SIMD3(0.9, 0.05, 0.05)
    var green = SyntheticAppearance.plain
    green.shirt = SIMD3(0.05, 0.9, 0.05)
    let near = SyntheticScene.Figure(session, appearance: red, position: SIMD2(0, 0.8))
    let far = SyntheticScene.Figure(session, appearance: green, position: SIMD2(0, -0.8))
    for figures in [[near, far], [far, near]] {
      let scene = SyntheticScene(
        figures, viewpoint: Viewpoint(target: SIMD3(0, 1.2, 0), yawDegrees: 0, pitchDegrees: 0))
      let picture = Self.pixels(SyntheticRenderer(scene, width: 160, height: 120).frame(at: 0))
      let middle = picture[60 * 160 + 80]
      #expect(middle.x > 2 * middle.y)
    }
  }

  @Test("looks are many, and the same for a seed")
  func looks() {
    func looks(_ seed: UInt64) -> [SyntheticAppearance] {
      var generator = SeededGenerator(seed: seed)
      return (0..<50).map { _ in .random(using: &generator) }
    }
    let first = looks(1)
    #expect(first.map(\.shirt) == looks(1).map(\.shirt))
    #expect(Set(first.map(\.shirt)).count == 50)
    #expect(first.allSatisfy { $0.shirt.min() >= 0 && $0.shirt.max() <= 1 })
  }

  @Test("pictures are of any size, without grain exactly those of the scene")
  func pictures() {
    let scene = SyntheticScene(
      framing: [.init(SyntheticSession([.standing(seconds: 2)], seed: 6))])
    for (width, height) in [(64, 48), (33, 57), (16, 9), (1, 1), (1, 40), (40, 1), (2, 2)] {
      let renderer = SyntheticRenderer(scene, width: width, height: height, seed: 1, noise: 0)
      let frame = renderer.frame(at: 0.5)
      #expect(frame.width == width && frame.height == height)
      let again = SyntheticRenderer(scene, width: width, height: height, seed: 1, noise: 0)
        .frame(at: 0.5)
      #expect(frame.withUnsafeBytes { Array($0) } == again.withUnsafeBytes { Array($0) })
    }
  }
}
