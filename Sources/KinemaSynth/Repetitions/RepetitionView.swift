import Foundation

/// How repetitions are seen: a camera anywhere, that may move or be another one from some moment
/// on, and joints as a pose network would find them.
package struct RepetitionView {
  private let duration: Double
  private let frameRate: Double
  private var generator: SeededGenerator
  /// Whether each frame is stretched to fill the unit square, as some collections of poses are.
  private let fillsSquare: Bool

  init(duration: Double, frameRate: Double, using generator: inout SeededGenerator) {
    self.duration = duration
    self.frameRate = frameRate
    self.generator = SeededGenerator(seed: generator.next())
    fillsSquare = generator.chance(0.5)
  }

  /// The observed bodies.
  ///
  /// - Parameter bodies: The 18 joints of each frame, in shares of stature.
  /// - Returns: The locations, which joints are ever visible, and how clearly the movement exceeds
  ///   the noise.
  mutating func observe(
    _ bodies: [[Vector]]
  ) -> (positions: [SIMD2<Float>], isJointSeen: [Bool], clarity: Clarity) {
    let views = projected(bodies)
    let (noisy, noise) = disturbed(views)
    var positions = noisy
    var isJointSeen = [Bool](repeating: true, count: 18)
    let lost = lostJoints()
    bridgeLimbs(&positions, frameCount: bodies.count)
    bridgeGaps(&positions, frameCount: bodies.count)
    if fillsSquare { Self.fillSquare(&positions) }
    if !lost.isEmpty { hide(lost, in: &positions, isJointSeen: &isJointSeen) }
    return (positions, isJointSeen, Clarity(views, lost: lost, noise: noise))
  }

  // MARK: - The camera

  private struct Camera {
    let yaw, pitch, roll, distance: Float
    let yawDrift, pitchDrift, zoom: SmoothNoise?

    init(duration: Double, using generator: inout SeededGenerator) {
      let kind = generator.uniform(0...1)
      if kind < 0.28 {
        yaw = 0.35 * generator.normal()
      } else if kind < 0.52 {
        yaw = (generator.chance(0.5) ? .pi / 2 : -.pi / 2) + 0.3 * generator.normal()
      } else {
        yaw = generator.uniform(-.pi...(.pi))
      }
      pitch =
        generator.chance(0.1) ? generator.uniform(0.3...1.2) : 0.08 + 0.18 * generator.normal()
      let turn: Float = generator.chance(0.07) ? (generator.chance(0.5) ? .pi / 2 : -.pi / 2) : 0
      roll = turn + 0.06 * generator.normal()
      distance = exp(generator.uniform(log(1.25)...log(6)))
      func drift(_ amplitude: Float, _ generator: inout SeededGenerator) -> SmoothNoise? {
        guard generator.chance(0.15) else { return nil }
        return SmoothNoise(
          spacing: Double(generator.uniform(1...4)),
          amplitude: amplitude * generator.uniform(0.2...1), duration: duration, using: &generator)
      }
      yawDrift = drift(0.4, &generator)
      pitchDrift = drift(0.2, &generator)
      zoom = drift(0.2, &generator)
    }

    /// Where a place is seen, and how near it is.
    func view(_ joints: [Vector], from middle: Vector, at time: Double) -> [Vector] {
      let yaw = yaw + (yawDrift?.value(at: time) ?? 0)
      let pitch = pitch + (pitchDrift?.value(at: time) ?? 0)
      let scale = exp(zoom?.value(at: time) ?? 0)
      let (sinYaw, cosYaw) = (sin(yaw), cos(yaw))
      let (sinPitch, cosPitch) = (sin(pitch), cos(pitch))
      let (sinRoll, cosRoll) = (sin(roll), cos(roll))
      return joints.map { joint in
        let away = joint - middle
        let x = away.x * cosYaw - away.z * sinYaw
        let depth = away.x * sinYaw + away.z * cosYaw
        let y = away.y * cosPitch - depth * sinPitch
        let z = away.y * sinPitch + depth * cosPitch
        let size = scale * distance / max(distance - z, 0.35)
        return Vector((x * cosRoll - y * sinRoll) * size, (x * sinRoll + y * cosRoll) * size, z)
      }
    }
  }

  private mutating func projected(_ bodies: [[Vector]]) -> [[Vector]] {
    let camera = Camera(duration: duration, using: &generator)
    let other = Camera(duration: duration, using: &generator)
    let cut = generator.chance(0.22) ? Double(generator.uniform(0.2...0.8)) * duration : .infinity
    let total = bodies.reduce(Vector()) { $0 + $1.reduce(Vector(), +) }
    let middle = total / Float(max(bodies.count, 1) * 18)
    return bodies.enumerated().map { frame, joints in
      let time = Double(frame) / frameRate
      return (time < cut ? camera : other).view(joints, from: middle, at: time)
    }
  }

  /// Whether a movement exceeds the noise.
  struct Clarity {
    /// The smallest scored movement, in shares of stature.
    private static let leastMovement: Float = 0.008
    /// The same, in the noise's standard deviations.
    private static let leastShare: Float = 2.5

    private let views: [[Vector]]
    private let joints: [Int]
    private let noise: Float

    fileprivate init(_ views: [[Vector]], lost: [Int], noise: Float) {
      self.views = views
      joints = [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13].filter { !lost.contains($0) }
      self.noise = noise
    }

    /// Whether the movement within some repetitions is clear: the two joints that move most do so
    /// by more than the noise, as root mean square deviations within a repetition.
    func isClear(_ repetitions: [Range<Int>]) -> Bool {
      let deviations = joints.map { deviation(of: $0, in: views, during: repetitions) }
      let movement = deviations.sorted().suffix(2).reduce(0, +) / 2
      return movement > max(Self.leastMovement, Self.leastShare * noise)
    }
  }

  // MARK: - The pose network

  private mutating func disturbed(_ views: [[Vector]]) -> ([SIMD2<Float>], Float) {
    let count = views.count
    let tremble = exp(generator.uniform(log(0.0015)...log(generator.chance(0.2) ? 0.05 : 0.015)))
    let occlusion = generator.uniform(0...1)
    let depths = views.map { joints in joints.reduce(0) { $0 + $1.z } / 18 }
    var positions = [SIMD2<Float>](repeating: .zero, count: count * 18)
    for joint in 0..<18 where joint != 1 {
      let noise = (0..<4).map { index in
        SmoothNoise(
          spacing: index < 2 ? 3 : 8, amplitude: 1, duration: Double(count), using: &generator)
      }
      let bias = SIMD2(generator.quickNormal(), generator.quickNormal()) * (0.03 * occlusion)
      let missed = missedFrames(of: joint, count: count)
      for frame in 0..<count {
        let place = views[frame][joint]
        let hidden = place.z < depths[frame] - 0.02 ? occlusion : 0
        let white = SIMD2(generator.quickNormal(), generator.quickNormal())
        let time = Double(frame)
        let wobble = SIMD2(noise[0].value(at: time), noise[1].value(at: time))
        let wander = SIMD2(noise[2].value(at: time), noise[3].value(at: time))
        var shake = (white * 0.6 + wobble * 0.9) * (tremble * (1 + 3 * hidden)) + bias * hidden
        if missed.contains(frame) { shake += wander * 0.08 }
        positions[frame * 18 + joint] = SIMD2(place.x, place.y) + shake
      }
    }
    exchangeSides(&positions, count: count)
    throwFrames(&positions, count: count)
    for frame in 0..<count {
      positions[frame * 18 + 1] = (positions[frame * 18 + 2] + positions[frame * 18 + 5]) / 2
    }
    return (positions, tremble)
  }

  private mutating func missedFrames(of joint: Int, count: Int) -> Range<Int> {
    guard generator.chance([4, 7, 10, 13].contains(joint) ? 0.1 : 0.02) else { return 0..<0 }
    let start = Int(generator.uniform(0...1) * Float(count))
    return start..<(start + Int(generator.uniform(3...30)))
  }

  private static let pairs = [
    (2, 5), (3, 6), (4, 7), (8, 11), (9, 12), (10, 13), (14, 15), (16, 17),
  ]

  /// Exchanges left and right occasionally, mostly in legs seen from the side.
  private mutating func exchangeSides(_ positions: inout [SIMD2<Float>], count: Int) {
    guard generator.chance(0.12) else { return }
    let pairs = generator.chance(0.6) ? Array(Self.pairs[4...5]) : Self.pairs
    for _ in 0..<Int(generator.uniform(1...6)) {
      let start = Int(generator.uniform(0...1) * Float(count))
      for frame in start..<min(count, start + Int(generator.uniform(1...8))) {
        for (right, left) in pairs { positions.swapAt(frame * 18 + right, frame * 18 + left) }
      }
    }
  }

  /// Single frames in which the body is somewhere else or torn.
  private mutating func throwFrames(_ positions: inout [SIMD2<Float>], count: Int) {
    guard generator.chance(0.12) else { return }
    for _ in 0..<Int(generator.uniform(1...5)) {
      let frame = Int(generator.uniform(0...0.999) * Float(count))
      let shift = SIMD2(generator.normal(), generator.normal()) * 0.2
      let scale = generator.uniform(0.5...1.3)
      for joint in 0..<18 {
        let shake = SIMD2(generator.quickNormal(), generator.quickNormal()) * 0.03
        positions[frame * 18 + joint] = positions[frame * 18 + joint] * scale + shift + shake
      }
    }
  }

  /// Limbs that are not found for a while are bridged by straight lines.
  private mutating func bridgeLimbs(_ positions: inout [SIMD2<Float>], frameCount: Int) {
    guard generator.chance(0.25) else { return }
    for _ in 0..<Int(generator.uniform(1...3.99)) {
      let limb = generator.pick([[3, 4], [6, 7], [9, 10], [12, 13], [4], [7], [10, 13], [0]])
      let start = Int(generator.uniform(0...0.95) * Float(frameCount))
      let end = start + Int(exp(generator.uniform(log(3)...log(25))))
      guard start > 0, end < frameCount else { continue }
      for joint in limb { bridge(joint, from: start, to: end, in: &positions) }
    }
  }

  private func bridge(
    _ joint: Int, from start: Int, to end: Int, in positions: inout [SIMD2<Float>]
  ) {
    let before = positions[(start - 1) * 18 + joint]
    let after = positions[end * 18 + joint]
    for frame in start..<end {
      let share = Float(frame - start + 1) / Float(end - start + 1)
      positions[frame * 18 + joint] = before + (after - before) * share
    }
  }

  /// Frames without a pose are bridged by straight lines.
  private mutating func bridgeGaps(_ positions: inout [SIMD2<Float>], frameCount: Int) {
    guard generator.chance(0.2) else { return }
    for _ in 0..<Int(generator.uniform(1...4.99)) {
      let start = Int(generator.uniform(0...0.95) * Float(frameCount))
      let end = start + Int(exp(generator.uniform(log(2)...log(18))))
      guard start > 0, end < frameCount else { continue }
      for joint in 0..<18 { bridge(joint, from: start, to: end, in: &positions) }
    }
  }

  /// Stretches each frame of 18 joints to fill the unit square.
  package static func fillSquare(_ positions: inout [SIMD2<Float>]) {
    for frame in 0..<(positions.count / 18) {
      let range = (frame * 18)..<((frame + 1) * 18)
      let low = positions[range].reduce(positions[range.lowerBound], pointwiseMin)
      let high = positions[range].reduce(positions[range.lowerBound], pointwiseMax)
      let size = pointwiseMax(high - low, SIMD2(repeating: 1e-3))
      for index in range { positions[index] = (positions[index] - low) / size }
    }
  }

  /// Joints always outside the frame: the legs of a near person.
  private mutating func lostJoints() -> [Int] {
    guard !fillsSquare, generator.chance(0.08) else { return [] }
    return generator.chance(0.5) ? [9, 10, 12, 13] : [10, 13]
  }

  private func hide(
    _ joints: [Int], in positions: inout [SIMD2<Float>], isJointSeen: inout [Bool]
  ) {
    for joint in joints { isJointSeen[joint] = false }
    var (sum, count) = (SIMD2<Float>.zero, Float(0))
    for index in positions.indices where isJointSeen[index % 18] {
      sum += positions[index]
      count += 1
    }
    for index in positions.indices where !isJointSeen[index % 18] { positions[index] = sum / count }
  }
}

/// The root mean square deviation of a joint from its mean place in each repetition.
///
/// - Parameter repetitions: The frames of each.
func deviation(
  of joint: Int, in views: [[Vector]], during repetitions: [some Collection<Int>]
) -> Float {
  var (square, count) = (Float(0), 0)
  for frames in repetitions where !frames.isEmpty {
    let places = frames.map { SIMD2(views[$0][joint].x, views[$0][joint].y) }
    let mean = places.reduce(.zero, +) / Float(places.count)
    square += places.reduce(0) { $0 + (($1 - mean) * ($1 - mean)).sum() }
    count += places.count
  }
  return (square / Float(max(count, 1))).squareRoot()
}
