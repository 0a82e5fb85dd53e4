import Foundation
import KinemaVideo

/// MediaPipe's hand landmark network (`hand_landmark_full.tflite`), with the constants of its
/// `hand_landmark_cpu` graph.
struct HandLandmarkFinder {
  static let minimumPresence: Float = 0.5

  private static let side = 224
  private static let pointCount = 21

  private let network: InferenceNetwork
  private var sampler = RegionSampler(side: side, border: .nearest, range: 0...1)

  init(runtime: VisionRuntime, precision: NetworkPrecision) throws(VisionError) {
    // Points, presence, handedness; the points in metres come last and are not used.
    network = try InferenceNetwork(
      .handLandmarks, runtime: runtime, precision: precision,
      inputCount: Self.side * Self.side * 3,
      outputCounts: [Self.pointCount * 3, 1, 1])
  }

  /// The landmarks of the hand in a region; `nil` if there is none.
  mutating func landmarks(
    in region: Region, of frame: Frame, times: inout StageTimes
  ) throws(VisionError) -> HandLandmarks? {
    guard region.isUsable else { return nil }
    times.measure(.sampling) { sampler.sample(region, of: frame, into: network.input) }
    try times.measure(.landmarks) { () throws(VisionError) in try network.run() }
    // Both are already probabilities.
    let (presence, rightness) = (network.outputs[1][0], network.outputs[2][0])
    guard presence >= Self.minimumPresence else { return nil }
    return times.measure(.decoding) {
      let numbers = network.outputs[0]
      let points = (0..<Self.pointCount).map { index in
        let place = SIMD2(numbers[3 * index], numbers[3 * index + 1]) / Float(Self.side)
        return region.imagePoint(of: place)
      }
      return HandLandmarks(points: points, presence: presence, rightness: rightness)
    }
  }
}
