import Foundation
package import KinemaPose
package import KinemaSynth

/// Repetitions of a motion with a fault in most of them, in space and as a pose network finds
/// them, to evaluate rules of form.
package struct FormTrial: Sendable {
  package let motion: Motion
  /// The times of frames in seconds, and the places of the 18 joints in each, in metres.
  package let bodies: [(time: Double, places: [SIMD3<Float>])]
  package let repetitions: [SyntheticSession.Repetition]
  let person: SyntheticPerson
  let skeletons: [Skeleton]
  private let generator: SeededGenerator

  private static let frameRate = 30.0
  /// The share of the repetitions that have the fault.
  private static let faultShare: Float = 0.6

  /// Draws a trial; without a fault, the same person does the same without one.
  package init(of motion: Motion, fault: FormFault?, count: Int = 4, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    generator = SeededGenerator(seed: generator.next())
    self.motion = motion
    person = SyntheticPerson.random(using: &generator)
    var style = Style(person: person, generator: SeededGenerator(seed: generator.next()))
    var good = motion.choreography(&style)
    good.advance = 0
    let range = motion.cycleDurations
    let usual =
      range.lowerBound
      * pow(range.upperBound / range.lowerBound, Double(generator.uniform(0.2...1)))
    var keys: [(time: Double, posture: Posture)] = [(0, good.rest)]
    var repetitions: [SyntheticSession.Repetition] = []
    var time = Double(generator.uniform(0.5...1.2))
    keys.append((time, good.rest))
    for index in 0..<count {
      let isFaulty = generator.chance(Self.faultShare)
      let depth = 1 + 0.03 * generator.normal()
      var (choreography, tempo) = (good, 1.0)
      if let fault, isFaulty {
        choreography = fault.applied(to: good, of: person)
        tempo = fault.tempo
        // From where the last one ended, to where this one begins.
        if fault.kind == .noLockout {
          time += 0.3
          keys.append((time, choreography.rest))
        }
      }
      let start = time
      let total = choreography.shares.reduce(0, +)
      for (place, posture) in choreography.cycle(index, depth: depth).enumerated() {
        time += usual * tempo * choreography.shares[place] / total
        keys.append((time, posture))
      }
      repetitions.append(.init(start: start, end: time))
    }
    time += 0.6
    keys.append(
      (time, good.alternates && count.isMultiple(of: 2) == false ? good.rest.mirrored : good.rest))
    self.repetitions = repetitions
    let track = PostureTrack(keys)
    let solver = BodySolver(person: person)
    let sway = Sway(using: &generator)
    let times = (0..<Int(time * Self.frameRate)).map { Double($0) / Self.frameRate }
    skeletons = times.map { time in
      solver.skeleton(for: sway.applied(to: track.posture(at: time), at: time))
    }
    bodies = zip(times, skeletons).map { ($0, $1.bodyJoints) }
    self.generator = generator
  }

  /// How far the camera of ``observed()`` has gone round the person, in radians: 0 sees the front.
  package var yaw: Float {
    var generator = generator
    return camera(using: &generator).yaw
  }

  private func camera(using generator: inout SeededGenerator) -> ObservingCamera {
    ObservingCamera(
      for: motion, duration: bodies.last?.time ?? 0, mayTurn: false, using: &generator)
  }

  /// What a camera somewhere round the person sees.
  ///
  /// - Returns: The poses over time, and the picture's width by its height.
  package func observed() -> (poses: [(time: Double, pose: Pose?)], aspectRatio: Float) {
    var generator = generator
    let camera = camera(using: &generator)
    return camera.poses(of: person, skeletons, at: bodies.map(\.time), using: &generator)
  }
}

extension ObservingCamera {
  /// What the simulated pose network finds of a body at some times.
  ///
  /// - Returns: The poses over time, and the picture's width by its height.
  func poses(
    of person: SyntheticPerson, _ skeletons: [Skeleton], at times: [Double],
    using generator: inout SeededGenerator
  ) -> (poses: [(time: Double, pose: Pose?)], aspectRatio: Float) {
    var estimator = SimulatedEstimator(.workouts, using: &generator)
    var index = -1
    let views = views(of: person, at: times) { _ in
      index += 1
      return skeletons[index]
    }
    let values = estimator.observed(views, camera: self)
    let size = 3 * JointKey.body.count
    let poses = times.enumerated().map { index, time -> (time: Double, pose: Pose?) in
      let pose = Pose(multiArray: values[(index * size)..<((index + 1) * size)])
      return (time, pose.keypoints.isEmpty ? nil : pose)
    }
    return (poses, aspectRatio)
  }
}
