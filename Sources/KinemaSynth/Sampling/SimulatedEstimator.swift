import KinemaPose

/// Simulates the errors of a pose network like BlazePose: noise, drifting and less confident joints
/// if hidden or outside the frame, and occasional missing poses.
struct SimulatedEstimator {
  /// The standard deviation of the noise, as a share of stature.
  let tremble: Float
  /// How much hidden joints suffer, from 0 to 1.
  private let occlusion: Float
  /// How far joints outside the frame drift, as a share of it.
  private let wandering: Float
  /// What is missing from confidence 1 everywhere.
  private let doubt: Float
  /// How fast confidence falls outside the frame.
  private let outsideDoubt: Float
  private let sighting: Motion.Sighting
  private var generator: SeededGenerator

  /// The largest confidence that Kinema's extractor gives a joint outside the frame.
  private static let outsideConfidence: Float = 0.1
  private static let jointCount = JointKey.body.count
  private static let neck = 1
  private static let shoulders = (2, 5)
  private static let hips = [8, 11]
  private static let legs = [9, 10, 12, 13]

  init(sighting: Motion.Sighting, using generator: inout SeededGenerator) {
    tremble = generator.uniform(0.001...0.006)
    occlusion = generator.uniform(0...1)
    wandering = generator.uniform(0...0.06)
    doubt = abs(generator.normal()) * 0.02
    outsideDoubt = 3 * generator.uniform(0.3...1)
    self.sighting = sighting
    self.generator = SeededGenerator(seed: generator.next())
  }

  /// `[frames, 3, 18]` values; see ``SyntheticMotionSample/values``.
  ///
  /// - Parameter takesForUpright: Whether bodies that point at the camera may be taken for upright
  ///   ones (``UprightMistake``).
  mutating func observed(
    _ views: [[Vector]], camera: ObservingCamera, takesForUpright: Bool = false
  ) -> [Float] {
    let size = 3 * Self.jointCount
    var values = [Float](repeating: 0, count: views.count * size)
    let picture = camera.picture(of: views)
    var views = views
    var doubts: [UprightMistake.Doubt] = []
    if takesForUpright {
      // Its own random numbers: other people stay as they are.
      var fork = generator
      doubts = UprightMistake(frameCount: views.count, using: &fork).mislead(&views)
    }
    let depths = views.map { joints in joints.reduce(0) { $0 + $1.z } / Float(joints.count) }
    for joint in 0..<Self.jointCount where joint != Self.neck {
      observe(joint, of: views, depths: depths, picture: picture, into: &values)
    }
    for (frame, doubt) in doubts.enumerated() {
      let row = (frame * 3 + 2) * Self.jointCount
      for (joints, doubt) in [(Self.hips, doubt.hips), (Self.legs, doubt.legs)] {
        for joint in joints { values[row + joint] = max(0.01, values[row + joint] * (1 - doubt)) }
      }
    }
    placeNeck(in: &values, frameCount: views.count)
    loseFrames(of: &values, frameCount: views.count)
    return values
  }

  private mutating func observe(
    _ joint: Int, of views: [[Vector]], depths: [Float],
    picture: (corner: SIMD2<Float>, size: SIMD2<Float>), into values: inout [Float]
  ) {
    let wobble = JointNoise(spacing: 6, frameCount: views.count, using: &generator)
    let wander = JointNoise(spacing: 9, frameCount: views.count, using: &generator)
    let hiddenDoubt = SmoothNoise(
      spacing: 13, amplitude: 0.3, duration: Double(views.count), using: &generator)
    // A hidden joint is put in a wrong place, and stays there.
    let bias =
      SIMD2(generator.quickNormal(), generator.quickNormal()) * (0.012 * occlusion)
    let miss = missedFrames(of: joint, frameCount: views.count)
    for frame in views.indices {
      let place = views[frame][joint]
      let hidden = place.z < depths[frame] - 0.02 ? occlusion : 0
      let white = SIMD2(generator.quickNormal(), generator.quickNormal())
      var shake = (white * 0.6 + wobble.value(at: frame) * 0.9) * (tremble * (1 + 2 * hidden))
      if hidden > 0 { shake += bias }
      let isMissed = miss.contains(frame)
      if isMissed { shake += wander.value(at: frame) * 0.05 }
      var seen = (SIMD2(place.x, place.y) + shake - picture.corner) / picture.size
      let outside = max(0, (pointwiseMax(-seen, seen - 1)).max())
      seen += wander.value(at: frame) * (wandering * min(1, outside * 2.5))
      var confidence = 1 - doubt - hidden * abs(hiddenDoubt.value(at: Double(frame))) * 1.2
      confidence -= min(outside, 0.3) * outsideDoubt
      if isMissed { confidence *= 0.3 }
      if outside > 0 { confidence = min(confidence, Self.outsideConfidence) }
      let start = frame * 3 * Self.jointCount + joint
      values[start] = seen.x
      values[start + Self.jointCount] = seen.y
      values[start + 2 * Self.jointCount] = min(max(confidence, 0.01), 1)
    }
  }

  /// Frames in which the estimator has lost a hand or a foot: mostly none.
  private mutating func missedFrames(of joint: Int, frameCount: Int) -> Range<Int> {
    let isEnd = [4, 7, 10, 13].contains(joint)
    guard generator.chance(isEnd ? 0.06 : 0.01) else { return 0..<0 }
    let length = Int(generator.uniform(4...25))
    let start = Int(generator.uniform(0...1) * Float(frameCount))
    return start..<(start + length)
  }

  /// The mid-point of the shoulders with the lower confidence.
  private func placeNeck(in values: inout [Float], frameCount: Int) {
    let (right, left) = Self.shoulders
    for frame in 0..<frameCount {
      for row in 0..<3 {
        let start = (frame * 3 + row) * Self.jointCount
        let (one, other) = (values[start + right], values[start + left])
        values[start + Self.neck] = row < 2 ? (one + other) / 2 : min(one, other)
      }
    }
  }

  /// Frames without a pose, and false poses without a person.
  private mutating func loseFrames(of values: inout [Float], frameCount: Int) {
    if sighting == .noPerson {
      haunt(&values, frameCount: frameCount)
    } else if generator.chance(0.06) {
      let start = Int(generator.uniform(0...1) * Float(frameCount))
      let end = min(frameCount, start + Int(generator.uniform(1...10)))
      clear(start..<max(start, end), of: &values)
    } else if sighting == .leaving {
      clearFramesOutside(&values, frameCount: frameCount)
    }
  }

  /// Removes poses with most joints outside the frame.
  private func clearFramesOutside(_ values: inout [Float], frameCount: Int) {
    for frame in 0..<frameCount {
      let start = (frame * 3 + 2) * Self.jointCount
      let unsure = values[start..<(start + Self.jointCount)].count {
        $0 <= Self.outsideConfidence
      }
      if unsure > 12 { clear(frame..<(frame + 1), of: &values) }
    }
  }

  private func clear(_ frames: Range<Int>, of values: inout [Float]) {
    let size = 3 * Self.jointCount
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
        for joint in 0..<Self.jointCount {
          let start = frame * 3 * Self.jointCount + joint
          for row in 0..<2 {
            let index = start + row * Self.jointCount
            let from = 0.5 + shift[row] + (values[index] - 0.5) * scale[row]
            values[index] = from + unrest * generator.quickNormal()
          }
          let index = start + 2 * Self.jointCount
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
