package import Foundation
package import KinemaNetwork

/// The counter's network as it stands in its file: a Core ML neural network without classes, from
/// planes of likeness, `[1, channels, times, lags]`, to probabilities, `[1, 1 + lags, times, 1]`, of
/// rest and of each lag.
///
/// The file tells one number of times; the layers take any.
package struct PeriodModel: Sendable {
  /// The layers.
  package let graph: Graph
  /// What the file says about itself.
  package let metadata: ModelMetadata

  /// The version of the specification, the first with shapes of any rank.
  private static let specificationVersion = 4
  /// The field number of a neural network without classes.
  private static let neuralNetwork = 500
  private static let outputName = "periods"

  /// Takes layers as they are.
  package init(graph: Graph, metadata: ModelMetadata = ModelMetadata()) {
    self.graph = graph
    self.metadata = metadata
  }

  /// Reads a model.
  ///
  /// - Throws: ``ActionError`` where the file is none.
  package init(contentsOf url: URL) throws {
    let file = try ModelFile(url)
    try self.init(file.bytes, name: file.name)
  }

  /// Reads a model from its bytes; `name` is for messages.
  package init(_ bytes: [UInt8], name: String) throws {
    do {
      let model = try ModelSpecification(bytes)
      guard model.kindField == Self.neuralNetwork, model.inputs.count == 1,
        let input = model.inputs.first, input.shape.count == 4
      else {
        throw SpecificationError(
          .unsupportedModel, "is no model that counts; take the one that came with Kinema")
      }
      let specification = try NetworkSpecification(model.content)
      graph = Graph(
        inputName: input.name, inputShape: input.shape, nodes: specification.nodes)
      metadata = model.metadata
    } catch let error as SpecificationError {
      throw ActionError(error.code, "“\(name)” \(error.message)", cause: error)
    } catch let error as NetworkError {
      throw ActionError(
        .malformedModel, "“\(name)” cannot be run: \(error.message)", cause: error)
    }
  }

  /// The network for a number of times; throws ``ActionError`` where it is none that counts.
  package func network(times: Int) throws -> Network {
    do {
      let graph = Graph(
        inputName: graph.inputName,
        inputShape: [1, LagPlanes.channelCount, times, LagPlanes.lagCount], nodes: graph.nodes)
      let output = graph.nodes.last?.outputs.first ?? ""
      let network = try Network(graph, outputs: [output])
      guard network.outputShapes[0].count == (1 + LagPlanes.lagCount) * times else {
        throw NetworkError(.shape, "it tells other periods apart than those asked for")
      }
      return network
    } catch let error as NetworkError {
      throw ActionError(
        .malformedModel, "the model that counts cannot be run: \(error.message)", cause: error)
    }
  }

  // MARK: - Writing

  /// Writes the file; what stands at that place is replaced when the new one is complete.
  package func write(to url: URL) throws {
    let bytes = try bytes()
    do {
      try Data(bytes).write(to: url, options: .atomic)
    } catch {
      throw ActionError(.unwritable, "“\(url.path)” cannot be written", cause: error)
    }
  }

  /// The file's bytes; throws ``ActionError`` for what could not be read back.
  package func bytes() throws -> [UInt8] {
    var network = WireWriter()
    for node in graph.nodes { network.message(1, try LayerEncoder.message(of: node)) }
    network.integer(5, 1)
    var model = WireWriter()
    model.integer(1, Self.specificationVersion)
    model.message(2, description)
    model.message(Self.neuralNetwork, network)
    _ = try PeriodModel(model.bytes, name: "the model to be written")
      .network(times: graph.inputShape[2])
    return model.bytes
  }

  private var description: WireWriter {
    var description = WireWriter()
    let times = graph.inputShape[2]
    description.message(1) { input in
      feature(
        graph.inputName, graph.inputShape,
        "How alike the body is to itself one lag earlier and later: plane, time, lag", into: &input)
    }
    description.message(10) { output in
      feature(
        Self.outputName, [1, 1 + LagPlanes.lagCount, times, 1],
        "The probability of rest, then of each lag being the period, at each time", into: &output)
    }
    description.message(100) { message in
      message.text(1, metadata.shortDescription)
      message.text(2, metadata.version)
      message.text(3, metadata.author)
      message.text(4, metadata.license)
      for (key, value) in metadata.userDefined.sorted(by: { $0.key < $1.key }) {
        message.message(100) { entry in
          entry.text(1, key)
          entry.text(2, value)
        }
      }
    }
    return description
  }

  private func feature(
    _ name: String, _ shape: [Int], _ text: String, into message: inout WireWriter
  ) {
    message.text(1, name)
    message.text(2, text)
    message.message(3) { type in
      type.message(5) { array in
        array.integers(1, shape)
        array.integer(2, FeatureSpecification.float32)
      }
    }
  }
}
