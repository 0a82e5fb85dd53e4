import Glibc
import KinemaDepth
import KinemaFiles
import KinemaPose
import KinemaRandom
import KinemaSynth

/// Films takes again: a take is lifted to three dimensions, and many other bodies do what it shows, at other
/// tempos, before other simulated cameras.
package struct TakeCloning: Sendable {
  /// The joints of a lifted body that a motion has.
  private static let joints: [(captured: CapturedJoint, key: JointKey)] = [
    (.nose, .nose), (.neck, .neck), (.leftShoulder, .leftShoulder),
    (.rightShoulder, .rightShoulder),
    (.leftElbow, .leftElbow), (.rightElbow, .rightElbow), (.leftWrist, .leftWrist),
    (.rightWrist, .rightWrist), (.leftHip, .leftHip), (.rightHip, .rightHip),
    (.leftKnee, .leftKnee),
    (.rightKnee, .rightKnee), (.leftAnkle, .leftAnkle), (.rightAnkle, .rightAnkle),
    (.leftHeel, .leftAnkle), (.rightHeel, .rightAnkle), (.leftToe, .leftAnkle),
    (.rightToe, .rightAnkle),
  ]
  /// The most frames without a body within a motion, in seconds; they are interpolated.
  private static let longestGap = 0.2
  /// The shortest motion that is filmed again, in seconds.
  private static let leastDuration = 1.0
  /// By how much faster or slower the action is done.
  private static let tempos: ClosedRange<Float> = 0.75...1.35

  /// What the takes of a label show.
  private let motions: [CapturedMotion]
  private let frameRate: Double

  /// Lifts takes; `nil` where the lifter is not installed, or too little of everybody is seen.
  ///
  /// - Parameter takes: Clips of bodies at a frame rate.
  package init?(of takes: [TrainingWindows.Clip], frameRate: Double) {
    guard let lifter = BodyLifter.builtIn else { return nil }
    motions = takes.flatMap { Self.motions(of: $0, frameRate: frameRate, lifter) }
    self.frameRate = frameRate
    guard !motions.isEmpty else { return nil }
  }

  /// One of the clips of other people who do what the takes show, `[frames, 3, 18]` values.
  ///
  /// - Parameters:
  ///   - index: Its number, on which alone it depends, beside the takes and `seed`.
  ///   - duration: Its length in seconds.
  package func clip(_ index: Int, label: Int, duration: Double, seed: UInt64)
    -> TrainingWindows.Clip
  {
    var generator = SeededGenerator(seed: seed, at: UInt64(index))
    // Every take as often as its length asks for.
    var moment = Double(generator.unit()) * motions.reduce(0) { $0 + $1.duration }
    let motion =
      motions.first { motion in
        moment -= motion.duration
        return moment < 0
      } ?? motions[motions.count - 1]
    let body = motion.reshaped(
      by: CapturedMotion.factors(using: &generator), isMirrored: false,
      frames: motion.frames.indices)
    let (slowest, fastest) = (log(Self.tempos.lowerBound), log(Self.tempos.upperBound))
    let tempo = Double(exp(generator.uniform(slowest...fastest)))
    let other = CapturedMotion(frames: body.frames, frameRate: body.frameRate * tempo)
    let length = min(duration, other.duration)
    let start = Double(generator.unit()) * (other.duration - length)
    let frameCount = max(1, Int(saturating: length * frameRate))
    let values = CaptureView().values(
      of: other, from: start, frameCount: frameCount, frameRate: frameRate, using: &generator)
    return TrainingWindows.Clip(label: label, values: values, frameCount: frameCount)
  }

  // MARK: - From a take to motions

  private static func motions(
    of clip: TrainingWindows.Clip, frameRate: Double, _ lifter: BodyLifter
  ) -> [CapturedMotion] {
    let size = 3 * BodyJoint.count
    let frames = (0..<clip.frameCount).map { index in
      let start = index * size
      return LiftWindow.Frame(
        time: Double(index) / frameRate, values: Array(clip.values[start..<(start + size)]))
    }
    let bodies = frames.indices.map { index in
      lifter.body(at: index, in: frames, aspectRatio: clip.aspectRatio)
    }
    let bridged = Int(saturating: longestGap * frameRate)
    var stretches: [[Int]] = []
    for index in bodies.indices where bodies[index] != nil {
      if let last = stretches.last?.last, index - last <= bridged + 1 {
        stretches[stretches.count - 1].append(index)
      } else {
        stretches.append([index])
      }
    }
    return stretches.compactMap { seen in
      guard let first = seen.first, let last = seen.last,
        Double(last - first) / frameRate >= leastDuration
      else { return nil }
      let known = seen.compactMap { index in
        bodies[index].map { (index: index, joints: joints(of: $0), frame: frames[index]) }
      }
      let ways = ways(of: known, aspectRatio: clip.aspectRatio)
      let placed = zip(known, ways).map { known, way in
        (index: known.index, joints: known.joints.map { $0 + way })
      }
      return CapturedMotion(frames: filled(placed), frameRate: frameRate)
    }
  }

  /// The places of ``KinemaSynth/CapturedJoint``, in metres from the middle of the hips.
  private static func joints(of body: LiftedBody) -> CapturedMotion.Frame {
    var frame = CapturedMotion.Frame(repeating: .zero, count: CapturedJoint.allCases.count)
    for (captured, key) in joints { frame[captured.rawValue] = body.joints[key]?.position ?? .zero }
    let ears = [JointKey.leftEar, .rightEar].compactMap { body.joints[$0]?.position }
    frame[CapturedJoint.head.rawValue] = ears.reduce(.zero, +) / Float(max(1, ears.count))
    return frame
  }

  /// The way of the hips from the start at each moment, in metres: sideways and up as in the picture, as
  /// far as the size of the body there says; nothing is known of the way from the camera.
  private static func ways(
    of frames: [(index: Int, joints: CapturedMotion.Frame, frame: LiftWindow.Frame)],
    aspectRatio: Float
  ) -> [SIMD3<Float>] {
    // Metres in a height of the picture: the body in space against that in the picture.
    var (product, square) = (Float(0), Float(0))
    let hips = frames.map { frame -> SIMD2<Float> in
      let values = frame.frame.values
      func place(_ joint: BodyJoint) -> SIMD2<Float>? {
        guard values[2 * BodyJoint.count + joint.rawValue] > JointPoint.leastConfidence else {
          return nil
        }
        return SIMD2(
          values[joint.rawValue] * aspectRatio, values[BodyJoint.count + joint.rawValue])
      }
      guard let left = place(.leftHip), let right = place(.rightHip) else {
        return SIMD2(.nan, .nan)
      }
      let middle = (left + right) / 2
      if let neck = place(.neck) {
        let way = neck - middle
        let space = frame.joints[CapturedJoint.neck.rawValue]
        product += (way * SIMD2(space.x, space.y)).sum()
        square += (way * way).sum()
      }
      return middle
    }
    let scale = square > 0 ? max(0, product / square) : 0
    var last = hips.first { !$0.x.isNaN } ?? .zero
    let start = last
    return hips.map { place in
      if !place.x.isNaN { last = place }
      let way = (last - start) * scale
      return SIMD3(way.x, way.y, 0)
    }
  }

  /// Every frame from the first to the last, on a floor below the lowest joint.
  private static func filled(
    _ known: [(index: Int, joints: CapturedMotion.Frame)]
  ) -> [CapturedMotion.Frame] {
    let floor = known.flatMap(\.joints).map(\.y).min() ?? 0
    var frames: [CapturedMotion.Frame] = []
    for (before, after) in zip(known, known.dropFirst()) {
      for index in before.index..<after.index {
        let share = Float(index - before.index) / Float(after.index - before.index)
        frames.append(zip(before.joints, after.joints).map { $0 + ($1 - $0) * share })
      }
    }
    frames.append(known[known.count - 1].joints)
    return frames.map { $0.map { $0 - SIMD3(0, floor, 0) } }
  }
}
