import Foundation
import Kinema

struct ModelConvertCommand: Command {
  static let name = "model convert"
  static let abstract = "Convert an action classifier to .onnx or .mlmodel."
  static let usage = "MODEL --output FILE"
  static let discussion = """
    MODEL is an action classifier from Create ML or Kinema: a .mlmodel file, a .mlpackage that holds one, or
    a .onnx that Kinema wrote. The output's extension determines the format. The ONNX model takes windows of
    poses (poses: batch, window, 3, joints), gives labelProbabilities (batch, labels), and carries labels,
    joints, window and frame rate in its metadata. Quantised weights become Float32.
    """
  static let examples = """
    kinema model convert Exercise.mlmodel --output Exercise.onnx
        Run the model with onnxruntime.
    kinema model convert Exercise.mlpackage --output Exercise.mlmodel
        Convert a package to a single file with Float32 weights.
    """
  @Option("FILE", "The file to write: .onnx or .mlmodel.")
  var output: OutputFile?
  @Operands(1...1, "Name one model.")
  var models: [String]

  func run() async throws {
    guard let output = output?.url else {
      throw UsageError("Name the file to write with --output.")
    }
    let format = output.pathExtension.lowercased()
    guard ["onnx", "mlmodel"].contains(format) else {
      throw UsageError("--output takes a name that ends in .onnx or .mlmodel.")
    }
    let classifier = try ActionClassifier(contentsOf: try NamedModel(named: models[0]).url)
    if format == "onnx" {
      try classifier.writeONNX(to: output)
    } else {
      try classifier.write(to: output)
    }
  }
}
