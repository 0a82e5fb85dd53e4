/// The description of a model, from its file.
package struct ModelInformation: Sendable {
  /// An input or output.
  package struct Feature: Sendable, Equatable {
    package let name: String
    /// The type, such as `multi-array (Float32)`.
    package let type: String
    /// The dimensions of a multi-array.
    package let shape: [Int]
    /// The file's own description of it.
    package let description: String
  }

  package struct LayerCount: Sendable, Equatable {
    /// The kind, by its name in the Core ML specification.
    package let kind: String
    package let count: Int
  }

  /// The version of the Core ML specification, or of ONNX's operator set.
  package let specificationVersion: Int
  /// Whether the file is an ONNX model.
  package var isONNX: Bool { kind.hasPrefix("ONNX") }
  /// The kind of model, such as `neural network classifier`.
  package let kind: String
  package let inputs: [Feature]
  package let outputs: [Feature]
  /// The labels, in the model's order.
  package let labels: [String]
  package let windowSize: Int
  /// The number of joints: 18 of a body or 21 of a hand.
  package let jointCount: Int
  /// The frame rate of the training, where the file gives it.
  package let frameRate: Double?
  package let metadata: ModelMetadata
  /// The layers by kind, the most frequent first.
  package let layerCounts: [LayerCount]
  package let layerCount: Int
  package let parameterCount: Int
  /// How weights are stored, such as `Float32` or `4 bits (lookup table)`.
  package let weightPrecisions: [String]
  /// The size of the file, in bytes.
  package let byteCount: Int
}
