import Foundation
import KinemaVideo

/// An anchor-based detector, as MediaPipe's for bodies and palms: a score, a box and points per
/// anchor.
package struct AnchorDetector {
  package struct Design: Sendable {
    let side: Int
    /// The network's values of black and full brightness.
    let range: ClosedRange<Float>
    /// A layer's stride in pixels and its number of anchors per cell.
    let layers: [(stride: Int, anchors: Int)]
    /// Number of points beside the box.
    let pointCount: Int
    /// The landmark network's region for the points of a detection.
    package let region: @Sendable ([SIMD2<Float>]) -> Region
    var minimumScore: Float = 0.5
    /// Intersection over union above which two boxes are one object.
    var maximumOverlap: Float = 0.3

    /// Values per anchor: centre, width and height, the points.
    var numberCount: Int { 4 + 2 * pointCount }

    /// The anchors' positions in shares of the input: row by row, layer by layer.
    var anchors: [SIMD2<Float>] {
      layers.flatMap { layer in
        let cells = side / layer.stride
        return (0..<cells * cells * layer.anchors).map { index in
          let cell = index / layer.anchors
          return (SIMD2(Float(cell % cells), Float(cell / cells)) + 0.5) / Float(cells)
        }
      }
    }
  }

  private typealias Candidate = (score: Float, points: [SIMD2<Float>])

  private let design: Design
  private let network: InferenceNetwork
  private var sampler: RegionSampler
  private let anchors: [SIMD2<Float>]

  init(
    _ design: Design, weights: Weights, runtime: VisionRuntime, precision: NetworkPrecision
  ) throws(VisionError) {
    self.design = design
    anchors = design.anchors
    sampler = RegionSampler(side: design.side, border: .black, range: design.range)
    network = try InferenceNetwork(
      weights, runtime: runtime, precision: precision,
      inputCount: design.side * design.side * 3,
      outputCounts: [anchors.count * design.numberCount, anchors.count])
  }

  /// The detections in a region of a frame, highest score first.
  ///
  /// - Parameter hidden: Bodies to paint out, so that others are found.
  mutating func detections(
    in region: Region, of frame: Frame, hiding hidden: [BodyLandmarks] = [],
    times: inout StageTimes
  ) throws(VisionError) -> [AnchorDetection] {
    times.measure(.sampling) {
      sampler.sample(region, of: frame, into: network.input)
      region.paintOver(hidden, side: design.side, in: network.input)
    }
    try times.measure(.detector) { () throws(VisionError) in try network.run() }
    return times.measure(.decoding) {
      merged(candidates()).map { candidate in
        let points = candidate.points.map(region.imagePoint(of:))
        return AnchorDetection(
          score: candidate.score, points: points, region: design.region(points))
      }
    }
  }

  /// The anchors above the lowest score, highest first; points in shares of the region.
  private func candidates() -> [Candidate] {
    let numbers = network.outputs[0]
    let scores = network.outputs[1]
    let minimum = log(design.minimumScore / (1 - design.minimumScore))
    var found: [Candidate] = []
    for index in anchors.indices where scores[index] >= minimum {
      let pairs = (0..<design.numberCount / 2).map { pair in
        let start = index * design.numberCount + pair * 2
        return SIMD2(numbers[start], numbers[start + 1]) / Float(design.side)
      }
      let center = pairs[0] + anchors[index]
      let corners = [center - pairs[1] / 2, center + pairs[1] / 2]
      found.append(
        (
          score: logistic(scores[index]), points: corners + pairs[2...].map { $0 + anchors[index] }
        )
      )
    }
    return found.sorted { $0.score > $1.score }
  }

  /// Merges overlapping detections to the mean of their points, weighted by score.
  private func merged(_ candidates: [Candidate]) -> [Candidate] {
    var rest = candidates
    var result: [Candidate] = []
    while !rest.isEmpty {
      let best = rest.removeFirst()
      let group = [best] + rest.filter { Self.overlap(best, $0) > design.maximumOverlap }
      rest.removeAll { Self.overlap(best, $0) > design.maximumOverlap }
      let total = group.reduce(0) { $0 + $1.score }
      let points = best.points.indices.map { point in
        group.reduce(SIMD2<Float>.zero) { $0 + $1.points[point] * ($1.score / total) }
      }
      result.append((score: best.score, points: points))
    }
    return result
  }

  /// Intersection over union of boxes.
  private static func overlap(_ first: Candidate, _ second: Candidate) -> Float {
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

/// What ``AnchorDetector`` finds.
package struct AnchorDetection {
  package var score: Float
  /// Two corners of a box, upper left and lower right, and the points, in pixels.
  package var points: [SIMD2<Float>]
  /// The region for the landmark network.
  package var region: Region
}
