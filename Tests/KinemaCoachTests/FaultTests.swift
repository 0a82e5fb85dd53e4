import Foundation
import KinemaCoach
import KinemaPose
import Testing

/// A person of 1.7 m drawn joint by joint, in metres: x to the right of the picture, y up.
private struct Drawing {
  var places: [JointKey: SIMD2<Double>] = [:]

  /// Somebody who stands, seen from the front, or from the side with the face to the right.
  init(fromSide: Bool) {
    let (shoulders, hips) = fromSide ? (0.02, 0.02) : (0.19, 0.1)
    func pair(_ right: JointKey, _ left: JointKey, _ half: Double, _ x: Double, _ y: Double) {
      places[right] = SIMD2(x - half, y)
      places[left] = SIMD2(x + half, y)
    }
    pair(.rightShoulder, .leftShoulder, shoulders, 0, 1.4)
    pair(.rightElbow, .leftElbow, shoulders + 0.02, 0, 1.11)
    pair(.rightWrist, .leftWrist, shoulders + 0.02, 0, 0.86)
    pair(.rightHip, .leftHip, hips, 0, 0.91)
    pair(.rightKnee, .leftKnee, hips, 0, 0.49)
    pair(.rightAnkle, .leftAnkle, hips, 0, 0.08)
    pair(.rightEye, .leftEye, 0.03, fromSide ? 0.08 : 0, 1.63)
    pair(.rightEar, .leftEar, fromSide ? 0.01 : 0.07, 0, 1.6)
    places[.nose] = SIMD2(fromSide ? 0.1 : 0, 1.6)
    places[.neck] = SIMD2(0, 1.4)
  }

  var pose: Pose {
    Pose(
      from: places.reduce(into: [:]) { points, entry in
        let (key, place) = entry
        points[key] = JointPoint(
          key, position: SIMD2(Float(0.5 + place.x / 2), Float(0.05 + place.y / 2)), confidence: 1)
      })
  }

  /// The trunk, the arms and the head, turned about the hips by an angle towards the right.
  mutating func lean(_ degrees: Double) {
    let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
    for (key, place) in places where place.y > 0.95 || key == .rightWrist || key == .leftWrist {
      let from = place - SIMD2(0, 0.91)
      places[key] =
        SIMD2(from.x * cosine + from.y * sine, from.y * cosine - from.x * sine) + SIMD2(0, 0.91)
    }
  }

  /// Everything but the feet lower by some metres.
  mutating func sink(_ metres: Double) {
    for key in places.keys where key != .rightAnkle && key != .leftAnkle {
      places[key]?.y -= key == .rightKnee || key == .leftKnee ? metres / 2 : metres
    }
  }
}

