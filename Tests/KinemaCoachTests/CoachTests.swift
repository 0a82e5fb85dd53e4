import Foundation
import KinemaCoach
import KinemaPose
import Testing

/// A stick figure that squats: in metres, x to its left, y up, z forward.
private struct Squatter {
  var kneeAngle = 90.0
  var lockout = 176.0
  var lean = 35.0

  /// The joints in the order of `JointKey.body`.
  func joints(depth: Double) -> [SIMD3<Float>] {
    let knee = (lockout + (kneeAngle - lockout) * depth) * .pi / 180
    let half = (.pi - knee) / 2
    let (thigh, shank) = (0.43, 0.43)
    func place(_ x: Double, _ y: Double, _ z: Double) -> SIMD3<Float> {
      SIMD3(Float(x), Float(y), Float(z))
    }
    let kneeY = 0.08 + shank * cos(half)
    let kneeZ = shank * sin(half)
    let (hipY, hipZ) = (kneeY + thigh * cos(half), kneeZ - thigh * sin(half))
    let tilt = lean * depth * .pi / 180
    let (shoulderY, shoulderZ) = (hipY + 0.5 * cos(tilt), hipZ + 0.5 * sin(tilt))
    func side(_ sign: Double) -> [SIMD3<Float>] {
      [
        place(sign * 0.19, shoulderY, shoulderZ), place(sign * 0.2, shoulderY - 0.3, shoulderZ),
        place(sign * 0.2, shoulderY - 0.56, shoulderZ), place(sign * 0.1, hipY, hipZ),
        place(sign * 0.1, kneeY, kneeZ), place(sign * 0.1, 0.08, 0),
      ]
    }
    let (right, left) = (side(-1), side(1))
    let head = place(0, shoulderY + 0.25, shoulderZ + 0.08)
    let sides = [right[..<3], left[..<3], right[3...], left[3...]].flatMap(\.self)
    return [head, place(0, shoulderY, shoulderZ)] + sides + [head, head, head, head]
  }

  /// Poses of squats of two seconds each, 30 a second, as seen from an angle: 0° is the front.
  func poses(count: Int = 3, yaw: Double) -> [(time: Double, pose: Pose?)] {
    let (sine, cosine) = (sin(yaw * .pi / 180), cos(yaw * .pi / 180))
    return (0...(60 * count)).map { frame in
      let time = Double(frame) / 30
      let points = zip(JointKey.body, joints(depth: (1 - cos(.pi * time)) / 2)).map { key, place in
        let x = Double(place.x) * cosine - Double(place.z) * sine
        return (
          key,
          JointPoint(
            key, position: SIMD2(Float(0.5 + x / 2), Float(0.05 + Double(place.y) / 2)),
            confidence: 1)
        )
      }
      return (time, Pose(from: Dictionary(uniqueKeysWithValues: points)))
    }
  }
}

@Suite("Coach")
struct CoachTests {
  private static let rules = """
    {"squats": {"follow": "hips",
      "depth": {"knee angle at the bottom": "below 100°", "say": "Go lower."},
      "lockout": {"knee angle at the top": "above 160°", "say": "Stand up."},
      "chest": {"trunk lean at the bottom": "below 50°", "from": "side", "say": "Chest up."}}}
    """

  private func form(
    _ squatter: Squatter, yaw: Double, hiding hidden: [JointKey] = []
  ) throws -> RepetitionForm? {
    var poses = squatter.poses(yaw: yaw)
    for index in poses.indices {
      for key in hidden { poses[index].pose?.keypoints[key]?.confidence = 0.1 }
    }
    let coach = Coach(try Rulebook(Data(Self.rules.utf8), name: "rules"))
    return try coach.form(of: "squats", from: 2, to: 4, within: 0...6, in: BodyTrack(poses))
  }

  private func reading(_ measure: Measure, _ form: RepetitionForm?) -> Estimate? {
    form?.measurements.first { $0.measure == measure }?.reading.estimate
  }

  @Test("the knee angle at the bottom is measured from the side and at an angle")
  func depth() throws {
    for (yaw, error) in [(90.0, 5.0), (75, 8), (55, 20)] {
      let form = try form(Squatter(), yaw: yaw)
      let angle = try #require(reading(.angle(.knee, .bottom), form), "from \(yaw)°")
      #expect(abs(angle.value - 90) < error, "from \(yaw)°: \(angle)")
    }
  }

  @Test("repetitions are compared with those of a reference, phase by phase")
  func reference() throws {
    let best = try #require(try form(Squatter(), yaw: 90))
    let reference = try #require(FormReference([best]))
    #expect(reference.differences(of: best)?.isEmpty == true)
    let half = try #require(try form(Squatter(kneeAngle: 130), yaw: 90))
    let differences = try #require(reference.differences(of: half))
    let knee = try #require(differences.first { $0.name == "knee angle" })
    #expect(knee.phase == 0.5)
    #expect(abs(knee.value - 130) < 6)
    #expect(abs(knee.reference - 90) < 6)
    #expect(FormReference([]) == nil)
  }

