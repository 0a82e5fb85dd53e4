import Foundation
package import KinemaAction
import KinemaModelFiles
package import KinemaNetwork
import KinemaPose
package import KinemaTraining

/// A classifier by the height of the right wrist, y, summed over a window.
///
/// The scores are wΣy − b for “up” and b − wΣy for “down”; with w = 2 and b = 4,
/// p(up) = 1 / (1 + e^(−4(Σy − 2))).
package enum WristModel {
  package static let windowSize = 4

  package static func graph(
    labels: Int = 2, windowSize: Int = WristModel.windowSize, weight: Float = 2,
    bias offset: Float = 4
  ) throws -> Graph {
    let count = windowSize * 54
    let column = 18 + (JointKey.body.firstIndex(of: .rightWrist) ?? 0)
    var weights = [Float](repeating: 0, count: labels * count)
    var bias = [Float](repeating: -20, count: labels)
    for frame in 0..<windowSize {
      weights[frame * 54 + column] = weight
      weights[count + frame * 54 + column] = -weight
    }
    (bias[0], bias[1]) = (-offset, offset)
    return Graph(
      inputName: "poses", inputShape: [windowSize, 3, 18],
      nodes: [
        Node(
          name: "flat", layer: Reshape(target: [1, count]), inputs: ["poses"], outputs: ["flat"]),
        Node(
          name: "scores",
          layer: try InnerProduct(
            inputChannels: count, outputChannels: labels, weights: weights, bias: bias),
          inputs: ["flat"], outputs: ["scores"]),
        Node(
          name: "labelProbabilities", layer: Softmax(axis: 1), inputs: ["scores"],
          outputs: ["labelProbabilities"]),
      ])
  }

  package static func bytes(labels: [String] = ["up", "down", "other"]) throws -> [UInt8] {
    try ModelWriter(graph: graph(labels: labels.count), labels: labels, frameRate: 10).bytes()
  }

  package static func classifier(labels: [String] = ["up", "down", "other"]) throws
    -> ActionClassifier
  {
    try ActionClassifier(bytes(labels: labels), name: "wrist")
  }

  /// An example at the model's rate, a height a frame; no person for `nil`.
  package static func example(
    _ label: String, _ heights: [Float?], file: String = "a.mp4", start: Double = 0
  ) -> ActionExample {
    let frames = heights.enumerated().map { index, height in
      let point = height.map { JointPoint(.rightWrist, position: SIMD2(0.5, $0), confidence: 1) }
      return PoseSequence.Frame(
        time: start + Double(index) / 10,
        poses: point.map { [Pose(from: [.rightWrist: $0], personID: 1)] } ?? [])
    }
    return ActionExample(
      label: label, file: file, videoID: file,
      timeRange: start..<(start + Double(heights.count) / 10),
      poses: PoseSequence(frames: frames))
  }
}
