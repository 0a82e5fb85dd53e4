import Foundation
import KinemaCoach
import KinemaPose
import Testing

/// A stick figure in metres, x to its left, y up, z where it faces.
private struct StickFigure {
  /// The height of the hips above the ankles, as a share of the legs' length.
  var hips = 0.99
  /// The trunk's lean forwards in degrees.
  var lean = 0.0
  /// How far the left foot is ahead of the right one, in metres.
  var lead = 0.0
  /// How high the feet are lifted, in metres.
  var lift = (left: 0.0, right: 0.0)
  /// How far the left and the right arm are raised, in degrees, and whether to the side.
  var raise = (left: 5.0, right: 5.0)
  var isSideways = false
  /// How far it is turned to its left, in degrees.
  var heading = 90.0

  private static let (thigh, shank) = (0.43, 0.43)

  /// The joints in the order of `JointKey.body`.
  var joints: [SIMD3<Float>] {
    let hip = SIMD3(0, 0.08 + hips * (Self.thigh + Self.shank), 0)
    let tilt = lean * .pi / 180
    let shoulder = hip + SIMD3(0, 0.5 * cos(tilt), 0.5 * sin(tilt))
    func side(
      _ sign: Double, lead: Double, lift: Double, raise: Double
    ) -> (arm: [SIMD3<Double>], leg: [SIMD3<Double>]) {
      let angle = raise * .pi / 180
      let way =
        isSideways
        ? SIMD3(sign * sin(angle), -cos(angle), 0) : SIMD3(0, -cos(angle), sin(angle))
      let start = shoulder + SIMD3(sign * 0.19, 0, 0)
      let top = hip + SIMD3(sign * 0.1, 0, 0)
      let ankle = SIMD3(sign * 0.1, 0.08 + lift, lead)
      // The knee is in front of the middle, as far as the leg is bent.
      let half = (top - ankle) / 2
      let rest = max(0, Self.thigh * Self.thigh - (half * half).sum())
      let knee = ankle + half + SIMD3(0, 0, rest.squareRoot())
      return ([start, start + way * 0.3, start + way * 0.56], [top, knee, ankle])
    }
    let left = side(1, lead: lead / 2, lift: lift.left, raise: raise.left)
    let right = side(-1, lead: -lead / 2, lift: lift.right, raise: raise.right)
    let head = shoulder + SIMD3(0, 0.2, 0.08)
    let limbs = [right.arm, left.arm, right.leg, left.leg].flatMap(\.self)
    let all = [head, shoulder] + limbs + [head, head, head, head]
    let (sine, cosine) = (sin(heading * .pi / 180), cos(heading * .pi / 180))
    return all.map {
      SIMD3(Float($0.x * cosine + $0.z * sine), Float($0.y), Float($0.z * cosine - $0.x * sine))
    }
  }
}

/// From 0 to 1 between two moments.
private func ramp(_ time: Double, _ start: Double, _ end: Double) -> Double {
  let share = min(max(0, (time - start) / (end - start)), 1)
  return (1 - cos(.pi * share)) / 2
}

private func course(seconds: Double, _ figure: (Double) -> StickFigure) -> PersonCourse {
  PersonCourse(
    (0...Int(seconds * 30)).map { frame in
      let time = Double(frame) / 30
      return .init(exactly: figure(time).joints, at: time)
    })
}

/// Sits, and stands up every three seconds from the first second on: up in 0.9 s, down in 0.9 s.
private func chair(_ time: Double, stands: Int = 20) -> StickFigure {
  let number = Int((max(0, time - 1) / 3).rounded(.down))
  guard time >= 1, number < stands else { return StickFigure(hips: 0.5) }
  let within = (time - 1).truncatingRemainder(dividingBy: 3)
  let up = ramp(within, 0.3, 1.2) - ramp(within, 2, 2.9)
  // The trunk leans before the hips rise.
  return StickFigure(
    hips: 0.5 + 0.49 * up, lean: 35 * (ramp(within, 0, 0.4) - ramp(within, 0.5, 1.2)))
}

