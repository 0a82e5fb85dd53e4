package import Foundation
package import KinemaNetwork

/// The file of the network that lifts poses: a Core ML neural network without classes, from numbers about
/// joints in the picture, `[1, inputs]`, to numbers about a body in space, `[1, outputs]`.
package struct DepthModel: Sendable {
  package let graph: Graph
  package let metadata: ModelMetadata

  private static let outputName = "body"

  package init(graph: Graph, metadata: ModelMetadata = ModelMetadata()) {
    self.graph = graph
    self.metadata = metadata
  }

  /// Reads a model; throws ``ModelFileError`` where the file is not one.
  package init(contentsOf url: URL) throws {
    let file = try ModelFile(url)
    try self.init(file.bytes, name: file.name)
  }

  /// Reads a model from its bytes; `name` is for messages.
  package init(_ bytes: [UInt8], name: String) throws {
    (graph, metadata) = try PlainNetwork.read(
      bytes, name: name, rank: 2,
      refusal: "is not a model that lifts poses; use the one that came with Kinema")
  }

  /// The network; throws ``ModelFileError`` where it has other inputs and outputs than these.
  package func network(inputCount: Int, outputCount: Int) throws -> Network {
    do {
      let output = graph.nodes.last?.outputs.first ?? ""
      let network = try Network(graph, outputs: [output])
      guard network.inputShape.count == inputCount, network.outputShapes[0].count == outputCount
      else {
        throw NetworkError(.shape, "it reads or gives other numbers than this version of Kinema")
      }
      return network
    } catch let error as NetworkError {
      throw ModelFileError(
        .malformedModel, "the model of depth cannot be run: \(error.message)", cause: error)
    }
  }

  /// Writes the file, whole or not at all; throws ``ModelFileError``.
  package func write(to url: URL) throws { try SpecificationWriter.write(try bytes(), to: url) }

  /// The file's bytes; throws ``ModelFileError`` for a model that could not be read back.
  package func bytes() throws -> [UInt8] {
    let network = try Network(graph, outputs: [graph.nodes.last?.outputs.first ?? ""])
    var description = WireWriter()
    description.message(
      1,
      SpecificationWriter.feature(
        graph.inputName, "Joints in the picture at some moments, and where the body is in it",
        shape: graph.inputShape))
    description.message(
      10,
      SpecificationWriter.feature(
        Self.outputName,
        "Joints in space, the direction against gravity, the stature and angles, with errors",
        shape: network.outputShapes[0].dimensions))
    description.message(100, SpecificationWriter.metadata(metadata))
    return SpecificationWriter.model(
      kind: PlainNetwork.kind, description: description,
      network: try SpecificationWriter.network(of: graph))
  }
}
