import KinemaPose
import KinemaRendering
import KinemaSynth
import Testing

/// Where people are in a scene, what hides them, and how a camera sees them.
@Suite("Synthetic scenes")
struct SyntheticSceneTests {
  private static let session = SyntheticSession([.standing(seconds: 4)], seed: 2)
  private static let front = Viewpoint(target: SIMD3(0, 0.9, 0), yawDegrees: 0, pitchDegrees: 0)

  private func scene(_ places: [SIMD2<Float>], _ viewpoint: Viewpoint = front) -> SyntheticScene {
    SyntheticScene(
      places.map { SyntheticScene.Figure(Self.session, position: $0) }, viewpoint: viewpoint)
  }

  @Test("a person alone in the frame is seen in whole, one beside it not at all")
  func alone() {
    #expect(scene([SIMD2(0, 0)]).visibleShares(at: 1) == [1])
    #expect(scene([SIMD2(30, 0)]).visibleShares(at: 1) == [0])
    let half = scene([SIMD2(2.95, 0)]).visibleShares(at: 1)[0]
    #expect(half < 1)
  }

  @Test("the nearer person is seen in whole, the farther one the less the nearer they are in line")
  func occlusion() {
    var last: Float = -1
    for offset in stride(from: 0, through: 1, by: 0.1) as StrideThrough<Float> {
      let shares = scene([SIMD2(0, 1), SIMD2(offset, -1)]).visibleShares(at: 1)
      #expect(shares[0] == 1)
      #expect(shares[1] >= last - 0.05, "\(offset)")
      last = shares[1]
    }
    #expect(last == 1)
    let behind = scene([SIMD2(0, 1), SIMD2(0, -1)]).visibleShares(at: 1)
    #expect(behind[1] < 0.2)
    // From the other side it is the other way round.
    var back = Self.front
    back.yawDegrees = 180
    let turned = scene([SIMD2(0, 1), SIMD2(0, -1)], back).visibleShares(at: 1)
    #expect(turned[1] == 1 && turned[0] < 0.2)
  }

  @Test("the order in which people are named changes no picture of them")
  func order() {
    let places = [SIMD2<Float>(0, 1), SIMD2(0.4, -1), SIMD2(-0.8, 0)]
    let shares = scene(places).visibleShares(at: 1)
    let reversed = scene(places.reversed()).visibleShares(at: 1)
    #expect(shares == reversed.reversed())
  }

  @Test("somebody who is placed and turned keeps all distances between joints")
  func placing() {
    let body = Self.session.skeleton(at: 1)
    for (x, heading) in [(Float(2), Float(90)), (-1, 210)] {
      let figure = SyntheticScene.Figure(
        Self.session, position: SIMD2(x, 3), headingDegrees: heading)
      let placed = figure.skeleton(at: 1)
      for (one, other) in zip(body.bodyJoints, body.bodyJoints.dropFirst()) {
        let index = body.bodyJoints.firstIndex(of: one) ?? 0
        let now = distance(placed.bodyJoints[index], placed.bodyJoints[index + 1])
        #expect(abs(now - distance(one, other)) < 1e-4)
      }
      #expect(zip(body.bodyJoints, placed.bodyJoints).allSatisfy { abs($0.y - $1.y) < 1e-4 })
      #expect(abs(placed.root.x - x) < 0.3 && abs(placed.root.z - 3) < 0.3)
    }
  }

  @Test("a figure's time runs from its own offset, along its way")
  func offsets() {
    let session = SyntheticSession([.motion(.squats, repetitions: 3)], seed: 4)
    let late = SyntheticScene.Figure(session, timeOffset: 1.5)
    #expect(late.skeleton(at: 0.5) == SyntheticScene.Figure(session).skeleton(at: 2))
    let path = FloorPath([
      .init(time: 0, position: SIMD2(-1, 0), headingDegrees: 0),
      .init(time: 2, position: SIMD2(1, 0), headingDegrees: 0),
    ])
    let walker = SyntheticScene.Figure(Self.session, position: SIMD2(9, 9), path: path)
    let places = [0.0, 1, 2].map { walker.skeleton(at: $0).root.x }
    #expect(abs(places[1] - places[0] - 1) < 0.1 && abs(places[2] - places[1] - 1) < 0.1)
  }