@Suite("Tests that clinics time")
struct AssessmentTests {
  private let book: TestBook

  init() throws { book = try TestBook(contentsOf: CoachFile.tests.url) }

  private func value(
    _ assessment: Assessment, _ name: String, _ side: Side? = nil
  ) throws -> Double {
    let measurement = try #require(assessment.measurement(name, side), "\(name)")
    return try #require(measurement.outcome.estimate, "\(measurement)").value
  }

  // MARK: - Chair stands

  @Test("five stands last from the first lean until upright the fifth time")
  func fiveStands() throws {
    let found = try book.test("five-times-chair-stand").assess(course(seconds: 20) { chair($0) })
    // From 1.1 s on, when a tenth of the lean is done, to nine tenths of the rise that begins at 13.3 s.
    #expect(abs(try value(found, "time") - 12.9) < 0.15)
    // Between 20 and 90 % of the way of half a cosine of 0.9 s.
    #expect(abs(try value(found, "mean time to stand up") - 0.45) < 0.06)
    #expect(found.phases.count { $0.name == "stand up" } == 5)
  }

  @Test("too few stands, and a video that ends too soon, are no result but a reason")
  func tooFew() throws {
    let three = course(seconds: 20) { chair($0, stands: 3) }
    let five = try book.test("five-times-chair-stand").assess(three).measurement("time")
    #expect(five?.outcome.reason == "the person stands up 3 times, not 5 times")
    let thirty = try book.test("chair-stand-30s").assess(three).measurement("stands")
    #expect(thirty?.outcome.reason?.contains("the video ends 18.9 s after the start") == true)
  }

  @Test(
    "in 30 seconds stands are counted, one more than halfway at the end included",
    arguments: [(0.0, 10), (1.3, 10), (-0.8, 11)])
  func thirtySeconds(shift: Double, count: Int) throws {
    // Stands begin every three seconds; the eleventh is under way when the time ends.
    let person = course(seconds: 40) { time in
      time < 2 ? chair(time) : time > 29 ? chair(time - shift) : chair(time)
    }
    let found = try book.test("chair-stand-30s").assess(person)
    #expect(try value(found, "stands") == Double(count))
  }

  @Test("nobody in the picture, and nobody who gets up, is said")
  func nobody() throws {
    for test in book.tests.values {
      let found = test.assess(PersonCourse([]))
      #expect(found.measurements.allSatisfy { $0.outcome.reason != nil }, "\(test.id)")
      #expect(!found.measurements.isEmpty)
    }
    let seated = course(seconds: 5) { _ in StickFigure(hips: 0.5) }
    let found = try book.test("timed-up-and-go").assess(seated).measurement("time")
    #expect(found?.outcome.reason == "the person never gets up from a chair")
  }

  // MARK: - Up and go

