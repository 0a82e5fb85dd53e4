import Foundation
package import KinemaPose

/// How somebody is filmed and found: by a camera that people put up, or by one that watches a room and
/// whose poses fail.
package struct RoomFilm: Sendable {
  package enum Conditions: Sendable {
    /// A camera anywhere, and a person who is found nearly always.
    case clear
    /// A camera of a room: near the ceiling, often with few pixels and frames; people who lie are often
    /// misunderstood, or lost.
    case room
  }

  /// The poses as they come from a pose network; frames without anybody are among them.
  package let poses: PoseSequence
  package let aspectRatio: Float

  /// How far the network's hips are on the way from the joints to the knees: of people who stand in real
  /// clips its trunks are 0.65 to 0.78 as long as its legs, those of bodies 0.59 (Winter).
  private static let hipShares: ClosedRange<Float> = 0.07...0.18

  /// Films a person whose body is known at each moment.
  ///
  /// - Parameters:
  ///   - loss: When, in seconds, a person is lost for a moment who is well seen otherwise.
  ///   - mayLeave: Whether the person may go out of the frame of a room.
  package init(
    _ conditions: Conditions, of person: SyntheticPerson, seconds: Double, loss: Double? = nil,
    mayLeave: Bool = false, using generator: inout SeededGenerator, skeleton: (Double) -> Skeleton
  ) {
    let isRoom = conditions == .room
    let frameRate = generator.pick(isRoom ? [8.0, 12.5, 12.5, 15, 25] : [10.0, 15, 25, 30])
    let times = Array(stride(from: 0, to: max(seconds, 0.01), by: 1 / frameRate))
    let leaves = isRoom && mayLeave && generator.chance(0.35)
    let camera: ObservingCamera
    if isRoom, leaves || generator.chance(0.8) {
      let framedShare = leaves ? Double(generator.uniform(0.1...0.8)) : 1
      camera = ObservingCamera(inRoom: &generator, framedShare: framedShare)
    } else {
      // Half of the cameras hang on a wall, the others are put anywhere.
      let pitch = generator.chance(0.5) ? generator.uniform(0.15...0.6) : nil
      camera = ObservingCamera(
        for: .standing, duration: seconds, mayTurn: false, nearShare: 0, pitch: pitch,
        using: &generator)
    }
    var errors: EstimatorErrors = isRoom ? .rooms : .workouts
    if isRoom { errors.takesForUpright = generator.chance(0.25) }
    var estimator = SimulatedEstimator(
      errors, sighting: leaves ? .leaving : .any, using: &generator)
    let bodies = times.map(skeleton)
    var next = bodies.makeIterator()
    var views = camera.views(of: person, at: times) { _ in next.next() ?? bodies[0] }
    if isRoom { Self.lowerHips(of: &views, by: generator.uniform(Self.hipShares)) }
    var values = estimator.observed(views, camera: camera)
    let size = 3 * JointKey.body.count
    if isRoom {
      let mistake = LyingMistake(seconds: seconds, using: &generator)
      let upright = bodies.firstIndex { !$0.isLying(person) }
      for frame in bodies.indices where bodies[frame].isLying(person) {
        let (start, standing) = (frame * size, (upright ?? 0) * size)
        let isFound = mistake.mislead(
          &values[start..<(start + size)], at: times[frame], aspectRatio: camera.aspectRatio,
          upright: values[standing..<(standing + size)])
        if !isFound { for place in start..<(start + size) { values[place] = 0 } }
      }
    }
    func lose(from start: Double, to end: Double) {
      for frame in times.indices where times[frame] >= start && times[frame] < end {
        for place in (frame * size)..<((frame + 1) * size) { values[place] = 0 }
      }
    }
    if let loss, generator.chance(0.3) {
      let start = loss - Double(generator.uniform(0...0.3))
      lose(from: start, to: start + Double(generator.uniform(0.1...(isRoom ? 1.2 : 0.6))))
    }
    // Behind furniture, in the dark, or in the tracker: whatever the person does.
    if isRoom, generator.chance(0.2) {
      let start = seconds * Double(generator.unit())
      lose(from: start, to: start + exp(Double(generator.uniform(-1.2...2.5))))
    }
    aspectRatio = camera.aspectRatio
    poses =
      SyntheticMotionSample(
        label: "", motion: .standing, frameRate: frameRate, aspectRatio: aspectRatio,
        values: values, repetitions: []
      ).poses
  }

  private static func lowerHips(of views: inout [[Vector]], by share: Float) {
    for frame in views.indices {
      for (hip, knee) in [(BodyJoint.leftHip, BodyJoint.leftKnee), (.rightHip, .rightKnee)] {
        views[frame][hip] = blend(views[frame][hip], views[frame][knee], share)
      }
    }
  }
}

extension Skeleton {
  /// Whether the trunk is level and low.
  fileprivate func isLying(_ person: SyntheticPerson) -> Bool {
    let trunk = neck - root
    return root.y < 0.45 * person.stature && abs(trunk.y) < 0.6 * trunk.length
  }
}
