internal import Foundation
internal import KinemaFiles
internal import KinemaNetwork

/// Writes what all Core ML models have in common, in Apple's public `Model.proto`.
enum SpecificationWriter {
  /// The version of the specification, the first with shapes of any rank.
  private static let version = 4

  /// A model whose network is the field `kind`.
  static func model(kind: Int, description: WireWriter, network: WireWriter) -> [UInt8] {
    var model = WireWriter()
    model.integer(1, version)
    model.message(2, description)
    model.message(kind, network)
    return model.bytes
  }

  /// The layers of a neural network, whose input keeps its dimensions.
  static func network(of graph: Graph) throws -> WireWriter {
    var network = WireWriter()
    for node in graph.nodes { network.message(1, try LayerEncoder.message(of: node)) }
    network.integer(5, 1)
    return network
  }

  /// An input or output of a type that `type` writes.
  static func feature(
    _ name: String, _ description: String, type: (inout WireWriter) -> Void
  ) -> WireWriter {
    var feature = WireWriter()
    feature.text(1, name)
    feature.text(2, description)
    feature.message(3, type)
    return feature
  }

  /// An input or output of Float32 in this shape.
  static func feature(_ name: String, _ description: String, shape: [Int]) -> WireWriter {
    feature(name, description) { type in
      type.message(5) { array in
        array.integers(1, shape)
        array.integer(2, FeatureSpecification.float32)
      }
    }
  }

  static func metadata(_ metadata: ModelMetadata) -> WireWriter {
    var message = WireWriter()
    let texts = [
      metadata.shortDescription, metadata.version, metadata.author, metadata.license,
    ]
    for (index, text) in texts.enumerated() where !text.isEmpty { message.text(index + 1, text) }
    message.entries(100, metadata.userDefined)
    return message
  }

  /// Writes a model's file, whole or not at all.
  static func write(_ bytes: [UInt8], to url: URL) throws(ModelFileError) {
    do {
      try WholeFile.write(bytes, to: url)
    } catch {
      throw ModelFileError(.unwritable, error.description, cause: error)
    }
  }
}
