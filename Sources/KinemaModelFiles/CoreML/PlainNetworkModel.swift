package import Foundation
package import KinemaNetwork

/// A file of a Core ML neural network without classes, with one input and numbers out.
package protocol PlainNetworkModel: Sendable {
  var graph: Graph { get }
  var metadata: ModelMetadata { get }

  init(graph: Graph, metadata: ModelMetadata)

  /// The number of dimensions of the input.
  static var rank: Int { get }
  /// What is said of any other model, as the end of a sentence.
  static var refusal: String { get }
  /// What the model is called where it cannot be run.
  static var title: String { get }

  /// The file's bytes; throws ``ModelFileError`` for a model that could not be read back.
  func bytes() throws -> [UInt8]
}

/// The field number of such a network in a model.
private let kind = 500

extension PlainNetworkModel {
  /// Reads a model; throws ``ModelFileError`` where the file is not one.
  package init(contentsOf url: URL) throws {
    let file = try ModelFile(url)
    try self.init(file.bytes, name: file.name)
  }

  /// Reads a model from its bytes; `name` is for messages.
  ///
  /// - Throws: ``ModelFileError``.
  package init(_ bytes: [UInt8], name: String) throws(ModelFileError) {
    do {
      let model = try ModelSpecification(bytes)
      guard model.kindField == kind, model.inputs.count == 1, let input = model.inputs.first,
        input.shape.count == Self.rank
      else { throw SpecificationError(.unsupportedModel, Self.refusal) }
      let specification = try NetworkSpecification(model.content)
      let graph = Graph(
        inputName: input.name, inputShape: input.shape, nodes: specification.nodes)
      self.init(graph: graph, metadata: model.metadata)
    } catch let error as SpecificationError {
      throw ModelFileError(error.code, "“\(name)” \(error.message)", cause: error)
    } catch let error as NetworkError {
      throw ModelFileError(
        .malformedModel, "“\(name)” cannot be run: \(error.message)", cause: error)
    } catch {
      throw ModelFileError(.malformedModel, "“\(name)” cannot be read", cause: error)
    }
  }

  /// The network for inputs of a shape; throws ``ModelFileError`` where its layers do not fit.
  ///
  /// - Parameters:
  ///   - outputCount: How many numbers it gives.
  ///   - mismatch: What is said of a network that gives or reads another number.
  func network(inputShape: [Int], outputCount: Int, mismatch: String) throws -> Network {
    do {
      let resized = Graph(inputName: graph.inputName, inputShape: inputShape, nodes: graph.nodes)
      let network = try Network(resized, outputs: [outputNode])
      guard network.outputShapes[0].count == outputCount else {
        throw NetworkError(.shape, mismatch)
      }
      return network
    } catch let error as NetworkError {
      throw ModelFileError(
        .malformedModel, "the \(Self.title) cannot be run: \(error.message)", cause: error)
    }
  }

  // MARK: - Writing

  /// Writes the file, whole or not at all; throws ``ModelFileError``.
  package func write(to url: URL) throws { try SpecificationWriter.write(try bytes(), to: url) }

  /// The file's bytes, with what its input and its output are.
  func bytes(
    input: String, output: (name: String, description: String, shape: [Int])
  ) throws -> [UInt8] {
    var description = WireWriter()
    description.message(
      1, SpecificationWriter.feature(graph.inputName, input, shape: graph.inputShape))
    description.message(
      10, SpecificationWriter.feature(output.name, output.description, shape: output.shape))
    description.message(100, SpecificationWriter.metadata(metadata))
    return SpecificationWriter.model(
      kind: kind, description: description, network: try SpecificationWriter.network(of: graph))
  }

  /// The node whose output is the last.
  var outputNode: String { graph.nodes.last?.outputs.first ?? "" }
}
