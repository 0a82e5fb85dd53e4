/// The description of a model, from its file.
public struct ModelInformation: Sendable {
  /// An input or output.
  public struct Feature: Sendable, Equatable {
    /// The name.
    public let name: String
    /// The type, such as `multi-array (Float32)`.
    public let type: String
    /// The dimensions of a multi-array.
    public let shape: [Int]
    /// The file's own description of it.
    public let description: String
  }

  /// The number of layers of a kind.
  public struct LayerCount: Sendable, Equatable {
    /// The kind, by its name in the Core ML specification.
    public let kind: String
    /// How many there are.
    public let count: Int
  }

  /// The version of the Core ML specification.
  public let specificationVersion: Int
  /// The kind of model, such as `neural network classifier`.
  public let kind: String
  /// The inputs.
  public let inputs: [Feature]
  /// The outputs.
  public let outputs: [Feature]
  /// The labels, in the model's order.
  public let labels: [String]
  /// The number of frames in a window.
  public let windowSize: Int
  /// The number of joints: 18 of a body or 21 of a hand.
  public let jointCount: Int
  /// The frame rate of the training, where the file gives it.
  public let frameRate: Double?
  /// The file's metadata.
  public let metadata: ModelMetadata
  /// The layers by kind, the most frequent first.
  public let layerCounts: [LayerCount]
  /// The number of layers.
  public let layerCount: Int
  /// The number of weights.
  public let parameterCount: Int
  /// How weights are stored, such as `Float32` or `4 bits (lookup table)`.
  public let weightPrecisions: [String]
  /// The size of the file, in bytes.
  public let byteCount: Int
}