  @Test("an up and go has its rise, turn and steps, and ends seated")
  func upAndGo() throws {
    let person = course(seconds: 16) { time in
      let up = ramp(time, 1, 2) - ramp(time, 13, 14)
      let heading = 90 + 180 * ramp(time, 6, 8) + 180 * ramp(time, 11.5, 12.8)
      let isWalking = (2.2..<6).contains(time) || (8..<11.5).contains(time)
      return StickFigure(
        hips: 0.5 + 0.49 * up, lead: isWalking ? 0.5 * sin(2 * .pi * time / 1.2) : 0,
        heading: heading)
    }
    let found = try book.test("timed-up-and-go").assess(person)
    #expect(abs(try value(found, "time") - 12.5) < 0.3)
    // From 30 to 150 of 180 degrees, smoothed.
    #expect(abs(try value(found, "time to turn") - 0.95) < 0.25)
    // Those of the longer way between two pauses.
    #expect((5...14).contains(try value(found, "steps")))
    #expect(
      found.phases.map(\.name) == [
        "stand up", "walk there", "turn", "walk back and turn", "sit down",
      ])
  }

  // MARK: - Stance

  @Test("each leg has the time for which the other foot is lifted")
  func stance() throws {
    let person = course(seconds: 20) { time in
      StickFigure(
        lift: (
          left: 0.15 * (ramp(time, 10, 10.3) - ramp(time, 13, 13.3)),
          right: 0.2 * (ramp(time, 2, 2.3) - ramp(time, 8, 8.3))
        ))
    }
    let found = try book.test("single-leg-stance").assess(person)
    #expect(abs(try value(found, "time", .left) - 6) < 0.3)
    #expect(abs(try value(found, "time", .right) - 3) < 0.3)
    #expect(found.phases.map(\.side) == [.left, .right])
  }

  @Test("who still stands on one leg at the end does so at least as long")
  func openEnd() throws {
    let person = course(seconds: 6) { time in
      StickFigure(lift: (left: 0, right: 0.2 * ramp(time, 2, 2.3)))
    }
    let found = try book.test("single-leg-stance").assess(person)
    #expect(abs(try value(found, "time", .left) - 4) < 0.3)
    #expect(found.notes.contains { $0.contains("at least this long") })
    #expect(found.measurement("time", .right)?.outcome.reason != nil)
  }

  // MARK: - Walk

  /// Steps of 0.5 m, the left ones quicker than the right ones.
  private func walker(heading: Double, left: Double = 0.5, right: Double = 0.6) -> PersonCourse {
    let stride = left + right
    return course(seconds: 8) { time in
      let phase = time.truncatingRemainder(dividingBy: stride)
      // The left foot is ahead at the end of its step.
      let lead = phase < left ? -cos(.pi * phase / left) : cos(.pi * (phase - left) / right)
      return StickFigure(lead: 0.5 * lead, heading: heading)
    }
  }

  @Test("a walk has speed, cadence, step time and length of each side, and symmetry")
  func walk() throws {
    let found = try book.test("walk-4m").assess(walker(heading: 90))
    #expect(abs(try value(found, "speed") - 0.91) < 0.07)
    #expect(abs(try value(found, "time for 4 m") - 4.4) < 0.4)
    #expect(abs(try value(found, "cadence") - 120 / 1.1) < 2)
    #expect(abs(try value(found, "step time", .left) - 0.5) < 0.03)
    #expect(abs(try value(found, "step time", .right) - 0.6) < 0.03)
    #expect(abs(try value(found, "step length", .left) - 0.5) < 0.04)
    #expect(abs(try value(found, "symmetry of step times") - 83) < 5)
  }

  @Test("along the line of sight times are measured, and lengths are not")
  func towardsCamera() throws {
    let found = try book.test("walk-4m").assess(walker(heading: 0))
    #expect(abs(try value(found, "cadence") - 120 / 1.1) < 2)
    #expect(
      found.measurement("speed")?.outcome.reason?.contains("film from the side") == true)
    let crossed = try book.test("walk-4m").assess(
      walker(heading: 0), metres: 6, crossing: 1...5)
    #expect(abs(try value(crossed, "speed") - 1.5) < 1e-6)
    #expect(abs(try value(crossed, "time for 6 m") - 4) < 1e-6)
  }

  // MARK: - Range of motion

  @Test("an arm's best angle counts in its own direction only")
  func shoulder() throws {
    let person = course(seconds: 6) { time in
      let up = ramp(time, 1, 2) - ramp(time, 4, 5)
      return StickFigure(raise: (left: 5 + 160 * up, right: 5 + 90 * up), isSideways: true)
    }
    let abduction = try book.test("shoulder-abduction").assess(person)
    #expect(abs(try value(abduction, "abduction", .left) - 165) < 2)
    #expect(abs(try value(abduction, "abduction", .right) - 95) < 2)
    #expect(abs(try value(abduction, "abduction, left − right") - 70) < 3)
    let flexion = try book.test("shoulder-flexion").assess(person)
    #expect(
      flexion.measurement("flexion", .left)?.outcome.reason
        == "the arm is raised to the side, not to the front")
  }

  @Test("a knee has its flexion and what is missing to straight")
  func knee() throws {
    let person = course(seconds: 6) { time in
      StickFigure(hips: 0.98 - 0.4 * (ramp(time, 1, 2) - ramp(time, 4, 5)))
    }
    let found = try book.test("knee-range").assess(person)
    #expect((100...125).contains(try value(found, "flexion", .left)))
    #expect((5...30).contains(try value(found, "missing extension", .right)))
  }

  @Test("a squat is measured at its lowest point")
  func squat() throws {
    let person = course(seconds: 9) { time in
      let down = [1.0, 4.0].reduce(0.0) {
        $0 + ramp(time, $1, $1 + 1) - ramp(time, $1 + 1.2, $1 + 2.2)
      }
      return StickFigure(
        hips: 0.98 - 0.5 * down, lean: 30 * down, raise: (left: 175, right: 140))
    }
    let found = try book.test("overhead-squat").assess(person)
    #expect(try value(found, "squats") == 2)
    #expect(abs(try value(found, "trunk lean") - 30) < 3)
    // From the trunk, which leans.
    #expect(abs(try value(found, "arm overhead", .left) - 155) < 3)
    #expect(abs(try value(found, "arm overhead", .right) - 170) < 3)
    #expect(found.measurement("heels on the floor")?.outcome.reason != nil)
  }
}

