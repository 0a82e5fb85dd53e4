import Foundation
import KinemaCoach
import KinemaDepth
import KinemaFiles
import KinemaPose
import KinemaRandom
import KinemaSynth

/// A person who does a test, with the truth and what a camera sees of it.
struct AssessTrial {
  let test: String
  private let skeletons: [Skeleton]
  private let times: [Double]
  private let person: SyntheticPerson
  private let motion: Motion
  /// Whether the camera follows the person.
  private let pans: Bool
  private var generator: SeededGenerator

  static let frameRate = 30.0

  /// A synthetic person who repeats a motion.
  init(_ test: String, _ motion: Motion, count: Int, seed: UInt64) {
    let trial = FormTrial(of: motion, fault: nil, count: count, seed: seed)
    self.init(
      test, trial.skeletons, of: trial.person, like: motion, pans: false, seed: seed)
  }

  /// A person of motion capture.
  init(_ test: String, _ motion: CapturedMotion, pans: Bool, seed: UInt64) {
    let count = Int(saturating: motion.duration * Self.frameRate)
    self.init(
      test, (0..<count).map { motion.skeleton(at: Double($0) / Self.frameRate) },
      of: SyntheticPerson(stature: motion.stature), like: .standing, pans: pans, seed: seed)
  }

  init(
    _ test: String, _ skeletons: [Skeleton], of person: SyntheticPerson, like motion: Motion,
    pans: Bool, seed: UInt64
  ) {
    (self.test, self.skeletons, self.person, self.motion) = (test, skeletons, person, motion)
    self.pans = pans
    times = skeletons.indices.map { Double($0) / Self.frameRate }
    generator = SeededGenerator(seed: seed ^ 0xA55E_55)
    // Neighbouring seeds begin alike.
    generator = SeededGenerator(seed: generator.next())
  }

  /// What is true, in the camera's direction.
  var truth: PersonCourse {
    let degrees = -camera.camera.yaw * 180 / .pi
    return PersonCourse(
      zip(times, skeletons).map { time, body in
        .init(exactly: body.placed(at: .zero, headingDegrees: degrees).bodyJoints, at: time)
      })
  }

  /// What is estimated of what the camera sees.
  func observed(_ lifter: BodyLifter) -> PersonCourse {
    let (camera, drawn) = camera
    var generator = drawn
    let seen = pans ? skeletons.map { $0.moved(by: $0.root * -1) } : skeletons
    let (poses, shape) = camera.poses(of: person, seen, at: times, using: &generator)
    return PersonCourse(poses, aspectRatio: shape, lifter: lifter)
  }

  private var camera: (camera: ObservingCamera, generator: SeededGenerator) {
    var generator = generator
    let camera = ObservingCamera(
      for: motion, duration: times.last ?? 0, mayTurn: false, nearShare: 0.1, using: &generator)
    return (camera, generator)
  }

  /// From which side the camera sees the person: front, side or back.
  var view: String {
    let (body, yaw) = (skeletons[skeletons.count / 3], camera.camera.yaw)
    let left = body.left.hip - body.right.hip
    let facing = (-left.z * sin(yaw) + left.x * cos(yaw)) / max(0.05, left.length)
    return facing > 0.7 ? "front" : facing < -0.7 ? "back" : "side"
  }
}

extension Skeleton {
  /// The same body elsewhere on the floor.
  fileprivate func moved(by way: Vector) -> Skeleton {
    placed(at: SIMD2(way.x, way.z), headingDegrees: 0)
  }
}

