import Foundation
import KinemaCoach
import KinemaPose
import Testing

/// A stick figure in metres, x to its left, y up, z forward, that bends its knees and elbows.
private struct Figure {
  /// The knees' angle in degrees.
  var knee = 176.0
  /// The elbows' bend in degrees: 0 is straight.
  var elbows = (right: 0.0, left: 0.0)
  /// The trunk's lean in degrees.
  var lean = 0.0
  /// How far the whole figure is forward.
  var forward = 0.0

  /// The joints in the order of `JointKey.body`.
  private var joints: [SIMD3<Double>] {
    let half = (180 - knee) / 2 * .pi / 180
    let shank = 0.43
    let kneePlace = SIMD3(0, 0.08 + shank * cos(half), forward + shank * sin(half))
    let hip = SIMD3(0, kneePlace.y + shank * cos(half), forward)
    let tilt = lean * .pi / 180
    let shoulder = hip + SIMD3(0, 0.5 * cos(tilt), 0.5 * sin(tilt))
    func side(_ sign: Double, bend: Double) -> [SIMD3<Double>] {
      let elbow = shoulder + SIMD3(sign * 0.2, -0.3, 0)
      let turn = bend * .pi / 180
      return [
        shoulder + SIMD3(sign * 0.19, 0, 0), elbow,
        elbow + SIMD3(0, -0.26 * cos(turn), 0.26 * sin(turn)), hip + SIMD3(sign * 0.1, 0, 0),
        kneePlace + SIMD3(sign * 0.1, 0, 0), SIMD3(sign * 0.1, 0.08, forward),
      ]
    }
    let (right, left) = (side(-1, bend: elbows.right), side(1, bend: elbows.left))
    let head = shoulder + SIMD3(0, 0.25, 0.08)
    let sides = [right[..<3], left[..<3], right[3...], left[3...]].flatMap(\.self)
    return [head, shoulder] + sides + [head, head, head, head]
  }

  /// The pose as seen from an angle: 0° is the front, 90° the side.
  func pose(yaw: Double) -> Pose {
    let (sine, cosine) = (sin(yaw * .pi / 180), cos(yaw * .pi / 180))
    return Pose(
      from: Dictionary(
        uniqueKeysWithValues: zip(JointKey.body, joints).map { key, place in
          let x = 0.5 + (place.x * cosine - place.z * sine) / 2
          let position = SIMD2(Float(x), Float(0.05 + place.y / 2))
          return (key, JointPoint(key, position: position, confidence: 1))
        }))
  }
}

/// From 0 over 1 at the middle of a repetition back to 0.
private func wave(_ time: Double, duration: Double = 2) -> Double {
  (1 - cos(2 * .pi * time / duration)) / 2
}

/// The first repetition of what a figure does over time, 30 frames a second.
private func meter(
  lead: Lead, duration: Double = 2, yaw: Double = 90, _ figure: (_ time: Double) -> Figure
) throws -> RepetitionMeter {
  let poses = (0...Int(30 * (2 * duration + 0.5))).map { frame in
    let time = Double(frame) / 30
    return (time: time, pose: Optional(figure(time).pose(yaw: yaw)))
  }
  return try #require(
    RepetitionMeter(
      BodyTrack(poses), from: 0, to: duration, within: 0...(2 * duration), lead: lead))
}

@Suite("Measures of a repetition")
struct RepetitionMeterTests {
  // MARK: - Turning points

  @Test("a curl turns where the hand is highest above the shoulder, however far the trunk leans")
  func leaningCurl() throws {
    let meter = try meter(lead: .hands) { time in
      let bend = 140 * wave(time)
      return Figure(elbows: (bend, bend), lean: 70 * wave(time))
    }
    #expect(!meter.phases.isDownFirst && abs(meter.phases.turn - 30) <= 1)
    let top = try #require(meter.measure(.angle(.elbow, .top)).estimate)
    #expect(abs(top.value - 40) < 6)
  }

