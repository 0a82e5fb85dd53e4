import KinemaOverlay
import KinemaPose
import KinemaVideo
import Testing

@Suite struct OverlayTests {
  let overlay = Overlay()

  static let sizes = [(160, 120), (404, 720), (1280, 720)]

  private func draw(
    _ poses: [Pose], prominent: Int? = 0, caption: Caption? = nil, on frame: Frame
  ) -> Frame {
    var result = frame
    overlay.draw(poses, prominent: prominent, caption: caption, on: &result)
    return result
  }

  private func middle(_ pose: Pose, _ start: JointKey, _ end: JointKey) -> SIMD2<Float> {
    guard let start = pose.keypoints[start], let end = pose.keypoints[end] else { return .zero }
    return (start.position + end.position) / 2
  }

  @Test("every limb is drawn and nothing far from the limbs changes", arguments: sizes)
  func drawsLimbsOnly(size: (Int, Int)) {
    for frame in [
      Frame.plain(0, width: size.0, height: size.1), .plain(255, width: size.0, height: size.1),
      .noise(width: size.0, height: size.1),
    ] {
      let drawn = draw([.standing], on: frame)
      for limb in Wireframe.body.limbs {
        let place = middle(.standing, limb.start, limb.end)
        #expect(drawn.color(at: place) != frame.color(at: place), "\(limb)")
      }
      let margin = Double(min(size.0, size.1)) * 0.035 + 3
      let changes = drawn.changes(from: frame)
      #expect(changes.count > size.0 * size.1 / 200)
      let isNear = changes.allSatisfy { change in
        Double(change.x) > 0.06 * Double(size.0) - margin
          && Double(change.x) < 0.44 * Double(size.0) + margin
          && Double(change.y) > 0.10 * Double(size.1) - margin
          && Double(change.y) < 0.70 * Double(size.1) + margin
      }
      #expect(isNear)
    }
  }

  @Test("a limb runs from one colour to another, and left is not right")
  func gradients() {
    let drawn = draw([.standing], on: .plain(0, width: 1280, height: 720))
    func color(_ start: JointKey, _ end: JointKey, _ share: Float) -> SIMD3<Int> {
      guard let start = Pose.standing.keypoints[start], let end = Pose.standing.keypoints[end]
      else { return .zero }
      return drawn.color(at: start.position + (end.position - start.position) * share)
    }
    func distance(_ one: SIMD3<Int>, _ other: SIMD3<Int>) -> Int {
      let difference = one &- other
      return abs(difference.x) + abs(difference.y) + abs(difference.z)
    }
    for (start, end) in [
      (JointKey.leftShoulder, JointKey.leftElbow), (.rightShoulder, .rightElbow),
      (.leftHip, .leftKnee), (.rightKnee, .rightAnkle), (.leftHip, .rightHip),
    ] {
      #expect(distance(color(start, end, 0.25), color(start, end, 0.75)) > 25, "\(start) \(end)")
    }
    let left = color(.leftElbow, .leftWrist, 0.5)
    let right = color(.rightElbow, .rightWrist, 0.5)
    // Warm on the left, cold on the right: red and blue have not changed places.
    #expect(left.x > left.z + 80)
    #expect(right.z > right.x + 80)
  }

  @Test("joints below the threshold are not drawn, nor limbs that end in them")
  func lowConfidence() {
    var pose = Pose.standing
    for key in [JointKey.leftElbow, .leftWrist] { pose.keypoints[key]?.confidence = 0.19 }
    let frame = Frame.plain(128, width: 640, height: 480)
    let drawn = draw([pose], on: frame)
    for place in [
      middle(pose, .leftShoulder, .leftElbow), middle(pose, .leftElbow, .leftWrist),
      middle(pose, .leftWrist, .leftWrist),
    ] {
      #expect(drawn.color(at: place) == frame.color(at: place))
    }
    let place = middle(pose, .rightElbow, .rightWrist)
    #expect(drawn.color(at: place) != frame.color(at: place))
  }

  @Test("every person is drawn, the prominent one in full colour")
  func prominence() {
    let frame = Frame.plain(90, width: 1280, height: 720)
    let drawn = draw([.standing, .standingAtRight], prominent: 1, on: frame)
    func colorfulness(_ pose: Pose) -> Int {
      let color = drawn.color(at: middle(pose, .leftElbow, .leftWrist))
      return color.max() - color.min()
    }
    #expect(colorfulness(.standing) > 20)
    #expect(colorfulness(.standingAtRight) > 2 * colorfulness(.standing))
  }