@Suite("Definitions of tests")
struct TestBookTests {
  private static let texts = #""name": "N", "do": "D", "film": "F", "source": "S""#

  private func message(_ entry: String) -> String {
    do {
      _ = try TestBook(Data("{\"mine\": {\(Self.texts), \(entry)}}".utf8), name: "my.json")
      return ""
    } catch {
      return error.message
    }
  }

  @Test("the built-in tests have CDC's references")
  func builtIn() throws {
    let book = try TestBook(contentsOf: CoachFile.tests.url)
    #expect(book.tests.count == 9)
    let stand = try #require(try book.test("chair-stand-30s").references.first)
    #expect(stand.value(age: 72, sex: .female) == 10)
    #expect(stand.value(age: 84, sex: .male) == 10)
    #expect(stand.value(age: 40, sex: .male) == nil && stand.value(age: nil, sex: nil) == nil)
    #expect(try book.test("timed-up-and-go").references.first?.value(age: nil, sex: nil) == 12)
  }

  @Test("one's own test takes numbers and limits")
  func own() throws {
    let text = """
      {"mine": {\(Self.texts), "measure": "overhead squat", "seated": 60,
       "checks": {"trunk lean": "below 45°"}}}
      """
    let test = try TestBook(Data(text.utf8), name: "my.json").test("mine")
    #expect(test.seated == 0.6 && test.checks["trunk lean"] == Rule.Limits(most: 45))
  }

  @Test(
    "what a definition can't be is refused in a sentence",
    arguments: [
      (#""measure": "jump""#, "“measure” is one of “chair stands”"),
      (#""measure": "chair stands""#, "write “stands” or “seconds”"),
      (#""measure": "walk", "meters": 4"#, "“meters” means nothing here"),
      (#""measure": "range of motion""#, "“joint” is missing"),
      (#""measure": "walk", "seated": 95"#, "“seated” is a number from 10.0 to 90.0"),
      (#""measure": "walk", "checks": {"speed": "fast"}"#, "write a limit such as"),
      (
        #""measure": "walk", "references": [{"of": "speed", "note": "n", "male": {"old": 1}}]"#,
        "write ages with a number"
      ),
    ])
  func refusals(entry: String, sentence: String) {
    #expect(message(entry).contains(sentence), "\(message(entry))")
  }
}