/// The built-in rules of faults on repetitions that are drawn by hand.
@Suite("Faults by the built-in rules")
struct FaultTests {
  /// The second of three repetitions of two seconds, drawn by how far each is under way: 1 at its turning point.
  private func finding(
    _ rule: String, of label: String, fromSide: Bool, _ draw: (inout Drawing, Double) -> Void
  ) throws -> RepetitionForm.Finding {
    let poses = (0...180).map { frame -> (time: Double, pose: Pose?) in
      let time = Double(frame) / 30
      var drawing = Drawing(fromSide: fromSide)
      draw(&drawing, (1 - cos(.pi * time)) / 2)
      return (time, drawing.pose)
    }
    let coach = Coach(try Rulebook(contentsOf: try CoachFile.form.url))
    let form = try #require(
      try coach.form(of: label, from: 2, to: 4, within: 0...6, in: BodyTrack(poses)))
    return try #require(form.findings.first { $0.rule.name == rule })
  }

  @Test("knees that come nearer than the feet in a squat are a fault, from the front")
  func knees() throws {
    func knees(apart share: Double, fromSide: Bool = false) throws -> RepetitionForm.Finding {
      try finding("knees", of: "squats", fromSide: fromSide) { drawing, depth in
        drawing.sink(0.4 * depth)
        for (knee, foot, sign) in [
          (JointKey.rightKnee, JointKey.rightAnkle, -1.0), (.leftKnee, .leftAnkle, 1),
        ] {
          drawing.places[foot]?.x = sign * 0.2
          drawing.places[knee]?.x = sign * 0.2 * (1 + (share - 1) * depth)
        }
      }
    }
    #expect(try knees(apart: 0.5).verdict == .fault)
    #expect(try knees(apart: 0.8).verdict == .borderline)
    #expect(try knees(apart: 1.1).verdict == .good)
    #expect(try knees(apart: 0.5, fromSide: true).reading == .unseen(.view))
  }

  @Test("forearms that tilt at the bottom of a push-up are a fault, from the front")
  func elbows() throws {
    func elbows(tilt: Double) throws -> RepetitionForm.Finding {
      try finding("elbows", of: "push_ups", fromSide: false) { drawing, depth in
        drawing.sink(0.25 * depth)
        for (elbow, wrist, sign) in [
          (JointKey.rightElbow, JointKey.rightWrist, -1.0), (.leftElbow, .leftWrist, 1),
        ] {
          let angle = tilt * depth * .pi / 180
          let hand = SIMD2(sign * 0.25, 0.86)
          drawing.places[wrist] = hand
          drawing.places[elbow] = hand + 0.25 * SIMD2(sign * sin(angle), cos(angle))
        }
      }
    }
    #expect(try elbows(tilt: 35).verdict == .fault)
    #expect(try elbows(tilt: 20).verdict == .borderline)
    #expect(try elbows(tilt: 5).verdict == .good)
  }

  @Test(
    "a trunk that swings is a fault of curls and lateral raises, from the side",
    arguments: [("bicep_curls", "momentum", 15.0), ("lateral_raises", "swing", 8)])
  func swing(label: String, rule: String, limit: Double) throws {
    func swing(_ degrees: Double, fromSide: Bool = true) throws -> RepetitionForm.Finding {
      try finding(rule, of: label, fromSide: fromSide) { drawing, share in
        for (wrist, elbow) in [
          (JointKey.rightWrist, JointKey.rightElbow), (.leftWrist, .leftElbow),
        ] {
          let angle = 2.4 * share
          guard let place = drawing.places[elbow] else { continue }
          drawing.places[wrist] = place + 0.25 * SIMD2(sin(angle), -cos(angle))
        }
        drawing.lean(degrees * (share - 0.5))
      }
    }
    #expect(try swing(limit + 6).verdict == .fault)
    #expect(try swing(limit + 1).verdict == .borderline)
    #expect(try swing(limit - 5).verdict == .good)
    #expect(try swing(limit + 6, fromSide: false).reading == .unseen(.view))
  }

  @Test("a knee that goes over the toes is a fault of lunges, from the side")
  func kneeAhead() throws {
    func knee(ahead share: Double) throws -> RepetitionForm.Finding {
      try finding("knee", of: "lunges", fromSide: true) { drawing, depth in
        drawing.sink(0.35 * depth)
        // The right leg is in front.
        drawing.places[.rightAnkle] = SIMD2(0.45, 0.08)
        drawing.places[.leftKnee] = SIMD2(-0.1, 0.45 - 0.25 * depth)
        drawing.places[.leftAnkle] = SIMD2(-0.5, 0.3 - 0.15 * depth)
        drawing.places[.rightKnee] = SIMD2(
          0.45 + share * depth * 0.42,
          0.08 + 0.42 * (1 - share * share * depth * depth).squareRoot())
      }
    }
    #expect(try knee(ahead: 0.6).verdict == .fault)
    #expect(try knee(ahead: 0.4).verdict == .borderline)
    #expect(try knee(ahead: 0.1).verdict == .good)
  }

  @Test("upper arms that leave the sides are a fault of curls, from the side")
  func upperArms() throws {
    func arms(raised degrees: Double) throws -> RepetitionForm.Finding {
      try finding("upper arms", of: "bicep_curls", fromSide: true) { drawing, share in
        for (shoulder, elbow, wrist) in [
          (JointKey.rightShoulder, JointKey.rightElbow, JointKey.rightWrist),
          (.leftShoulder, .leftElbow, .leftWrist),
        ] {
          guard let place = drawing.places[shoulder] else { continue }
          let raised = degrees * share * .pi / 180
          let middle = place + 0.29 * SIMD2(sin(raised), -cos(raised))
          drawing.places[elbow] = middle
          drawing.places[wrist] =
            middle + 0.25 * SIMD2(sin(raised + 2 * share), -cos(raised + 2 * share))
        }
      }
    }
    #expect(try arms(raised: 75).verdict == .fault)
    #expect(try arms(raised: 20).verdict == .good)
  }

  @Test("hips that sag or rise in a plank are faults, and no repetition is needed")
  func plank() throws {
    func plank(_ rule: String, hips share: Double) throws -> RepetitionForm.Finding {
      try finding(rule, of: "plank", fromSide: true) { drawing, _ in
        // From shoulders to ankles 1.3 m, along the floor.
        for (keys, x, y) in [
          ([JointKey.rightShoulder, .leftShoulder, .neck], 0.65, 0.4),
          ([.rightHip, .leftHip], 0.17, 0.4 + 1.3 * share), ([.rightKnee, .leftKnee], -0.24, 0.4),
          ([.rightAnkle, .leftAnkle], -0.65, 0.4), ([.rightElbow, .leftElbow], 0.65, 0.15),
          ([.rightWrist, .leftWrist], 0.85, 0.12),
        ] as [([JointKey], Double, Double)] {
          for key in keys { drawing.places[key] = SIMD2(x, y) }
        }
      }
    }
    #expect(try plank("hips low", hips: -0.1).verdict == .fault)
    #expect(try plank("hips low", hips: 0.06).verdict == .good)
    #expect(try plank("hips high", hips: 0.24).verdict == .fault)
    #expect(try plank("hips high", hips: 0.05).verdict == .good)
  }
}
