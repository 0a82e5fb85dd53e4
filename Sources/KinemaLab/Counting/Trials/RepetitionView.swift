import Foundation
import KinemaPose
import KinemaSynth

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
    var estimator = SimulatedEstimator(.counting, using: &generator)
    var (positions, lost) = estimator.bridged(views, mayLoseLegs: !fillsSquare)
    var isJointSeen = [Bool](repeating: true, count: BodyJoint.count)
    if fillsSquare { Self.fillSquare(&positions) }
    if !lost.isEmpty { hide(lost, in: &positions, isJointSeen: &isJointSeen) }
    return (positions, isJointSeen, Clarity(views, lost: lost, noise: estimator.tremble))
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
      let projection = ObservingCamera.Projection(
        yaw: yaw + (yawDrift?.value(at: time) ?? 0),
        pitch: pitch + (pitchDrift?.value(at: time) ?? 0), roll: roll, distance: distance,
        zoom: exp(zoom?.value(at: time) ?? 0))
      return joints.map { projection.view($0 - middle) }
    }
  }

  private mutating func projected(_ bodies: [[Vector]]) -> [[Vector]] {
    let camera = Camera(duration: duration, using: &generator)
    let other = Camera(duration: duration, using: &generator)
    let cut = generator.chance(0.22) ? Double(generator.uniform(0.2...0.8)) * duration : .infinity
    let total = bodies.reduce(Vector()) { $0 + $1.reduce(Vector(), +) }
    let middle = total / Float(max(bodies.count, 1) * BodyJoint.count)
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
    private let joints: [BodyJoint]
    private let noise: Float

    fileprivate init(_ views: [[Vector]], lost: [BodyJoint], noise: Float) {
      self.views = views
      joints = BodyJoint.noseAndLimbs.filter { !lost.contains($0) }
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

  /// Stretches each frame of 18 joints to fill the unit square.
  package static func fillSquare(_ positions: inout [SIMD2<Float>]) {
    for frame in 0..<(positions.count / BodyJoint.count) {
      let range = (frame * BodyJoint.count)..<((frame + 1) * BodyJoint.count)
      let low = positions[range].reduce(positions[range.lowerBound], pointwiseMin)
      let high = positions[range].reduce(positions[range.lowerBound], pointwiseMax)
      let size = pointwiseMax(high - low, SIMD2(repeating: 1e-3))
      for index in range { positions[index] = (positions[index] - low) / size }
    }
  }

  private func hide(
    _ joints: [BodyJoint], in positions: inout [SIMD2<Float>], isJointSeen: inout [Bool]
  ) {
    for joint in joints { isJointSeen[joint] = false }
    var (sum, count) = (SIMD2<Float>.zero, Float(0))
    for index in positions.indices where isJointSeen[index % BodyJoint.count] {
      sum += positions[index]
      count += 1
    }
    for index in positions.indices where !isJointSeen[index % BodyJoint.count] {
      positions[index] = sum / count
    }
  }
}

/// The root mean square deviation of a joint from its mean place in each repetition.
///
/// - Parameter repetitions: The frames of each.
func deviation(
  of joint: BodyJoint, in views: [[Vector]], during repetitions: [some Collection<Int>]
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