  /// A squat to knees of 90° that ends at an angle and stays there.
  private func squat(endingAt knee: Double) throws -> RepetitionMeter {
    try meter(lead: .hips) { time in
      let top = time < 1 ? 176 : knee
      return Figure(knee: time < 2 ? top + (90 - top) * wave(time) : knee)
    }
  }

  @Test("what is at the top is measured at the end of a repetition, not at its beginning")
  func endOfRepetition() throws {
    let top = try squat(endingAt: 140).measure(.angle(.knee, .top))
    #expect(abs(try #require(top.estimate).value - 140) < 6)
  }

  @Test("a repetition that comes back less than half of its way is cut short")
  func cutShort() throws {
    // Of the hips' way, 55 and 45 %.
    #expect(try squat(endingAt: 120.5).measure(.angle(.knee, .top)).estimate != nil)
    let short = try squat(endingAt: 114)
    #expect(short.measure(.angle(.knee, .top)) == .unseen(.cutShort))
    #expect(short.measure(.angle(.knee, .bottom)).estimate != nil)
  }

  @Test("angles at the turning points of a very quick repetition can't be seen")
  func blur() throws {
    func bottom(_ duration: Double) throws -> Reading {
      try meter(lead: .hips, duration: duration) { time in
        Figure(knee: 176 - 86 * wave(time, duration: duration))
      }.measure(.angle(.knee, .bottom))
    }
    #expect(try bottom(0.6).estimate != nil)
    #expect(try bottom(0.2) == .unseen(.view))
  }

  // MARK: - Sides

  /// The angle of the elbows at the top of a curl of 130° in which the left arm bends by a share of it.
  private func elbow(leftShare: Double) throws -> Reading {
    try meter(lead: .hands) { time in
      Figure(elbows: (130 * wave(time), 130 * leftShare * wave(time)))
    }.measure(.angle(.elbow, .top))
  }

  @Test("of two arms that bend, the mean counts; of one that hangs, nothing")
  func sides() throws {
    #expect(abs(try #require(try elbow(leftShare: 1).estimate).value - 50) < 5)
    let half = try #require(try elbow(leftShare: 0.6).estimate).value
    #expect(abs(half - (50 + 102) / 2) < 5)
    #expect(abs(try #require(try elbow(leftShare: 0.1).estimate).value - 50) < 5)
  }

  @Test(
    "an arm that bends by a quarter to nearly half as much as the other may work or not",
    arguments: [(0.22, true), (0.28, false), (0.42, false), (0.48, true)])
  func doubtfulSide(share: Double, isSeen: Bool) throws {
    #expect((try elbow(leftShare: share).estimate != nil) == isSeen)
  }

  // MARK: - Paths

  @Test("hips that go straight down have no path beside the line, and a bow is measured")
  func path() throws {
    func hips(bow: Double, yaw: Double = 90) throws -> Reading {
      try meter(lead: .hips, yaw: yaw) { time in
        Figure(knee: 176 - 86 * wave(time), forward: bow * wave(time, duration: 1))
      }.measure(.path(.hips))
    }
    #expect(try #require(try hips(bow: 0).estimate).value < 2)
    // A tenth of a metre, of half a metre from hips to shoulders.
    let bow = try #require(try hips(bow: 0.1).estimate)
    #expect(abs(bow.value - 20) < 4 && bow.error < 5)
    #expect(try hips(bow: 0.1, yaw: 0) == .unseen(.view))
  }

  @Test(
    "what moves by less than a fifth of the trunk has no path",
    arguments: [(128.0, false), (118, true)])
  func stillPath(knee: Double, hasPath: Bool) throws {
    let reading = try meter(lead: .hips) { time in
      Figure(knee: 180 - (180 - knee) * wave(time))
    }.measure(.path(.hips))
    #expect((reading.estimate != nil) == hasPath)
    #expect(hasPath || reading == .unseen(.still))
  }

  @Test("paths have names for rulebooks")
  func names() {
    #expect(Measure(named: "path of the hands") == .path(.hands))
    #expect(Measure.path(.hips).unit == .percent)
  }
}
