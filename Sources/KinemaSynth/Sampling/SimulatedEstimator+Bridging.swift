import Foundation
package import KinemaPose

extension SimulatedEstimator {
  /// What is lost together for a while.
  package static let limbs: [[BodyJoint]] = [
    [.rightElbow, .rightWrist], [.leftElbow, .leftWrist], [.rightKnee, .rightAnkle],
    [.leftKnee, .leftAnkle], [.rightWrist], [.leftWrist], [.rightAnkle, .leftAnkle], [.nose],
  ]

  /// The places of joints as the counter gets them, `[frames, 18]`: sides are exchanged and frames torn
  /// now and then, and what is not found for a while is bridged by straight lines.
  ///
  /// - Parameters:
  ///   - views: The joints of each frame; see ``ObservingCamera``.
  ///   - mayLoseLegs: Whether the legs may be outside the picture all the time.
  /// - Returns: The places, and the joints that are never seen.
  package mutating func bridged(
    _ views: [[Vector]], mayLoseLegs: Bool
  ) -> (positions: [SIMD2<Float>], lost: [BodyJoint]) {
    let values = found(views, in: nil)
    var positions = views.indices.flatMap { frame in
      (0..<BodyJoint.count).map { joint in
        let index = frame * 3 * BodyJoint.count + joint
        return SIMD2(values[index], values[index + BodyJoint.count])
      }
    }
    exchangeSides(&positions, count: views.count)
    tearFrames(&positions, count: views.count)
    for frame in views.indices {
      let base = frame * BodyJoint.count
      positions[base + BodyJoint.neck.rawValue] =
        (positions[base + BodyJoint.rightShoulder.rawValue]
          + positions[base + BodyJoint.leftShoulder.rawValue]) / 2
    }
    let lost = mayLoseLegs ? lostJoints() : []
    bridgeLimbs(&positions, frameCount: views.count)
    bridgeGaps(&positions, frameCount: views.count)
    return (positions, lost)
  }

  private static let legPairs = BodyJoint.limbPairs[4...]

  /// Exchanges left and right occasionally, mostly in legs seen from the side.
  private mutating func exchangeSides(_ positions: inout [SIMD2<Float>], count: Int) {
    guard let share = errors.exchangedSides, generator.chance(share) else { return }
    let pairs = generator.chance(0.6) ? Self.legPairs : BodyJoint.pairs[...]
    for _ in 0..<Int(generator.uniform(1...6)) {
      let start = Int(generator.uniform(0...1) * Float(count))
      for frame in start..<min(count, start + Int(generator.uniform(1...8))) {
        let base = frame * BodyJoint.count
        for (right, left) in pairs {
          positions.swapAt(base + right.rawValue, base + left.rawValue)
        }
      }
    }
  }

  /// Single frames in which the body is somewhere else or torn.
  private mutating func tearFrames(_ positions: inout [SIMD2<Float>], count: Int) {
    guard let share = errors.tornFrames, generator.chance(share) else { return }
    for _ in 0..<Int(generator.uniform(1...5)) {
      let frame = Int(generator.uniform(0...0.999) * Float(count))
      let shift = SIMD2(generator.normal(), generator.normal()) * 0.2
      let scale = generator.uniform(0.5...1.3)
      for index in (frame * BodyJoint.count)..<((frame + 1) * BodyJoint.count) {
        let shake = SIMD2(generator.quickNormal(), generator.quickNormal()) * 0.03
        positions[index] = positions[index] * scale + shift + shake
      }
    }
  }

  /// Joints always outside the frame: the legs of a near person.
  private mutating func lostJoints() -> [BodyJoint] {
    guard generator.chance(0.08) else { return [] }
    return generator.chance(0.5)
      ? [.rightKnee, .rightAnkle, .leftKnee, .leftAnkle] : [.rightAnkle, .leftAnkle]
  }

  /// Limbs that are not found for a while are bridged by straight lines.
  private mutating func bridgeLimbs(_ positions: inout [SIMD2<Float>], frameCount: Int) {
    guard generator.chance(0.25) else { return }
    for _ in 0..<Int(generator.uniform(1...3.99)) {
      bridge(generator.pick(Self.limbs), for: 3...25, frameCount: frameCount, in: &positions)
    }
  }

  /// Frames without a pose are bridged by straight lines.
  private mutating func bridgeGaps(_ positions: inout [SIMD2<Float>], frameCount: Int) {
    guard generator.chance(0.2) else { return }
    for _ in 0..<Int(generator.uniform(1...4.99)) {
      bridge(BodyJoint.allCases, for: 2...18, frameCount: frameCount, in: &positions)
    }
  }

  private mutating func bridge(
    _ joints: [BodyJoint], for frames: ClosedRange<Float>, frameCount: Int,
    in positions: inout [SIMD2<Float>]
  ) {
    let start = Int(generator.uniform(0...0.95) * Float(frameCount))
    let end =
      start + Int(exp(generator.uniform(log(frames.lowerBound)...log(frames.upperBound))))
    guard start > 0, end < frameCount else { return }
    for joint in joints.map(\.rawValue) {
      let before = positions[(start - 1) * BodyJoint.count + joint]
      let after = positions[end * BodyJoint.count + joint]
      for frame in start..<end {
        let share = Float(frame - start + 1) / Float(end - start + 1)
        positions[frame * BodyJoint.count + joint] = before + (after - before) * share
      }
    }
  }
}
