import KinemaPose

/// What a network like BlazePose sees in people on hands and feet whose head points at the camera.
///
/// Shoulders and arms hide the rest. The network puts hips and legs below the shoulders, as if the
/// person were upright: hips with any confidence, knees and ankles with hardly any.
package struct UprightMistake {
  /// What is missing from the confidence of hips, and of knees and ankles, in one frame.
  package typealias Doubt = (hips: Float, legs: Float)

  /// From which cosine between body and line of sight on the body is taken for upright; above 1 never.
  private let limit: Float
  /// The length of trunk and legs, and the width of hips, as shares of the shoulders' width.
  private let trunk, leg, hips: Float
  private let legDoubt: Float
  private let leaning, hipDoubt: SmoothNoise

  private static let legs = (
    right: [BodyJoint.rightHip, .rightKnee, .rightAnkle],
    left: [BodyJoint.leftHip, .leftKnee, .leftAnkle]
  )

  /// Draws how wrong the network is.
  ///
  /// BlazePose puts the hips of a real clip 0.75 shoulder widths below the shoulders and 0.65 apart, the
  /// knees 0.63 below them, and the ankles 0.54 below those, with median confidences of 0.15, 0 and 0.
  package init(frameCount: Int, using generator: inout SeededGenerator) {
    limit = generator.uniform(0.7...1.1)
    trunk = generator.uniform(0.4...1.1)
    leg = trunk * generator.uniform(0.5...1.1)
    hips = generator.uniform(0.5...0.75)
    legDoubt = generator.uniform(0.8...1)
    leaning = SmoothNoise(
      spacing: 20, amplitude: 0.1, duration: Double(frameCount), using: &generator)
    hipDoubt = SmoothNoise(
      spacing: 20, amplitude: 0.5, duration: Double(frameCount), using: &generator)
  }

  /// Moves hips and legs of the views' frames, see ``ObservingCamera/views(of:times:)``.
  ///
  /// - Returns: The doubt of each frame.
  package func mislead(_ views: inout [[SIMD3<Float>]]) -> [Doubt] {
    views.indices.map { frame in
      let share = share(of: views[frame])
      guard share > 0 else { return (0, 0) }
      let (right, left) = (views[frame][.rightShoulder], views[frame][.leftShoulder])
      let width = left - right
      let down = Vector(width.y, -width.x, 0) + leaning.value(at: Double(frame)) * width
      for (joints, side) in [(Self.legs.right, Float(-0.5)), (Self.legs.left, 0.5)] {
        let start = (right + left) / 2 + side * hips * width
        for (index, joint) in joints.enumerated() {
          let place = start + (trunk + Float(index) * leg) * down
          views[frame][joint] = blend(views[frame][joint], place, share)
        }
      }
      let doubt = min(1, abs(hipDoubt.value(at: Double(frame))))
      return (share * doubt, share * legDoubt)
    }
  }

  /// How much a body is taken for upright: 0, 1, or little between.
  private func share(of joints: [Vector]) -> Float {
    let (right, left) = (joints[.rightShoulder], joints[.leftShoulder])
    let feet = (joints[.rightAnkle] + joints[.leftAnkle]) / 2
    let body = (right + left) / 2 - feet
    // Who lies on the back with the head to the camera has the right shoulder on the right.
    guard body.length > 0, right.x < left.x else { return 0 }
    return min(max((body.z / body.length - limit) / 0.03, 0), 1)
  }
}
