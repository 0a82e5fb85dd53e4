import KinemaFiles
package import KinemaPose
package import KinemaSynth

/// A way in which a pose network fails for a while, or for a whole window.
///
/// Training varies windows with it (``PoseAugmentation/failureProbability``), and `kinema bench stress`
/// measures what it does.
package enum PoseFailure: String, CaseIterable, Codable, Sendable {
  /// White noise; the dose is its standard deviation as a share of the body's size.
  case noise
  /// Frames without a pose, up to six in a row; the dose is their share.
  case gaps
  /// Left and right exchanged for eight frames; the dose is the share of frames.
  case exchangedSides
  /// Knees and ankles are missing in the whole window, with a dose above 0.5 hips as well.
  case missingLegs
  /// Elbows and wrists are missing in the whole window.
  case missingArms
  /// Joints are missing in the whole window; the dose is their share.
  case missingJoints
  /// Each joint is missing now and then, for up to six frames; the dose is the share of time.
  case blinkingJoints
  /// Each joint of each frame is missing with the dose as probability.
  case scatteredJoints
  /// Knees and ankles hang below the hips and do not move, as of somebody behind a table.
  case hangingLegs

  /// The largest dose in training.
  var largestDose: Float {
    switch self {
    case .noise: 0.04
    case .gaps, .exchangedSides: 0.4
    case .missingLegs, .missingArms, .hangingLegs: 1
    case .missingJoints, .blinkingJoints, .scatteredJoints: 0.5
    }
  }

  /// A window of `[frames, 3, joints]` values with the failure.
  package func applied(
    to values: [Float], joints: [JointKey], dose: Float, using generator: inout SeededGenerator
  ) -> [Float] {
    var window = PoseWindow(values, joints: joints)
    fail(
      &window, dose: dose, partners: PoseWindow.mirroredJoints(of: joints), using: &generator)
    return window.values
  }

  /// Makes a window fail; `partners` are the mirrored joints.
  func fail(
    _ window: inout PoseWindow, dose: Float, partners: [Int],
    using generator: inout SeededGenerator
  ) {
    switch self {
    case .noise:
      // Uniform with this standard deviation.
      let reach = dose * window.bodySize * Float(3).squareRoot()
      window.move { position, _, _ in
        position + SIMD2(generator.uniform(-reach...reach), generator.uniform(-reach...reach))
      }
    case .gaps:
      for frame in Self.runs(dose, 1...6, of: window.frameCount, using: &generator) {
        window.isReal[frame] = false
      }
    case .exchangedSides:
      for frame in Self.runs(dose, 8...8, of: window.frameCount, using: &generator) {
        window.swapSides(inFrames: frame..<frame + 1, partners: partners)
      }
    case .missingLegs:
      lose(dose > 0.5 ? [.hips, .knees, .ankles] : [.knees, .ankles], of: &window)
    case .missingArms: lose([.elbows, .wrists], of: &window)
    case .missingJoints:
      for joint in window.joints.indices where generator.chance(dose) {
        window.lose(joint, inFrames: 0..<window.frameCount)
      }
    case .blinkingJoints:
      for joint in window.joints.indices {
        window.lose(
          joint, inFrames: Self.runs(dose, 1...6, of: window.frameCount, using: &generator))
      }
    case .scatteredJoints:
      for joint in window.joints.indices {
        window.lose(
          joint, inFrames: (0..<window.frameCount).filter { _ in generator.chance(dose) })
      }
    case .hangingLegs: hangLegs(of: &window, using: &generator)
    }
  }

  /// The two joints of a pair.
  private enum Pair: String {
    case hips = "hip"
    case knees = "knee"
    case ankles = "ankle"
    case elbows = "elbow"
    case wrists = "wrist"
    case shoulders = "shoulder"

    func indices(in window: PoseWindow) -> [Int] {
      window.joints.indices.filter { window.joints[$0].rawValue.lowercased().contains(rawValue) }
    }
  }

  private func lose(_ pairs: [Pair], of window: inout PoseWindow) {
    for joint in pairs.flatMap({ $0.indices(in: window) }) {
      window.lose(joint, inFrames: 0..<window.frameCount)
    }
  }

  /// Frames of runs of some length, of which about a share of all frames is.
  private static func runs(
    _ share: Float, _ length: ClosedRange<Float>, of frameCount: Int,
    using generator: inout SeededGenerator
  ) -> [Int] {
    guard share > 0 else { return [] }
    // Of a share of one half, pauses are as long as runs.
    let mean = (length.lowerBound + length.upperBound) / 2
    let pause = mean * max(0, 1 - share) / share
    var frames: [Int] = []
    var place = generator.uniform(-mean...2 * pause)
    while place < Float(frameCount) {
      let end = place + generator.uniform(length)
      frames += max(0, Int(saturating: place))..<min(frameCount, max(0, Int(saturating: end)))
      place = end + generator.uniform(0...2 * pause)
    }
    return frames
  }

  private func hangLegs(of window: inout PoseWindow, using generator: inout SeededGenerator) {
    let (hips, shoulders) = (Pair.hips.indices(in: window), Pair.shoulders.indices(in: window))
    let count = window.joints.count
    let trunks = (0..<window.frameCount).compactMap { frame -> Float? in
      let found = (hips + shoulders).map { frame * count + $0 }
      guard window.isReal[frame], found.allSatisfy({ window.confidences[$0] > 0 }) else {
        return nil
      }
      let start = frame * count
      let ways = zip(hips, shoulders).map { hip, shoulder in
        window.positions[start + shoulder] - window.positions[start + hip]
      }
      let way = ways.reduce(SIMD2(), +) / Float(max(1, ways.count))
      return (way * way).sum().squareRoot()
    }
    guard !trunks.isEmpty else { return }
    let trunk = trunks.reduce(0, +) / Float(trunks.count)
    let bone = trunk * generator.uniform(0.5...0.95)
    let confidence = generator.uniform(0.1...1)
    for (depth, pair) in [(Float(1), Pair.knees), (2, .ankles)] {
      for (hip, joint) in zip(hips, pair.indices(in: window)) {
        let aside = generator.uniform(-0.1...0.1) * trunk
        for frame in 0..<window.frameCount where window.isReal[frame] {
          let (from, to) = (frame * count + hip, frame * count + joint)
          window.positions[to] = window.positions[from] + SIMD2(aside, -depth * bone)
          window.confidences[to] = min(window.confidences[from], confidence)
        }
      }
    }
  }
}

extension PoseWindow {
  /// The mean of the longer sides of the frames' bodies; 0 without any.
  fileprivate var bodySize: Float {
    let count = joints.count
    let sizes = (0..<frameCount).compactMap { frame -> Float? in
      let found = (frame * count..<(frame + 1) * count).filter { confidences[$0] > 0 }
      guard isReal[frame], let first = found.first else { return nil }
      let low = found.reduce(positions[first]) { pointwiseMin($0, positions[$1]) }
      let high = found.reduce(positions[first]) { pointwiseMax($0, positions[$1]) }
      return (high - low).max()
    }
    return sizes.reduce(0, +) / Float(max(1, sizes.count))
  }

  fileprivate mutating func lose(_ joint: Int, inFrames frames: some Sequence<Int>) {
    for frame in frames { confidences[frame * joints.count + joint] = 0 }
  }
}