  @Test("range and tempo are shown where they can be seen, symmetry from the front")
  func values() throws {
    let book = Self.rules.replacing(
      #""follow": "hips","#, with: #""follow": "hips", "range": "knee","#)
    let exercise = try Rulebook(Data(book.utf8), name: "rules").exercise("squats")
    let side = FormValues(try #require(try form(Squatter(), yaw: 90)), of: exercise)
    #expect(side.joint == .knee && side.difference == nil && !side.isOneSided)
    let range = try #require(side.range)
    #expect(abs(range - 86) < 8)
    for seconds in [try #require(side.down), try #require(side.up)] {
      #expect(abs(seconds - 0.9) < 0.3)
    }
    let front = FormValues(try #require(try form(Squatter(), yaw: 0)), of: exercise)
    #expect(front.difference.map { $0 < 10 } ?? true)
    let legs: [JointKey] = [.rightAnkle, .leftAnkle]
    let hidden = FormValues(
      try #require(try form(Squatter(), yaw: 90, hiding: legs)), of: exercise)
    #expect(hidden.bottom == nil && hidden.range == nil && hidden.down != nil)
    let summary = try #require(FormSummary([(side, "Go lower."), (hidden, nil)]))
    #expect(summary.count == 2 && summary.joint == .knee)
    #expect(abs((summary.range ?? 0) - (side.range ?? 1)) < 0.01)
    #expect(summary.cues.map(\.text) == ["Go lower."])
    #expect(FormSummary([]) == nil)
  }

  @Test("half a squat gets the cue for depth")
  func halfDepth() throws {
    let form = try #require(try form(Squatter(kneeAngle: 130), yaw: 90))
    #expect(form.verdict == .fault)
    #expect(form.cue == "Go lower.")
    #expect(abs(form.turn - 3) < 0.1)
  }

  @Test("a value near its limit is borderline, on either side", arguments: [98.0, 102])
  func borderline(kneeAngle: Double) throws {
    let form = try #require(try form(Squatter(kneeAngle: kneeAngle), yaw: 90))
    #expect(form.findings.first { $0.rule.name == "depth" }?.verdict == .borderline)
    #expect(form.cue == nil)
  }

  @Test("a good squat gets no cue")
  func good() throws {
    let form = try #require(try form(Squatter(), yaw: 90))
    #expect(form.verdict == .good)
    #expect(form.cue == nil)
    #expect(form.view == .side)
  }

  @Test("of several faults the one farthest beyond its limit is said")
  func worstFault() throws {
    #expect(try form(Squatter(kneeAngle: 112, lean: 80), yaw: 90)?.cue == "Chest up.")
  }

  @Test("what a rule restricts to another view is not evaluated, and straight knees are no fault")
  func unseen() throws {
    let form = try #require(try form(Squatter(), yaw: 0))
    #expect(form.view == .front)
    let verdicts = Dictionary(uniqueKeysWithValues: form.findings.map { ($0.rule.name, $0) })
    #expect(verdicts["chest"]?.reading == .unseen(.view))
    #expect(verdicts["lockout"]?.verdict != .fault)
  }

  @Test("a repetition that goes far less far than the others is too small to be one")
  func tooSmall() throws {
    let full = try #require(try form(Squatter(), yaw: 90)?.travel)
    let half = try #require(try form(Squatter(kneeAngle: 133), yaw: 90)?.travel)
    let none = try #require(try form(Squatter(kneeAngle: 164), yaw: 90)?.travel)
    let others = [full, full, full]
    #expect(!Coach.isTooSmall(full, among: others))
    #expect(!Coach.isTooSmall(half, among: others))
    #expect(Coach.isTooSmall(none, among: others))
    // A median takes three repetitions.
    #expect(!Coach.isTooSmall(none, among: [full, none]))
    #expect(!Coach.isTooSmall(nil, among: others))
  }

  // MARK: - Certainty

  @Test("a name is certain that was given, or that several repetitions of a set are likely to have")
  func certainty() {
    #expect(Coach.isCertain([nil, nil]))
    #expect(Coach.isCertain([]))
    #expect(!Coach.isCertain([1.0].map { $0 - 0.01 }))
    #expect(Coach.isCertain([0.8, 0.72]))
    #expect(!Coach.isCertain([0.7, 0.78]))
    // Of a longer set, less is enough; a mean of half never is.
    #expect(Coach.isCertain(Array(repeating: 0.58, count: 7)))
    #expect(!Coach.isCertain(Array(repeating: 0.5, count: 100)))
  }

  @Test("of a movement whose name is not certain, nothing is said")
  func uncertain() throws {
    var form = try #require(try form(Squatter(kneeAngle: 130), yaw: 90))
    form.isCertain = false
    #expect(form.verdict == .uncertain && form.cue == nil)
    form.isCertain = true
    #expect(form.verdict == .fault && form.cue == "Go lower.")
  }

  @Test("a repetition is good only where a rule that decides is seen to be kept")
  func decides() throws {
    let rules = """
      {"squats": {"follow": "hips",
        "depth": {"knee angle at the bottom": "below 100°", "decides": true, "say": "Go lower."},
        "chest": {"trunk lean at the bottom": "below 50°", "say": "Chest up."}}}
      """
    let coach = Coach(try Rulebook(Data(rules.utf8), name: "rules"))
    func form(_ squatter: Squatter, hiding hidden: [JointKey] = []) throws -> RepetitionForm? {
      var poses = squatter.poses(yaw: 90)
      for index in poses.indices {
        for key in hidden { poses[index].pose?.keypoints[key]?.confidence = 0.1 }
      }
      return try coach.form(of: "squats", from: 2, to: 4, within: 0...6, in: BodyTrack(poses))
    }
    let legs: [JointKey] = [.leftAnkle, .rightAnkle]
    #expect(try form(Squatter())?.verdict == .good)
    let hidden = try #require(try form(Squatter(), hiding: legs))
    #expect(hidden.findings.contains { $0.verdict == .good } && hidden.verdict == .unseen)
    // A fault of what is seen is one all the same.
    #expect(try form(Squatter(lean: 80), hiding: legs)?.cue == "Chest up.")
  }

  @Test("what hidden joints are needed for can't be seen")
  func hidden() throws {
    let hidden: [JointKey] = [.leftAnkle, .rightAnkle]
    let form = try #require(try form(Squatter(), yaw: 90, hiding: hidden))
    #expect(reading(.angle(.knee, .bottom), form) == nil)
    #expect(form.findings.first { $0.rule.name == "depth" }?.verdict == .unseen)
  }

  @Test("nothing is measured of a person who is not visible")
  func nobody() throws {
    let track = BodyTrack((0..<60).map { (Double($0) / 30, nil) })
    let coach = Coach(try Rulebook(Data(Self.rules.utf8), name: "rules"))
    #expect(try coach.form(of: "squats", from: 0, to: 2, within: 0...2, in: track) == nil)
  }

  @Test("an exercise without rules is an error that lists those with rules")
  func noRules() throws {
    let coach = Coach(try Rulebook(Data(Self.rules.utf8), name: "rules"))
    let track = BodyTrack(Squatter().poses(yaw: 90))
    #expect(throws: CoachError.self) {
      try coach.form(of: "jumps", from: 0, to: 2, within: 0...2, in: track)
    }
  }

  @Test("the parts of a repetition add up to its duration, and a hold is at the bottom")
  func tempo() throws {
    let form = try #require(try form(Squatter(), yaw: 90))
    let seconds = RepetitionPhases.Part.allCases.compactMap { reading(.seconds($0), form)?.value }
    #expect(abs(seconds.reduce(0, +) - 2) < 0.1)
    #expect(abs((reading(.seconds(.down), form)?.value ?? 0) - 0.7) < 0.12)
  }

  @Test("one arm that works alone is measured, and not compared with the other")
  func oneSided() throws {
    let poses = Self.curls(of: [.right])
    let meter = try #require(
      RepetitionMeter(BodyTrack(poses), from: 0, to: 2, within: 0...2, lead: .hands))
    #expect(!meter.phases.isDownFirst)
    let top = try #require(meter.measure(.angle(.elbow, .top)).estimate)
    #expect(abs(top.value - (180 - 2.4 * 180 / .pi)) < 6)
    #expect(meter.measure(.difference(.elbow, .top)) == .unseen(.oneSided))
  }

  @Test("where the arm that works is hidden, the other one does not stand for it")
  func hiddenArm() throws {
    var poses = Self.curls(of: [.right, .left])
    for index in poses.indices { poses[index].pose?.keypoints[.leftElbow]?.confidence = 0.1 }
    let track = BodyTrack(poses)
    func elbow(from start: Double) throws -> Reading {
      let meter = try #require(
        RepetitionMeter(track, from: start, to: start + 2, within: 0...4, lead: .hands))
      return meter.measure(.angle(.elbow, .top))
    }
    #expect(try elbow(from: 0).estimate != nil)
    #expect(try elbow(from: 2) == .unseen(.hidden))
  }

  /// Curls of two seconds each, seen from the side: one forearm comes up, the other one hangs.
  private static func curls(of sides: [Side]) -> [(time: Double, pose: Pose?)] {
    (0...(60 * sides.count)).map { frame in
      let time = Double(frame) / 30
      let side = sides[min(frame / 60, sides.count - 1)]
      var joints = Squatter().joints(depth: 0)
      let bend = Float((1 - cos(.pi * time)) / 2 * 2.4)
      let (elbow, wrist) = side == .right ? (3, 4) : (6, 7)
      joints[wrist] = joints[elbow] + SIMD3(0, -0.26 * cos(bend), 0.26 * sin(bend))
      let points = zip(JointKey.body, joints).map { key, place in
        (
          key,
          JointPoint(
            key, position: SIMD2(0.5 + place.z / 2, 0.05 + place.y / 2), confidence: 1)
        )
      }
      return (time, Pose(from: Dictionary(uniqueKeysWithValues: points)))
    }
  }

  private enum Side { case right, left }
}
