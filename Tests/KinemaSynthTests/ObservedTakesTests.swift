import Foundation
import KinemaPose
import KinemaSynth
import Testing

/// What a camera makes of a body, and what the estimator makes of that.
@Suite("Observed takes")
struct ObservedTakesTests {
  private static func view(
    _ place: Vector, yaw: Float = 0, pitch: Float = 0, roll: Float = 0, distance: Float = 3,
    zoom: Float = 1
  ) -> Vector {
    ObservingCamera.Projection(yaw: yaw, pitch: pitch, roll: roll, distance: distance, zoom: zoom)
      .view(place)
  }

  @Test("a projection is that of the formula: what is nearer is larger")
  func projection() {
    let place = Vector(0.2, 0.4, 0)
    #expect((Self.view(place) - place).length < 1e-6)
    // A metre nearer, at two thirds of the distance: one and a half times as large.
    let near = Self.view(place + Vector(0, 0, 1))
    #expect((near - Vector(0.3, 0.6, 1)).length < 1e-5)
    // Never nearer than a third or so.
    let close = Self.view(place + Vector(0, 0, 2.9))
    #expect(abs(close.x - 0.2 * 3 / 0.35) < 1e-4)
    #expect((Self.view(place, zoom: 2) - Vector(0.4, 0.8, 0)).length < 1e-5)
  }

  @Test("a quarter round, what was in front is at the side; a tilt turns the picture")
  func angles() {
    let front = Self.view(Vector(0, 0, 0.5), yaw: .pi / 2)
    #expect(abs(front.x + 0.5) < 1e-5 && abs(front.z) < 1e-5)
    let left = Self.view(Vector(0.5, 0, 0), yaw: .pi / 2)
    #expect(abs(left.x) < 1e-5 && abs(left.z - 0.5) < 1e-5)
    // From above, what is up comes nearer.
    let up = Self.view(Vector(0, 0.5, 0), pitch: .pi / 2)
    #expect(abs(up.y) < 1e-5 && abs(up.z - 0.5) < 1e-5)
    let tilted = Self.view(Vector(0.5, 0, 0), roll: .pi / 2)
    #expect(abs(tilted.x) < 1e-5 && abs(tilted.y - 0.5) < 1e-5)
  }

  @Test(
    "turning the camera is turning the body the other way", arguments: [0.4, 2, -1.1] as [Float])
  func turning(yaw: Float) {
    let session = SyntheticSession([.motion(.squats, repetitions: 2)], seed: 3)
    let body = session.skeleton(at: 1)
    let turned = body.placed(at: .zero, headingDegrees: -yaw * 180 / .pi)
    for (one, other) in zip(body.bodyJoints, turned.bodyJoints) {
      #expect((Self.view(one, yaw: yaw) - Self.view(other)).length < 1e-4)
    }
  }

  @Test(
    "a framed picture has its ratio, and holds what is framed",
    arguments: 1...12 as ClosedRange<UInt64>)
  func picture(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let motion = Motion.squats
    let camera = ObservingCamera(for: motion, duration: 4, mayTurn: false, using: &generator)
    let session = SyntheticSession([.motion(motion, seconds: 4)], seed: seed)
    let times = (0..<20).map { Double($0) / 5 }
    let views = camera.views(of: session.person, at: times) { session.skeleton(at: $0) }
    #expect(views.count == 20 && views.allSatisfy { $0.count == BodyJoint.count })
    let picture = camera.picture(of: views)
    #expect(abs(picture.size.x / picture.size.y - camera.aspectRatio) < 1e-4)
    guard !camera.showsUpperBody else { return }
    // People fill it up to a thirtieth more.
    for place in views.joined() {
      let inside = (SIMD2(place.x, place.y) - picture.corner) / picture.size
      #expect(inside.min() > -0.05 && inside.max() < 1.05)
    }
  }

  @Test("what the counter gets is a place for each joint, near the true one but for torn frames")
  func bridged() {
    let session = SyntheticSession([.motion(.jumpingJacks, repetitions: 6)], seed: 4)
    let times = (0..<60).map { Double($0) / 15 }
    var generator = SeededGenerator(seed: 1)
    let camera = ObservingCamera(
      for: .jumpingJacks, duration: 4, mayTurn: false, pitch: 0, using: &generator)
    let views = camera.views(of: session.person, at: times) { session.skeleton(at: $0) }
    var near: [Double] = []
    for seed in 1...20 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      var estimator = SimulatedEstimator(.counting, using: &generator)
      let (positions, lost) = estimator.bridged(views, mayLoseLegs: false)
      #expect(positions.count == 60 * BodyJoint.count && lost.isEmpty)
      #expect(positions.allSatisfy { $0.x.isFinite && $0.y.isFinite })
      let count = positions.indices.count { index in
        let place = views[index / BodyJoint.count][index % BodyJoint.count]
        let way = positions[index] - SIMD2(place.x, place.y)
        return (way * way).sum() < 0.15 * 0.15
      }
      near.append(Double(count) / Double(positions.count))
    }
    #expect(near.reduce(0, +) / 20 > 0.85)
  }

  @Test(
    "a sequence of poses is that of its values: times, sizes, and no pose where nothing is found")
  func poses() {
    var values = [Float](repeating: 0, count: 3 * 54)
    // The middle frame has one joint: x, y and confidence in rows of 18.
    let (x, y, confidence) = (54 + 9, 54 + 18 + 9, 54 + 36 + 9)
    (values[x], values[y], values[confidence]) = (0.25, 0.75, 0.5)
    let sample = SyntheticMotionSample(
      label: "own", motion: .squats, frameRate: 20, aspectRatio: 0.5, values: values,
      repetitions: [])
    let frames = sample.poses.frames
    #expect(sample.frameCount == 3 && frames.map(\.time) == [0, 0.05, 0.1])
    #expect(frames.map(\.poses.count) == [0, 1, 0])
    let point = frames[1].poses[0].keypoints[JointKey.body[9]]
    #expect(point?.position == SIMD2(0.25, 0.75) && point?.confidence == 0.5)
    #expect(frames[1].poses[0].personID == 1)
    #expect(frames.allSatisfy { $0.size == CGSize(width: 360, height: 720) })
  }

  @Test("two waves of noise of a seed are alike, and smooth between their knots")
  func noise() {
    func noise() -> SmoothNoise {
      var generator = SeededGenerator(seed: 9)
      return SmoothNoise(spacing: 0.5, amplitude: 2, duration: 10, using: &generator)
    }
    let (one, other) = (noise(), noise())
    var last = one.value(at: 0)
    for step in 1...1000 {
      let value = one.value(at: Double(step) / 100)
      #expect(value == other.value(at: Double(step) / 100))
      // At most half as fast again as straight from knot to knot, of at most seven deviations.
      let change = abs(value - last)
      #expect(change < 1.5 * 14 * 0.02 + 1e-3)
      last = value
    }
  }
}