extension AssessTrial {
  /// A synthetic person who stands up from a chair, walks three metres, turns, walks back and sits down.
  init(upAndGo seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    generator = SeededGenerator(seed: generator.next())
    let person = SyntheticPerson.random(using: &generator)
    var style = Style(person: person, generator: SeededGenerator(seed: generator.next()))
    let rest = style.standing(stance: 0.03...0.07)
    let back = style.stature(0.16...0.26)
    let seated = rest.changed { posture in
      posture.pelvis.y = style.hips(0.46...0.58)
      posture.pelvis.z = -back
      posture.pitch = style.uniform(-0.1...0.15)
    }
    let leaning = seated.changed { posture in
      posture.pelvis.y += 0.04 * person.stature
      posture.pelvis.z = -back * 0.8
      posture.pitch = style.uniform(0.5...0.9)
    }
    let gait = style.gait(step: 0.12...0.2, lift: 0.03...0.1, swing: 0.1...0.5)
    let stepTime = Double(style.uniform(0.45...0.75))
    let half = gait.rest.left.ankle.z
    let count = max(3, Int(saturating: 3 / (2 * half)))
    var (time, place, heading) = (0.8, Float(0), Float(0))
    var keys: [(time: Double, posture: Posture)] = [(0, seated), (time, seated)]
    func add(_ posture: Posture, after seconds: Double) {
      time += seconds
      let way = Vector(0, 0, place)
      keys.append((time, posture.moved(by: way).changed { $0.heading = heading }))
    }
    func walk(_ direction: Float) {
      for index in 0..<count {
        let step = index.isMultiple(of: 2) ? gait.postures : gait.postures.map(\.mirrored)
        place += direction * half
        add(step[0], after: stepTime / 2)
        place += direction * half
        add(step[1], after: stepTime / 2)
      }
      add(rest, after: stepTime)
    }
    func turn() {
      for index in 1...4 {
        heading += .pi / 4
        add(
          rest.changed { posture in
            if index == 4 { return }
            if index.isMultiple(of: 2) {
              posture.left.ankle.y += 0.05
            } else {
              posture.right.ankle.y += 0.05
            }
          }, after: stepTime * 0.8)
      }
    }
    add(leaning, after: Double(style.uniform(0.4...0.7)))
    add(rest, after: Double(style.uniform(0.6...1.1)))
    walk(1)
    turn()
    walk(-1)
    turn()
    add(leaning, after: Double(style.uniform(0.8...1.3)))
    add(seated, after: 0.5)
    add(seated, after: 0.8)
    self.init(
      "timed-up-and-go", Self.skeletons(keys, of: person, using: &generator), of: person,
      like: .standing, pans: false, seed: seed)
  }

  /// A synthetic person who stands on one leg, the foot near the ankle or as high as the knee, and then on the
  /// other one.
  init(stances seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    generator = SeededGenerator(seed: generator.next())
    let person = SyntheticPerson.random(using: &generator)
    var style = Style(person: person, generator: SeededGenerator(seed: generator.next()))
    let rest = style.standing(stance: 0.03...0.08).arms(style.pick([.hanging, .atChest]))
    let lifted = rest.changed { posture in
      posture.right.ankle.y += style.stature(0.06...0.25)
      posture.right.ankle.z -= style.stature(0...0.12)
      posture.right.ankle.x *= 0.6
      posture.pelvis.x = rest.left.ankle.x * 0.8
    }
    var (time, keys): (Double, [(time: Double, posture: Posture)]) = (0, [(0, rest)])
    for posture in [lifted, lifted.mirrored] {
      for (posture, seconds) in [
        (rest, style.uniform(0.8...1.5)), (posture, style.uniform(0.3...0.8)),
        (posture, style.uniform(3...12)), (rest, style.uniform(0.2...0.6)),
        (rest, 0.8),
      ] {
        time += Double(seconds)
        keys.append((time, posture))
      }
    }
    self.init(
      "single-leg-stance", Self.skeletons(keys, of: person, using: &generator), of: person,
      like: .standing, pans: false, seed: seed)
  }

  private static func skeletons(
    _ keys: [(time: Double, posture: Posture)], of person: SyntheticPerson,
    using generator: inout SeededGenerator
  ) -> [Skeleton] {
    let track = PostureTrack(keys)
    let solver = BodySolver(person: person)
    let sway = Sway(using: &generator)
    return (0..<Int(saturating: (keys.last?.time ?? 0) * frameRate)).map { frame in
      let time = Double(frame) / frameRate
      return solver.skeleton(for: sway.applied(to: track.posture(at: time), at: time))
    }
  }
}
