import Foundation
import KinemaPose
import KinemaSynth
import Testing

/// What holds for every body of the library, whatever it does.
@Suite("Bodies in motion")
struct AnatomyTests {
  /// A person's way through a cycle of a motion: its postures, and those half way between them.
  private static func way(
    _ motion: Motion, seed: UInt64
  ) -> (person: SyntheticPerson, postures: [Posture]) {
    var generator = SeededGenerator(seed: seed)
    let person = SyntheticPerson.random(using: &generator)
    var style = Style(person: person, generator: generator)
    let choreography = motion.choreography(&style)
    let cycle = [choreography.rest] + choreography.cycle(0, depth: 1)
    let postures = zip(cycle, cycle.dropFirst()).flatMap { from, to in
      [from, Posture(lanes: (from.lanes + to.lanes) * 0.5)]
    }
    return (person, postures)
  }

  private static let seeds = 1...6 as ClosedRange<UInt64>

  @Test("hands, feet and head keep their sizes in every motion", arguments: Motion.library)
  func sizes(motion: Motion) {
    for seed in Self.seeds {
      let (person, postures) = Self.way(motion, seed: seed)
      let solver = BodySolver(person: person)
      for body in postures.map(solver.skeleton) {
        for side in [body.left, body.right] {
          #expect(abs((side.fingertips - side.wrist).length - person.hand) < 1e-3)
          #expect(abs((side.ball - side.ankle).length - person.foot) < 1e-3)
          let face = [(side.ear, Float(0.0808)), (side.eye, 0.0314)]
          for (place, share) in face {
            #expect(abs((place - body.nose).length / person.stature - share) < 1e-3)
          }
        }
        let neck = SIMD2(person.neck, 0.012 * person.stature)
        #expect(abs((body.head - body.neck).length - (neck * neck).sum().squareRoot()) < 1e-3)
        #expect(((body.left.shoulder + body.right.shoulder) / 2 - body.neck).length < 1e-4)
        #expect(((body.left.hip + body.right.hip) / 2 - body.root).length < 1e-4)
        #expect(abs(body.headUp.dot(body.headForward)) < 1e-4)
        #expect(abs(body.chestForward.dot(body.neck - body.root)) < 1e-3)
        for axis in [body.headUp, body.headForward, body.chestForward] {
          #expect(abs(axis.length - 1) < 1e-4)
        }
      }
    }
  }

  @Test("no joint bends farther than people's do", arguments: Motion.library)
  func ranges(motion: Motion) {
    func degrees(_ one: Vector, _ other: Vector) -> Float {
      acos(max(-1, min(1, one.normalized.dot(other.normalized)))) * 180 / .pi
    }
    for seed in Self.seeds {
      let (person, postures) = Self.way(motion, seed: seed)
      let solver = BodySolver(person: person)
      for body in postures.map(solver.skeleton) {
        for side in [body.left, body.right] {
          // Heel to seat and hand to shoulder: what is between is flesh.
          let knee = degrees(side.knee - side.hip, side.ankle - side.knee)
          let elbow = degrees(side.elbow - side.shoulder, side.wrist - side.elbow)
          #expect(knee < 165, "knee, seed \(seed)")
          #expect(elbow < 165, "elbow, seed \(seed)")
        }
        let shoulders = body.left.shoulder - body.right.shoulder
        let twist = degrees(shoulders, body.left.hip - body.right.hip)
        #expect(twist < 90, "trunk, seed \(seed)")
        let neck = degrees(body.headUp, body.neck - body.root)
        #expect(neck < 75, "neck, seed \(seed)")
        #expect(degrees(body.headForward, body.chestForward) < 100, "face, seed \(seed)")
      }
    }
  }

  @Test("a mirrored posture is the mirror image of the whole body", arguments: Motion.library)
  func mirrored(motion: Motion) {
    for seed in Self.seeds {
      let (person, postures) = Self.way(motion, seed: seed)
      let solver = BodySolver(person: person, kneeSpread: 0.3, elbowSpread: 0.5)
      for posture in postures {
        let one = solver.skeleton(for: posture)
        let other = solver.skeleton(for: posture.mirrored)
        for (side, image) in [(one.left, other.right), (one.right, other.left)] {
          for place in [\Skeleton.Side.shoulder, \.elbow, \.wrist, \.fingertips, \.hip, \.knee] {
            #expect((side[keyPath: place].mirrored - image[keyPath: place]).length < 1e-3)
          }
          for place in [\Skeleton.Side.ankle, \.ball, \.eye, \.ear] {
            #expect((side[keyPath: place].mirrored - image[keyPath: place]).length < 1e-3)
          }
        }
        #expect((one.nose.mirrored - other.nose).length < 1e-3)
        #expect((one.chestForward.mirrored - other.chestForward).length < 1e-3)
      }
    }
  }

  @Test("hips, feet and hands do not jump, whoever it is", arguments: Motion.library)
  func jumps(motion: Motion) {
    let joints: [BodyJoint] = [
      .neck, .rightHip, .leftHip, .rightAnkle, .leftAnkle, .rightWrist, .leftWrist,
    ]
    for seed in 1...12 as ClosedRange<UInt64> where motion.showsPerson {
      var generator = SeededGenerator(seed: seed)
      let session = SyntheticSession(
        [.motion(motion, repetitions: 2)], person: .random(using: &generator), seed: seed)
      var before = session.skeleton(at: 0).bodyJoints
      for time in stride(from: 1.0 / 60, through: min(session.duration, 4), by: 1.0 / 60) {
        let now = session.skeleton(at: time).bodyJoints
        for joint in joints {
          let speed = (now[joint] - before[joint]).length * 60
          #expect(speed < 20, "\(joint) of \(motion.name), seed \(seed), \(time) s")
        }
        before = now
      }
    }
  }

  @Test("a foot or planted hand that stays from posture to posture does not slide between them")
  func grip() {
    for motion in Motion.library where motion.showsPerson {
      for seed in Self.seeds {
        let (person, postures) = Self.way(motion, seed: seed)
        let solver = BodySolver(person: person)
        // A heading turns the feet as well.
        for (from, to) in zip(postures, postures.dropFirst()) where from.heading == to.heading {
          let (before, after) = (solver.skeleton(for: from), solver.skeleton(for: to))
          for side in [\Posture.left, \Posture.right] {
            let body = side == \Posture.left ? \Skeleton.left : \Skeleton.right
            let (limbs, next) = (from[keyPath: side], to[keyPath: side])
            let (start, end) = (before[keyPath: body], after[keyPath: body])
            if limbs.ankle == next.ankle {
              #expect((start.ankle - end.ankle).length < 0.05, "\(motion.name), seed \(seed)")
            }
            if limbs.planted == 1, next.planted == 1, limbs.hand == next.hand {
              // On the way into a plank, an arm may be a little short of the floor.
              #expect((start.wrist - end.wrist).length < 0.08, "\(motion.name), seed \(seed)")
            }
          }
        }
      }
    }
  }
}
