import KinemaAction
import KinemaModelFiles
import KinemaPose
import KinemaTestSupport

/// A classifier of whether the right wrist is in the upper or the lower half of the picture, on
/// average over the window: small enough to compute its predictions by hand.
enum MotionModel {
  static let labels = ["up", "down"]

  static func classifier(
    windowSize: Int = 60, frameRate: Double? = 30, metadata: ModelMetadata = ModelMetadata()
  ) throws -> ActionClassifier {
    let graph = try WristModel.graph(
      windowSize: windowSize, weight: 10 / Float(windowSize), bias: 5)
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
