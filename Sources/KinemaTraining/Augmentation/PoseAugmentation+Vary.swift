import Foundation
package import KinemaPose
package import KinemaSynth

extension PoseAugmentation {
  /// Varies a window of `[frames, 3, joints]` values, except for tempo, start and splices, which
  /// need the rest of the clip.
  package func applied(
    to values: [Float], joints: [JointKey], frameRate: Double,
    using generator: inout SeededGenerator
  ) -> [Float] {
    var window = PoseWindow(values, joints: joints)
    vary(
      &window, frameRate: Float(frameRate), partners: PoseWindow.mirroredJoints(of: joints),
      using: &generator)
    return window.values
  }

  /// Varies a window, except for tempo, start and splices; `partners` are the mirrored joints.
  func vary(
    _ window: inout PoseWindow, frameRate: Float, partners: [Int],
    using generator: inout SeededGenerator
  ) {
    pause(&window, frameRate, using: &generator)
    slowCamera(&window, frameRate, using: &generator)
    mirror(&window, partners, using: &generator)
    changeView(&window, using: &generator)
    disturb(&window, using: &generator)
    stretch(&window, using: &generator)
    loseJoints(&window, frameRate, using: &generator)
    swapSides(&window, frameRate, partners, using: &generator)
    loseFrames(&window, frameRate, using: &generator)
    fail(&window, partners, using: &generator)
  }

  // MARK: - Time

  /// A random range of frames with a duration within the bounds.
  private func span(
    _ seconds: ClosedRange<Float>, _ frameRate: Float, in window: PoseWindow,
    using generator: inout SeededGenerator
  ) -> Range<Int> {
    let wanted = Int((generator.uniform(seconds) * frameRate).rounded())
    let length = max(1, min(window.frameCount, wanted))
    let start = Int(generator.next() % UInt64(window.frameCount - length + 1))
    return start..<(start + length)
  }

  private func pause(
    _ window: inout PoseWindow, _ frameRate: Float, using generator: inout SeededGenerator
  ) {
    guard generator.chance(pauseProbability) else { return }
    let still = span(pauseDuration, frameRate, in: window, using: &generator)
    let before = window
    for frame in still { window.copyFrame(still.lowerBound, of: before, to: frame) }
    for frame in still.upperBound..<window.frameCount {
      window.copyFrame(frame - still.count + 1, of: before, to: frame)
    }
  }

  private func slowCamera(
    _ window: inout PoseWindow, _ frameRate: Float, using generator: inout SeededGenerator
  ) {
    guard generator.chance(slowCameraProbability) else { return }
    let step = frameRate / generator.uniform(slowCameraFrameRate)
    guard step > 1 else { return }
    let before = window
    for frame in 0..<window.frameCount {
      let shown = Int((Float(frame) / step).rounded(.down) * step)
      window.copyFrame(shown, of: before, to: frame)
    }
  }

  // MARK: - The view

  private func mirror(
    _ window: inout PoseWindow, _ partners: [Int], using generator: inout SeededGenerator
  ) {
    guard generator.chance(mirrorProbability) else { return }
    window.move { position, _, _ in SIMD2(1 - position.x, position.y) }
    window.swapSides(inFrames: 0..<window.frameCount, partners: partners)
  }

  private func changeView(_ window: inout PoseWindow, using generator: inout SeededGenerator) {
    let angle = generator.normal() * rotationDeviationDegrees * .pi / 180
    let shear = generator.normal() * shearDeviation
    let scale = exp(generator.uniform(logScale))
    let aspect = exp(generator.uniform(logAspect) / 2)
    let tilt = SIMD2(
      generator.uniform(-perspective...perspective), generator.uniform(-perspective...perspective))
    let shift = SIMD2(
      generator.uniform(-horizontalShift...horizontalShift),
      generator.uniform(-verticalShift...verticalShift))
    let drift = SIMD2(generator.normal(), generator.normal()) * driftDeviation
    guard let (center, spread) = window.extent else { return }
    // The columns of rotation · shear · aspect · scale.
    let (sine, cosine) = (sin(angle), cos(angle))
    let first = SIMD2(cosine, sine) * aspect * scale
    let second = SIMD2(shear * cosine - sine, shear * sine + cosine) / aspect * scale
    let bounds = SIMD2(repeating: centerBounds.lowerBound)
    let target = (center + shift).clamped(
      lowerBound: bounds, upperBound: SIMD2(repeating: centerBounds.upperBound))
    let size = max(spread * 2, 1e-6)
    let lastFrame = Float(max(1, window.frameCount - 1))
    window.move { position, frame, _ in
      let offset = position - center
      let depth = max(0.3, 1 + (tilt * offset).sum() / size)
      let turned = first * offset.x + second * offset.y
      return target + turned / depth + drift * (Float(frame) / lastFrame - 0.5)
    }
  }

