/// A synthetic person who shows how an action is done, over and over.
package struct Demonstration: Sendable {
  /// Frames a second: enough for the quickest motions to look smooth, and few to send.
  package static let frameRate = 15.0
  /// How often what is counted is done until it begins again: twice, so that both sides are shown where they
  /// take turns.
  private static let cycles = 2
  /// How long what is held is shown, in seconds.
  private static let heldSeconds = 3.0

  /// The places of the joints in the order of ``KinemaPose/JointKey/body``, a frame each, in metres: x to the
  /// person's left, y up from the floor, z to where they face; the person begins over the origin.
  package let frames: [[SIMD3<Float>]]

  /// Shows a label of the built-in models or a motion of the library; `nil` for any other.
  package init?(of label: String) {
    let members = SyntheticMotionClass.workout.first { $0.label == label }
    guard let motion = Motion.named(label) ?? members?.usual, motion.showsPerson else { return nil }
    let part =
      motion.isCounted
      ? SyntheticSession.Part.motion(motion, repetitions: Self.cycles).onTheSpot()
      : SyntheticSession.Part.motion(motion, seconds: Self.heldSeconds).onTheSpot()
    let session = SyntheticSession([part], seed: 1)
    let origin = session.skeleton(at: 0).root
    let shift = SIMD3(origin.x, 0, origin.z)
    frames = (0..<session.frameCount(frameRate: Self.frameRate)).map { index in
      session.skeleton(at: Double(index) / Self.frameRate).bodyJoints.map { $0 - shift }
    }
  }
}