  @Test("a place is projected by focal length over depth, y pointing up")
  func projection() {
    // At 90° the half height is the distance.
    let view = Viewpoint(
      target: .zero, yawDegrees: 0, pitchDegrees: 0, distance: 4, verticalFieldOfViewDegrees: 90)
    for (place, expected) in [
      (SIMD3<Float>(0, 0, 0), SIMD2<Float>(0.5, 0.5)), (SIMD3(0, 2, 0), SIMD2(0.5, 0.75)),
      (SIMD3(2, 0, 0), SIMD2(0.625, 0.5)), (SIMD3(0, 2, 2), SIMD2(0.5, 1)),
      (SIMD3(-4, -4, -4), SIMD2(0.375, 0.25)),
    ] {
      let found = view.projected(place, aspectRatio: 2)
      #expect(abs(found.x - expected.x) < 1e-5 && abs(found.y - expected.y) < 1e-5, "\(place)")
    }
    // What is at or behind the camera has a place that is a number.
    for depth in [4, 5] as [Float] {
      let found = view.projected(SIMD3(1, 1, depth), aspectRatio: 1)
      #expect(found.x.isFinite && found.y.isFinite)
    }
  }

  @Test(
    "turning the camera is turning the person the other way", arguments: [30, 90, -120] as [Float])
  func turning(degrees: Float) throws {
    let view = Viewpoint(target: SIMD3(0, 0.9, 0), yawDegrees: degrees, pitchDegrees: 0)
    let seen = scene([SIMD2(0, 0)], view).poses(at: 1, aspectRatio: 1)[0]
    let turned = SyntheticScene(
      [.init(Self.session, headingDegrees: -degrees)], viewpoint: Self.front
    ).poses(at: 1, aspectRatio: 1)[0]
    for (key, point) in seen.keypoints {
      let other = try #require(turned.keypoints[key])
      #expect(distance(SIMD3(point.position, 0), SIMD3(other.position, 0)) < 1e-3)
    }
  }

  @Test("everybody who is framed is within the margin", arguments: [4 / 3, 9 / 16, 2.5] as [Float])
  func framing(aspectRatio: Float) {
    let figures = [SIMD2<Float>(-2, 0), SIMD2(0, -1), SIMD2(1.5, 1)].map {
      SyntheticScene.Figure(Self.session, position: $0)
    }
    let scene = SyntheticScene(framing: figures, aspectRatio: aspectRatio, margin: 0.1)
    var reach: (low: Float, high: Float) = (1, 0)
    for time in stride(from: 0, to: 4, by: 0.5) {
      for pose in scene.poses(at: time, aspectRatio: aspectRatio) {
        for point in pose.keypoints.values {
          reach.low = min(reach.low, point.position.min())
          reach.high = max(reach.high, point.position.max())
          #expect(point.confidence == 1)
        }
      }
    }
    // The wider side fills the frame but for its margin.
    #expect(reach.low > 0.07 && reach.low < 0.2 && reach.high < 0.93 && reach.high > 0.8)
  }

  @Test("hands move steadily and keep their length")
  func hands() throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      let scene = SyntheticScene.twoHands(seed: seed)
      let length = scene.hands[0].length
      #expect((0.17...0.2).contains(length) && scene.hands[1].length == length)
      var before: [Pose]?
      for time in stride(from: 0, to: 6, by: 1.0 / 60) {
        let now = scene.poses(at: time, aspectRatio: 16 / 9)
        for (hand, last) in zip(now, before ?? now) {
          for (key, point) in hand.keypoints {
            let old = try #require(last.keypoints[key])
            let step = distance(SIMD3(point.position, 0), SIMD3(old.position, 0))
            #expect(step < 0.12, "\(key) at \(time) s")
          }
        }
        before = now
      }
    }
  }

  @Test("grown-ups are of grown-ups' size, each differently built")
  func people() {
    var generator = SeededGenerator(seed: 1)
    let people = (0..<200).map { _ in SyntheticPerson.random(using: &generator) }
    for person in people {
      #expect((1.5...1.95).contains(person.stature))
      let leg = (person.thigh + person.shank) / person.stature
      #expect((0.42...0.56).contains(leg))
      #expect(person.upperArm > person.forearm * 0.9 && person.shoulderWidth > person.hipWidth)
    }
    #expect(Set(people).count == people.count)
    let mean = people.reduce(0) { $0 + $1.stature } / Float(people.count)
    #expect(abs(mean - 1.725) < 0.03)
  }

  @Test("a sequence's scene shows the same motion, or no person")
  func scenes() {
    let sampler = SyntheticMotionSampler(
      classes: [SyntheticMotionClass("nobody", motions: [.named("empty_room") ?? .standing])],
      seed: 1)
    #expect(sampler.scene(0).figures.isEmpty)
    let all = SyntheticMotionSampler(seed: 9)
    for index in 0..<60 where all.summary(index).motion.showsPerson {
      let scene = all.scene(index)
      #expect(scene.figures.count == 1)
      #expect(scene.viewpoint.distance.isFinite && scene.viewpoint.distance < 60)
    }
  }
}

private func distance(_ one: SIMD3<Float>, _ other: SIMD3<Float>) -> Float {
  ((one - other) * (one - other)).sum().squareRoot()
}