  @Test("a dark halo sets limbs off from a white picture")
  func halo() {
    let drawn = draw([.standing], on: .plain(255, width: 1280, height: 720))
    let column = (0..<720).map { drawn.color(x: Int(0.405 * 1280), y: $0) }
    #expect(column.contains { $0.max() < 150 })
  }

  @Test("a copy made before drawing is unchanged")
  func copies() {
    let frame = Frame.plain(10, width: 320, height: 240)
    let drawn = draw([.standing], caption: Caption(text: "No Person", confidence: nil), on: frame)
    #expect(frame.changes(from: .plain(10, width: 320, height: 240)).isEmpty)
    #expect(!drawn.changes(from: frame).isEmpty)
  }

  @Test("nothing to draw changes nothing")
  func empty() {
    let frame = Frame.noise(width: 200, height: 100)
    #expect(draw([], prominent: nil, on: frame).changes(from: frame).isEmpty)
    #expect(draw([Pose(from: [:])], on: frame).changes(from: frame).isEmpty)
  }

  @Test("hands are drawn by their own limbs")
  func hands() {
    let points = JointKey.hand.enumerated().map { index, key in
      let finger = Float((index + 3) / 4), joint = Float((index + 3) % 4)
      let place =
        key == .wrist ? SIMD2<Float>(0.5, 0.1) : SIMD2(0.1 + finger * 0.15, 0.3 + joint * 0.15)
      return (key, JointPoint(key, position: place, confidence: 1))
    }
    let pose = Pose(from: Dictionary(uniqueKeysWithValues: points))
    let frame = Frame.plain(0, width: 400, height: 400)
    let drawn = draw([pose], on: frame)
    for limb in Wireframe.hand.limbs {
      let place = middle(pose, limb.start, limb.end)
      #expect(drawn.color(at: place) != frame.color(at: place), "\(limb)")
    }
  }

  @Test(
    "no place of a joint can crash it",
    arguments: [
      .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e9, 2.4,
      -1.4, 0, 1,
    ] as [Float])
  func extremePlaces(value: Float) {
    for key in JointKey.body {
      var pose = Pose.standing
      pose.keypoints[key]?.position = SIMD2(value, value)
      let frame = Frame.plain(60, width: 320, height: 240)
      let drawn = draw(
        [pose, pose], prominent: 1, caption: Caption(text: "Starting Up", confidence: nil),
        on: frame)
      #expect(!drawn.changes(from: frame).isEmpty)
    }
    var pose = Pose.standing
    for key in JointKey.body {
      pose.keypoints[key]?.position = SIMD2(value, 0.5)
      pose.keypoints[key]?.confidence = value
    }
    _ = draw([pose], prominent: 7, on: .plain(60, width: 320, height: 240))
    _ = draw([pose], prominent: -1, on: .plain(60, width: 320, height: 240))
  }

  @Test(
    "no size of a frame can crash it",
    arguments: [(1, 1), (2, 1), (8000, 10), (10, 8000), (33, 33), (40_000, 2), (3840, 2160)])
  func extremeSizes(size: (Int, Int)) {
    let frame = Frame(width: size.0, height: size.1)
    let caption = Caption(text: "Jumping Jacks", confidence: 0.5)
    let drawn = draw([.standing, .standingAtRight], caption: caption, on: frame)
    #expect(drawn.width == size.0 && drawn.height == size.1)
  }

  @Test("one overlay draws the same on many threads as on one")
  func threads() async {
    let overlay = overlay
    let expected = draw(
      [.standing], caption: Caption(text: "No Person", confidence: nil),
      on: Frame(width: 320, height: 240))
    await withTaskGroup(of: Bool.self) { group in
      for index in 0..<16 {
        group.addTask {
          let width = index.isMultiple(of: 2) ? 320 : 200
          var frame = Frame(width: width, height: 240)
          overlay.draw(
            [.standing], prominent: 0, caption: Caption(text: "No Person", confidence: nil),
            on: &frame)
          return width == 200 || frame.changes(from: expected).isEmpty
        }
      }
      for await isSame in group { #expect(isSame) }
    }
  }
}
