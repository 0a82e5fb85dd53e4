package import Foundation
package import KinemaNetwork

/// The file of the counter's network: a Core ML neural network without classes, from planes of
/// self-similarity, `[1, channels, times, lags]`, to probabilities, `[1, 1 + lags, times, 1]`, of
/// rest and of each lag.
///
/// The file names one number of times; the layers take any.
package struct PeriodModel: Sendable {
  package let graph: Graph
  package let metadata: ModelMetadata

  private static let outputName = "periods"

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
      bytes, name: name, rank: 4,
      refusal: "is not a model that counts repetitions; use the one that came with Kinema")
  }

  /// The network for a number of times; throws ``ModelFileError`` where the layers do not fit.
  ///
  /// - Parameters:
  ///   - channelCount: The planes of the input.
  ///   - lagCount: The lags of each plane; the output is rest and the lags.
  package func network(channelCount: Int, times: Int, lagCount: Int) throws -> Network {
    do {
      let graph = Graph(
        inputName: graph.inputName, inputShape: [1, channelCount, times, lagCount],
        nodes: graph.nodes)
      let output = graph.nodes.last?.outputs.first ?? ""
      let network = try Network(graph, outputs: [output])
      guard network.outputShapes[0].count == (1 + lagCount) * times else {
        throw NetworkError(.shape, "its lags are not those of the counter")
      }
      return network
    } catch let error as NetworkError {
      throw ModelFileError(
        .malformedModel, "the repetition model cannot be run: \(error.message)", cause: error)
    }
  }

  // MARK: - Writing

  /// Writes the file, whole or not at all; throws ``ModelFileError``.
  package func write(to url: URL) throws { try SpecificationWriter.write(try bytes(), to: url) }

  /// The file's bytes; throws ``ModelFileError`` for a model that could not be read back.
  package func bytes() throws -> [UInt8] {
    let (channelCount, times, lagCount) = (
      graph.inputShape[1], graph.inputShape[2], graph.inputShape[3]
    )
    var description = WireWriter()
    description.message(
      1,
      SpecificationWriter.feature(
        graph.inputName,
        "How alike the body is to itself one lag earlier and later: plane, time, lag",
        shape: graph.inputShape))
    description.message(
      10,
      SpecificationWriter.feature(
        Self.outputName,
        "The probability of rest, then of each lag being the period, at each time",
        shape: [1, 1 + lagCount, times, 1]))
    description.message(100, SpecificationWriter.metadata(metadata))
    let bytes = SpecificationWriter.model(
      kind: PlainNetwork.kind, description: description,
      network: try SpecificationWriter.network(of: graph))
    _ = try PeriodModel(bytes, name: "the model to be written").network(
      channelCount: channelCount, times: times, lagCount: lagCount)
    return bytes
  }
}
