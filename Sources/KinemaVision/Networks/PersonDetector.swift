import Foundation
import KinemaVideo

/// Finds people in a picture, each roughly: BlazePose's detector (`pose_detection.tflite`).
///
/// The constants are those of MediaPipe's `pose_detection_cpu` graph.
package struct PersonDetector {
  /// A person, roughly.
  package struct Detection {
    /// How sure it is that a person is there, from 0 to 1.
    package var score: Float
    /// Two corners of a box around the face and four points, of which the first two are the middle
    /// of the hips and a point on the circle around the body; in pixels of the picture.
    package var points: [SIMD2<Float>]

    /// The square in which the person's landmarks are to be looked for.
    package var region: Region { Region(hips: points[2], tip: points[3]) }
  }

  /// The least score of a detection.
  static let minimumScore: Float = 0.5
  /// The overlap above which two boxes are taken for one person (intersection over union).
  static let maximumOverlap: Float = 0.3

  private static let side = 224
  /// A layer's stride in pixels and how many anchors it has in each cell.
  private static let layers: [(stride: Int, anchors: Int)] = [(8, 2), (16, 2), (32, 6)]
  /// Numbers the network gives for an anchor: centre, width and height, four points.
  private static let numberCount = 12

  private let network: Network
  private var sampler = RegionSampler(side: side, border: .black, range: -1...1)
  private let anchors: [SIMD2<Float>]

  init(engine: OpenVINO, weights: URL, precision: HumanBodyPoseExtractor.Precision)
    throws(VisionError)
  {
    anchors = Self.layers.flatMap { layer in
      let cells = Self.side / layer.stride
      return (0..<cells * cells * layer.anchors).map { index in
        let cell = index / layer.anchors
        return (SIMD2(Float(cell % cells), Float(cell / cells)) + 0.5) / Float(cells)
      }
    }
    network = try Network(
      contentsOf: weights, engine: engine, precision: precision,
      inputCount: Self.side * Self.side * 3,
      outputCounts: [anchors.count * Self.numberCount, anchors.count])
  }

  /// The people in a region of a picture, the surest first.
  mutating func people(
    in region: Region, of frame: Frame, times: inout StageTimes
  ) throws(VisionError) -> [Detection] {
    times.measure(.sampling) { sampler.sample(region, of: frame, into: network.input) }
    try times.measure(.detector) { () throws(VisionError) in try network.run() }
    return times.measure(.decoding) {
      merged(candidates()).map { candidate in
        Detection(score: candidate.score, points: candidate.points.map(region.imagePoint(of:)))
      }
    }
  }

  /// The anchors that see a person, the surest first; points in shares of the region.
  private func candidates() -> [Detection] {
    let numbers = network.outputs[0]
    let scores = network.outputs[1]
    let minimum = log(Self.minimumScore / (1 - Self.minimumScore))
    var found: [Detection] = []
    for index in anchors.indices where scores[index] >= minimum {
      let pairs = (0..<Self.numberCount / 2).map { pair in
        let start = index * Self.numberCount + pair * 2
        return SIMD2(numbers[start], numbers[start + 1]) / Float(Self.side)
      }
      let center = pairs[0] + anchors[index]
      let corners = [center - pairs[1] / 2, center + pairs[1] / 2]
      found.append(
        Detection(
          score: logistic(scores[index]), points: corners + pairs[2...].map { $0 + anchors[index] })
      )
    }
    return found.sorted { $0.score > $1.score }
  }

  /// Makes one detection of those that overlap: the mean of their points, weighted by score.
  private func merged(_ candidates: [Detection]) -> [Detection] {
    var rest = candidates
    var result: [Detection] = []
    while !rest.isEmpty {
      let best = rest.removeFirst()
      let group = [best] + rest.filter { Self.overlap(best, $0) > Self.maximumOverlap }
      rest.removeAll { Self.overlap(best, $0) > Self.maximumOverlap }
      let total = group.reduce(0) { $0 + $1.score }
      let points = best.points.indices.map { point in
        group.reduce(SIMD2<Float>.zero) { $0 + $1.points[point] * ($1.score / total) }
      }
      result.append(Detection(score: best.score, points: points))
    }
    return result
  }

  /// The boxes' intersection over their union.
  private static func overlap(_ first: Detection, _ second: Detection) -> Float {
    func area(_ lower: SIMD2<Float>, _ upper: SIMD2<Float>) -> Float {
      let size = pointwiseMax(upper - lower, .zero)
      return size.x * size.y
    }
    let shared = area(
      pointwiseMax(first.points[0], second.points[0]),
      pointwiseMin(first.points[1], second.points[1]))
    let all =
      area(first.points[0], first.points[1]) + area(second.points[0], second.points[1]) - shared
    return all > 0 ? shared / all : 0
  }
}
