import Foundation
package import KinemaVideo

/// BlazePose's landmark network (`pose_landmark_full.tflite`, without segmentation), with the
/// constants of MediaPipe's `pose_landmark_cpu` graph.
package struct BlazePoseNetwork: BodyNetwork {
  /// Lowest probability of a person.
  static let minimumPresence: Float = 0.5
  /// Lowest value of a heat map that moves a point.
  static let minimumHeat: Float = 0.5
  /// The reach of the window around a point in its heat map: MediaPipe's graph has `kernel_size:
  /// 7`, its results are those of 9 × 9 cells.
  private static let heatReach = 4

  private static let side = 256
  /// The network's points, in its order.
  package static let topology = BodyTopology([
    .nose, .leftEyeInner, .leftEye, .leftEyeOuter, .rightEyeInner, .rightEye, .rightEyeOuter,
    .leftEar, .rightEar, .leftMouth, .rightMouth, .leftShoulder, .rightShoulder, .leftElbow,
    .rightElbow, .leftWrist, .rightWrist, .leftLittleFinger, .rightLittleFinger,
    .leftIndexFinger, .rightIndexFinger, .leftThumb, .rightThumb, .leftHip, .rightHip, .leftKnee,
    .rightKnee, .leftAnkle, .rightAnkle, .leftHeel, .rightHeel, .leftToes, .rightToes,
  ])
  private static let pointCount = topology.points.count
  /// The points, the two that give the next region, and four that are not used.
  private static let landmarkCount = 39
  /// The values of a landmark: x, y, z, visibility, presence.
  private static let numberCount = 5
  private static let mapSide = 64

  private let network: InferenceNetwork
  private var sampler = RegionSampler(side: side, border: .nearest, range: 0...1)

  package static func id(in runtime: VisionRuntime) -> String {
    "BlazePose Full \(runtime.contentHash(of: .poseLandmarks))"
  }

  package init(runtime: VisionRuntime, precision: NetworkPrecision) throws(VisionError) {
    network = try InferenceNetwork(
      .poseLandmarks, runtime: runtime, precision: precision,
      inputCount: Self.side * Self.side * 3,
      outputCounts: [
        Self.landmarkCount * Self.numberCount, 1,
        Self.mapSide * Self.mapSide * Self.landmarkCount, Self.landmarkCount * 3,
      ])
  }

  package mutating func landmarks(
    in region: Region, of frame: Frame, hiding hidden: [BodyLandmarks], times: inout StageTimes
  ) throws(VisionError) -> BodyLandmarks? {
    guard region.isUsable else { return nil }
    times.measure(.sampling) {
      sampler.sample(region, of: frame, into: network.input)
      region.paintOver(hidden, side: Self.side, in: network.input)
    }
    try times.measure(.landmarks) { () throws(VisionError) in try network.run() }
    return times.measure(.decoding) { decoded(in: region) }
  }

  private func decoded(in region: Region) -> BodyLandmarks? {
    let presence = network.outputs[1][0]
    guard presence >= Self.minimumPresence else { return nil }
    let numbers = network.outputs[0]
    let metres = network.outputs[3]
    let (sine, cosine) = (sin(region.angle), cos(region.angle))
    let landmarks = (0...Self.pointCount + 1).map { index in
      let start = index * Self.numberCount
      let place = SIMD2(numbers[start], numbers[start + 1]) / Float(Self.side)
      return BodyLandmarks.Landmark(
        position: region.imagePoint(of: refined(place, landmark: index)),
        depth: numbers[start + 2] / Float(Self.side) * region.size,
        visibility: logistic(numbers[start + 3]), presence: logistic(numbers[start + 4]),
        // MediaPipe: `WorldLandmarkProjectionCalculator`.
        world: SIMD3(
          cosine * metres[3 * index] - sine * metres[3 * index + 1],
          sine * metres[3 * index] + cosine * metres[3 * index + 1], metres[3 * index + 2]))
    }
    return BodyLandmarks(
      points: Array(landmarks.prefix(Self.pointCount)), topology: Self.topology,
      hips: landmarks[Self.pointCount].position, tip: landmarks[Self.pointCount + 1].position,
      presence: presence)
  }

  /// A location in shares of the region, moved to the centre of its heat map if that is confident.
  private func refined(_ place: SIMD2<Float>, landmark: Int) -> SIMD2<Float> {
    let map = network.outputs[2]
    let cell = place * Float(Self.mapSide)
    // MediaPipe rounds towards zero, so a location up to one cell before the map counts as inside.
    let inside = Float(-1).nextUp..<Float(Self.mapSide)
    guard inside.contains(cell.x), inside.contains(cell.y) else { return place }
    let (column, row) = (Int(cell.x), Int(cell.y))
    var sum = SIMD2<Float>.zero
    var total: Float = 0
    var best: Float = 0
    let limit = Self.mapSide - 1
    for y in max(0, row - Self.heatReach)...min(limit, row + Self.heatReach) {
      for x in max(0, column - Self.heatReach)...min(limit, column + Self.heatReach) {
        let heat = logistic(map[(y * Self.mapSide + x) * Self.landmarkCount + landmark])
        sum += SIMD2(Float(x), Float(y)) * heat
        total += heat
        best = max(best, heat)
      }
    }
    guard best >= Self.minimumHeat, total > 0 else { return place }
    return sum / total / Float(Self.mapSide)
  }
}