  private func stretch(_ window: inout PoseWindow, using generator: inout SeededGenerator) {
    guard let stretchProbability, generator.chance(stretchProbability) else { return }
    let count = window.joints.count
    for frame in 0..<window.frameCount where window.isReal[frame] {
      let row = (frame * count..<(frame + 1) * count).filter { window.confidences[$0] > 0 }
      let low = row.reduce(SIMD2(repeating: .infinity)) { pointwiseMin($0, window.positions[$1]) }
      let high = row.reduce(SIMD2(repeating: -.infinity)) {
        pointwiseMax($0, window.positions[$1])
      }
      let size = pointwiseMax(high - low, SIMD2(repeating: 1e-6))
      for index in row { window.positions[index] = (window.positions[index] - low) / size }
    }
  }

  // MARK: - Errors of the pose network

  private func disturb(_ window: inout PoseWindow, using generator: inout SeededGenerator) {
    let biases = window.joints.map { _ in
      SIMD2(generator.normal(), generator.normal()) * biasDeviation
    }
    let jitter = generator.uniform(0...maximumJitter)
    let factor = generator.uniform(confidenceScale)
    guard let spread = window.extent?.spread else { return }
    if biasDeviation > 0 {
      window.move { position, _, joint in position + biases[joint] * spread }
    }
    if jitter > 0 {
      // Uniform with this standard deviation: equivalent here, and faster than normal.
      let reach = jitter * spread * Float(3).squareRoot()
      window.move { position, _, _ in
        position + SIMD2(generator.uniform(-reach...reach), generator.uniform(-reach...reach))
      }
    }
    guard factor != 1 else { return }
    for index in window.confidences.indices { window.confidences[index] *= factor }
  }

  private func loseJoints(
    _ window: inout PoseWindow, _ frameRate: Float, using generator: inout SeededGenerator
  ) {
    let count = window.joints.count
    if generator.chance(missingJointsProbability) {
      for joint in 0..<count where generator.chance(missingJointsShare) {
        for frame in 0..<window.frameCount { window.confidences[frame * count + joint] = 0 }
      }
    }
    if generator.chance(lostJointsProbability) {
      for joint in 0..<count where generator.chance(lostJointsShare) {
        for frame in span(lostJointsDuration, frameRate, in: window, using: &generator) {
          window.confidences[frame * count + joint] = 0
        }
      }
    }
  }

  private func swapSides(
    _ window: inout PoseWindow, _ frameRate: Float, _ partners: [Int],
    using generator: inout SeededGenerator
  ) {
    guard generator.chance(swapProbability) else { return }
    let frames = span(swapDuration, frameRate, in: window, using: &generator)
    window.swapSides(inFrames: frames, partners: partners)
  }

  private func loseFrames(
    _ window: inout PoseWindow, _ frameRate: Float, using generator: inout SeededGenerator
  ) {
    if generator.chance(lostFramesProbability) {
      for frame in span(lostFramesDuration, frameRate, in: window, using: &generator) {
        window.isReal[frame] = false
      }
    }
    if generator.chance(cutProbability) {
      let rest = generator.uniform(cutShare) * Float(window.frameCount)
      let lost = window.frameCount - min(window.frameCount, Int(rest.rounded()))
      let isAtEnd = generator.chance(0.5)
      let frames = isAtEnd ? (window.frameCount - lost)..<window.frameCount : 0..<lost
      for frame in frames { window.isReal[frame] = false }
    }
  }

  private func fail(
    _ window: inout PoseWindow, _ partners: [Int], using generator: inout SeededGenerator
  ) {
    guard let failureProbability, generator.chance(failureProbability) else { return }
    for _ in 0..<(generator.chance(0.2) ? 2 : 1) {
      let failure = generator.pick(PoseFailure.allCases)
      let dose = generator.uniform(0...failure.largestDose)
      failure.fail(&window, dose: dose, partners: partners, using: &generator)
    }
  }
}
