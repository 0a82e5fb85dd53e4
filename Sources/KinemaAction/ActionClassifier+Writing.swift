public import Foundation
package import KinemaModelFiles
import KinemaNetwork
import KinemaPose

extension ActionClassifier {
  /// Writes the model as a `.mlmodel` that Core ML loads; weights become Float32.
  ///
  /// - Throws: ``ActionError`` where the file cannot be written.
  public func write(to url: URL) throws { try modelWriter.write(to: url) }

  /// The writer of this model: with the names and descriptions that it came with.
  package var modelWriter: ModelWriter {
    var writer = ModelWriter(
      graph: model.graph, labels: labels, hasIntegerLabels: model.hasIntegerLabels,
      frameRate: frameRate, metadata: metadata)
    writer.probabilitiesName = model.probabilitiesName
    writer.features.inputDescription = information.inputs.first?.description
    // ONNX has no output for the label, and one of numbers for the probabilities.
    for output in information.outputs where !information.isONNX {
      if output.type == "dictionary" {
        writer.features.probabilitiesName = output.name
        writer.features.probabilitiesDescription = output.description
      } else {
        writer.features.labelName = output.name
        writer.features.labelDescription = output.description
      }
    }
    return writer
  }

  /// Writes the model as ONNX, operator set 17.
  ///
  /// The input is that of Core ML (`poses`, `[windowSize, 3, joints]`), the output is
  /// `labelProbabilities`, `[1, labels]`; labels, joints, window and frame rate are in the file's
  /// metadata. Weights become Float32.
  ///
  /// - Throws: ``ActionError`` where the file cannot be written.
  public func writeONNX(to url: URL) throws { try onnxWriter.write(to: url) }

  package var onnxWriter: ONNXWriter {
    ONNXWriter(
      graph: model.graph, probabilitiesName: model.probabilitiesName, labels: labels,
      joints: joints.map(\.rawValue), frameRate: frameRate, metadata: metadata)
  }
}
