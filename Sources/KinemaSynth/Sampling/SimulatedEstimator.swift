import KinemaPose

/// Simulates the errors of a pose network like BlazePose, such as noise, misplaced hidden joints and
/// missing poses; which ones, ``EstimatorErrors`` says.
package struct SimulatedEstimator {
  /// The frame's lower left corner and size, in the units of the views.
  package typealias Picture = (corner: SIMD2<Float>, size: SIMD2<Float>)

  /// Errors with regard to a frame.
  private struct FrameErrors {
    /// How far joints outside the frame drift, as a share of it.
    let wandering: Float
    /// What is missing from confidence 1 everywhere.
    let doubt: Float
    /// How fast confidence falls outside the frame.
    let outsideDoubt: Float

    init(using generator: inout SeededGenerator) {
      wandering = generator.uniform(0...0.06)
      doubt = abs(generator.normal()) * 0.02
      outsideDoubt = 3 * generator.uniform(0.3...1)
    }
  }

  let errors: EstimatorErrors
  /// The standard deviation of the noise, as a share of stature.
  package let tremble: Float
  /// How much hidden joints suffer, from 0 to 1.
  private let occlusion: Float
  private let frameErrors: FrameErrors?
  private let sighting: Motion.Sighting
  var generator: SeededGenerator

  /// The largest confidence that Kinema's extractor gives a joint outside the frame.
  private static let outsideConfidence: Float = 0.1
  private static let hips: [BodyJoint] = [.rightHip, .leftHip]
  private static let legs: [BodyJoint] = [.rightKnee, .rightAnkle, .leftKnee, .leftAnkle]

  package init(
    _ errors: EstimatorErrors, sighting: Motion.Sighting = .any,
    using generator: inout SeededGenerator
  ) {
    self.errors = errors
    self.sighting = sighting
    tremble = errors.drawNoise(using: &generator)
    occlusion = generator.uniform(0...1)
    frameErrors = errors.seesFrame ? FrameErrors(using: &generator) : nil
    // Without a frame, the estimator is the last that draws.
    self.generator = errors.seesFrame ? SeededGenerator(seed: generator.next()) : generator
  }

  /// `[frames, 3, 18]` values; see ``SyntheticMotionSample/values``.
  package mutating func observed(_ views: [[Vector]], camera: ObservingCamera) -> [Float] {
    observed(views, in: camera.picture(of: views))
  }

  /// `[frames, 3, 18]` values of views, of which a part is in the picture.
  package mutating func observed(_ views: [[Vector]], in picture: Picture) -> [Float] {
    var values = found(views, in: picture)
    loseFrames(of: &values, frameCount: views.count)
    return values
  }

  /// The values before frames are lost: in shares of the picture or, without one, in those of the
  /// views.
  mutating func found(_ views: [[Vector]], in picture: Picture?) -> [Float] {
    var values = [Float](repeating: 0, count: views.count * 3 * BodyJoint.count)
    var views = views
    var doubts: [UprightMistake.Doubt] = []
    if errors.takesForUpright {
      // Its own random numbers: other people stay as they are.
      var fork = generator
      doubts = UprightMistake(frameCount: views.count, using: &fork).mislead(&views)
    }
    let depths = views.map { joints in joints.reduce(0) { $0 + $1.z } / Float(joints.count) }
    let misplacement = errors.misplacesJoints ? Misplacement(using: &generator) : nil
    for joint in BodyJoint.allCases where joint != .neck {
      let misplaced = misplacement?.course(
        of: joint, frameCount: views.count, using: &generator)
      find(joint, in: views, depths: depths, picture: picture, misplaced, into: &values)
    }
    for (frame, doubt) in doubts.enumerated() {
      let row = (frame * 3 + 2) * BodyJoint.count
      for (joints, doubt) in [(Self.hips, doubt.hips), (Self.legs, doubt.legs)] {
        for joint in joints {
          values[row + joint.rawValue] = max(0.01, values[row + joint.rawValue] * (1 - doubt))
        }
      }
    }
    return values
  }

  private mutating func find(
    _ joint: BodyJoint, in views: [[Vector]], depths: [Float], picture: Picture?,
    _ misplaced: Misplacement.Course?, into values: inout [Float]
  ) {
    let count = views.count
    let wobble = JointNoise(spacing: errors.noiseSpacing, frameCount: count, using: &generator)
    let wander = JointNoise(
      spacing: errors.missedDrift.spacing, frameCount: count, using: &generator)
    let hiddenDoubt = frameErrors.map { _ in
      SmoothNoise(spacing: 13, amplitude: 0.3, duration: Double(count), using: &generator)
    }
    // A hidden joint is put in a wrong place, and stays there.
    let direction = SIMD2(generator.quickNormal(), generator.quickNormal())
    let bias = direction * (errors.hiddenBias * occlusion)
    let miss = errors.drawMissedFrames(of: joint, frameCount: count, using: &generator)
    for frame in views.indices {
      let place = views[frame][joint.rawValue]
      let hidden = place.z < depths[frame] - 0.02 ? occlusion : 0
      let white = SIMD2(generator.quickNormal(), generator.quickNormal())
      var shake =
        (white * 0.6 + wobble.value(at: frame) * 0.9)
        * (tremble * (1 + errors.hiddenNoise * hidden))
      if hidden > 0 { shake += errors.scalesHiddenBias ? bias * hidden : bias }
      let isMissed = miss.contains(frame)
      if isMissed { shake += wander.value(at: frame) * errors.missedDrift.deviation }
      if let misplaced { shake += misplaced.value(at: frame) }
      var seen = SIMD2(place.x, place.y) + shake
      var confidence: Float = 1
      if let picture, let frameErrors, let hiddenDoubt {
        seen = (seen - picture.corner) / picture.size
        let outside = max(0, (pointwiseMax(-seen, seen - 1)).max())
        seen += wander.value(at: frame) * (frameErrors.wandering * min(1, outside * 2.5))
        confidence =
          1 - frameErrors.doubt - hidden * abs(hiddenDoubt.value(at: Double(frame))) * 1.2
        confidence -= min(outside, 0.3) * frameErrors.outsideDoubt
        if isMissed { confidence *= 0.3 }
        if outside > 0 { confidence = min(confidence, Self.outsideConfidence) }
      }
      let start = frame * 3 * BodyJoint.count + joint.rawValue
      values[start] = seen.x
      values[start + BodyJoint.count] = seen.y
      values[start + 2 * BodyJoint.count] = min(max(confidence, 0.01), 1)
    }
  }

  /// Frames without a pose, and false poses without a person; and the neck, the mid-point of the
  /// shoulders with the lower confidence.
  private mutating func loseFrames(of values: inout [Float], frameCount: Int) {
    let (right, left) = (BodyJoint.rightShoulder.rawValue, BodyJoint.leftShoulder.rawValue)
    for frame in 0..<frameCount {
      for row in 0..<3 {
        let start = (frame * 3 + row) * BodyJoint.count
        let (one, other) = (values[start + right], values[start + left])
        values[start + BodyJoint.neck.rawValue] = row < 2 ? (one + other) / 2 : min(one, other)
      }
    }
    if sighting == .noPerson {
      haunt(&values, frameCount: frameCount)
      return
    }
    if generator.chance(0.06) {
      let start = Int(generator.uniform(0...1) * Float(frameCount))
      let end = min(frameCount, start + Int(generator.uniform(1...10)))
      clear(start..<max(start, end), of: &values)
    }
    if sighting == .leaving { clearFramesOutside(&values, frameCount: frameCount) }
  }

  /// Removes poses with most joints outside the frame.
  private func clearFramesOutside(_ values: inout [Float], frameCount: Int) {
    for frame in 0..<frameCount {
      let start = (frame * 3 + 2) * BodyJoint.count
      let unsure = values[start..<(start + BodyJoint.count)].count {
        $0 <= Self.outsideConfidence
      }
      if unsure > 12 { clear(frame..<(frame + 1), of: &values) }
    }
  }

  private func clear(_ frames: Range<Int>, of values: inout [Float]) {
    let size = 3 * BodyJoint.count
    for index in (frames.lowerBound * size)..<(frames.upperBound * size) { values[index] = 0 }
  }

  /// Unsure poses that flicker: here for a while, gone, there for a while.
  private mutating func haunt(_ values: inout [Float], frameCount: Int) {
    let presence = generator.uniform(0.2...0.95)
    let unrest = generator.uniform(0.002...0.04)
    var frame = 0
    while frame < frameCount {
      let end = min(frameCount, frame + Int(generator.uniform(2...40)))
      guard generator.chance(presence) else {
        clear(frame..<end, of: &values)
        frame = end
        continue
      }
      let shift = SIMD2(generator.quickNormal(), generator.quickNormal()) * 0.12
      let scale = SIMD2(generator.uniform(0.3...1.1), generator.uniform(0.3...1.1))
      let sureness = generator.uniform(0.05...0.9)
      for frame in frame..<end {
        for joint in 0..<BodyJoint.count {
          let start = frame * 3 * BodyJoint.count + joint
          for row in 0..<2 {
            let index = start + row * BodyJoint.count
            let from = 0.5 + shift[row] + (values[index] - 0.5) * scale[row]
            values[index] = from + unrest * generator.quickNormal()
          }
          let index = start + 2 * BodyJoint.count
          values[index] = max(0.01, values[index] * sureness * generator.uniform(0.4...1))
        }
      }
      frame = end
    }
  }
}

/// Smooth noise in two directions, frame by frame.
private struct JointNoise {
  private let x, y: SmoothNoise

  init(spacing: Double, frameCount: Int, using generator: inout SeededGenerator) {
    x = SmoothNoise(spacing: spacing, amplitude: 1, duration: Double(frameCount), using: &generator)
    y = SmoothNoise(spacing: spacing, amplitude: 1, duration: Double(frameCount), using: &generator)
  }

  func value(at frame: Int) -> SIMD2<Float> {
    SIMD2(x.value(at: Double(frame)), y.value(at: Double(frame)))
  }
}
