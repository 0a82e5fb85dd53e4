import KinemaTracking
import Testing

@Suite struct TrackCostTests {
  private static func track(_ detection: Detection) -> Track<Void>? {
    var tracker = Tracker<Void>(rules: .bodies)
    tracker.advance(to: 0)
    let key = tracker.add(detection, content: ())
    return tracker[key]
  }

  @Test("the same detection costs nothing; distance, size, pose and clothes each cost more")
  func parts() throws {
    func detection(
      x: Float = 0, size: Float = 100, arm: Float = 0, clothes: [Float] = Scene.red
    ) -> Detection {
      Detection(
        position: SIMD2(x, 0), size: size,
        shape: [SIMD2(0, 0), SIMD2(0, 1), SIMD2(arm, 0), SIMD2(arm, 1)],
        appearance: Scene.clothes(clothes))
    }
    let track = try #require(Self.track(detection()))
    #expect(TrackCost(of: detection(), for: track, at: 0.1).total == 0)
    let far = TrackCost(of: detection(x: 30), for: track, at: 0.1)
    #expect(far.place > 0 && far.total == far.place)
    let large = TrackCost(of: detection(size: 150), for: track, at: 0.1)
    #expect(large.size > 0 && large.place == 0)
    let moved = TrackCost(of: detection(arm: 0.2), for: track, at: 0.1)
    #expect(moved.shape > 0 && moved.total == moved.shape)
    let dressed = TrackCost(of: detection(clothes: Scene.pink), for: track, at: 0.1)
    #expect(dressed.appearance > 0 && dressed.total == dressed.appearance)
  }

  @Test("a distance costs less after an absence, and an outlier costs no more than the limit")
  func absence() throws {
    let track = try #require(Self.track(Scene.detection(x: 0)))
    let other = Scene.detection(x: 50)
    #expect(track.cost(of: other, at: 1) < track.cost(of: other, at: 0.1))
    #expect(
      track.cost(of: Scene.detection(x: 5000), at: 0.1) == TrackingRules.bodies.limits.place)
  }

  @Test("a track admits detections near its prediction, of its size and not of other clothes")
  func gates() throws {
    let track = try #require(Self.track(Scene.detection(x: 0, clothes: Scene.red)))
    #expect(track.admits(Scene.detection(x: 40, clothes: Scene.pink), at: 0.1))
    #expect(!track.admits(Scene.detection(x: 80, clothes: Scene.red), at: 0.1))
    #expect(track.admits(Scene.detection(x: 80, clothes: Scene.red), at: 1.4))
    #expect(!track.admits(Scene.detection(x: 0, clothes: Scene.blue), at: 0.1))
    #expect(!track.admits(Scene.detection(x: 0, size: 200, clothes: Scene.red), at: 0.1))
  }

  @Test("the motion is predicted at constant speed, which decays")
  func motion() {
    var motion = TrackMotion(Scene.detection(x: 0), at: 0, rules: .bodies)
    for frame in 1...30 {
      let detection = Scene.detection(x: Float(frame) * 2)
      motion.update(detection, at: Double(frame) / 30, trust: 1)
    }
    #expect(abs(motion.velocity.x - 60) < 5)
    #expect(abs(motion.position(at: 31.0 / 30).x - 62) < 1)
    #expect(motion.position(at: 10).x < 60 + 60 * 0.7)
    #expect(motion.uncertainty(at: 2) > motion.uncertainty(at: 1.1))
  }

  @Test("the difference of clothes is 0 for equal ones and 1 for ones without a common colour")
  func appearance() throws {
    var red = try #require(Scene.clothes(Scene.red))
    let blue = try #require(Scene.clothes(Scene.blue))
    #expect(red.difference(from: red) < 1e-3)
    #expect(red.difference(from: blue) == 1)
    red.blend(with: blue, weight: 0.5)
    #expect(red.parts == [[0.5, 0.5, 0, 0]])
    #expect(Appearance(parts: [[], []], weights: [1, 1]) == nil)
    let trunk = try #require(Appearance(parts: [Scene.red, []], weights: [1, 1]))
    let thighs = try #require(Appearance(parts: [[], Scene.red], weights: [1, 1]))
    #expect(trunk.difference(from: thighs) == 0.5)
  }
}
