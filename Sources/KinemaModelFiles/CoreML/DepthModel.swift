package import KinemaNetwork

/// The file of the network that lifts poses: from numbers about joints in the picture, `[1, inputs]`, to
/// numbers about a body in space, `[1, outputs]`.
package struct DepthModel: PlainNetworkModel {
  package static let rank = 2
  package static let refusal = "is not a model that lifts poses; use the one that came with Kinema"
  package static let title = "model of depth"

  package let graph: Graph
  package let metadata: ModelMetadata

  package init(graph: Graph, metadata: ModelMetadata = ModelMetadata()) {
    self.graph = graph
    self.metadata = metadata
  }

  /// The network; throws ``ModelFileError`` where it has other inputs and outputs than these.
  package func network(inputCount: Int, outputCount: Int) throws -> Network {
    try network(
      inputShape: [1, inputCount], outputCount: outputCount,
      mismatch: "it gives other numbers than this version of Kinema reads")
  }

  /// The file's bytes; throws ``ModelFileError`` for a model that could not be read back.
  package func bytes() throws -> [UInt8] {
    try bytes(
      input: "Joints in the picture at some moments, and where the body is in it",
      output: (
        "body",
        "Joints in space, the direction against gravity, the stature and angles, with errors",
        try Network(graph, outputs: [outputNode]).outputShapes[0].dimensions
      ))
  }
}
