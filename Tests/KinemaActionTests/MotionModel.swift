import KinemaAction
import KinemaNetwork
import KinemaPose
import Testing

/// A classifier of whether the right wrist is in the upper or the lower half of the picture, on
/// average over the window: small enough to compute its predictions by hand.
enum MotionModel {
  static let labels = ["up", "down"]

  static func classifier(
    windowSize: Int = 60, frameRate: Double? = 30, metadata: ModelMetadata = ModelMetadata()
  ) throws -> ActionClassifier {
    let wristColumn = try #require(JointKey.body.firstIndex(of: .rightWrist))
    let count = windowSize * 54
    var weights = [Float](repeating: 0, count: 2 * count)
    for frame in 0..<windowSize {
      let index = frame * 54 + 18 + wristColumn
      weights[index] = 10 / Float(windowSize)
      weights[count + index] = -10 / Float(windowSize)
    }
    let graph = Graph(
      inputName: "poses", inputShape: [windowSize, 3, 18],
      nodes: [
        Node(
          name: "flat", layer: Reshape(target: [1, count]), inputs: ["poses"], outputs: ["flat"]),
        Node(
          name: "scores",
          layer: try InnerProduct(
            inputChannels: count, outputChannels: 2, weights: weights, bias: [-5, 5]),
          inputs: ["flat"], outputs: ["scores"]),
        Node(
          name: "probabilities", layer: Softmax(axis: 1), inputs: ["scores"],
          outputs: ["probabilities"]),
      ])
    let writer = ModelWriter(
      graph: graph, labels: labels, frameRate: frameRate, metadata: metadata)
    return try ActionClassifier(writer.bytes(), name: "motion")
  }

  /// A pose with the right wrist at a height.
  static func pose(wristHeight: Float) -> Pose {
    var values = [Float](repeating: 0.5, count: 54)
    values[18 + 4] = wristHeight
    return Pose(multiArray: values, personID: 1)
  }
}
