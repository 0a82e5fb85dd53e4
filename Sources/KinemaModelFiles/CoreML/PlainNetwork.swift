internal import KinemaNetwork

/// A Core ML neural network without classes, with one input and numbers out.
enum PlainNetwork {
  /// The field number of such a network in a model.
  static let kind = 500

  /// Reads one from a model's bytes.
  ///
  /// - Parameters:
  ///   - name: The file, for messages.
  ///   - rank: The number of dimensions of its input.
  ///   - refusal: What is said of any other model, as the end of a sentence.
  /// - Throws: ``ModelFileError``.
  static func read(
    _ bytes: [UInt8], name: String, rank: Int, refusal: String
  ) throws(ModelFileError) -> (graph: Graph, metadata: ModelMetadata) {
    do {
      let model = try ModelSpecification(bytes)
      guard model.kindField == kind, model.inputs.count == 1, let input = model.inputs.first,
        input.shape.count == rank
      else { throw SpecificationError(.unsupportedModel, refusal) }
      let specification = try NetworkSpecification(model.content)
      let graph = Graph(
        inputName: input.name, inputShape: input.shape, nodes: specification.nodes)
      return (graph, model.metadata)
    } catch let error as SpecificationError {
      throw ModelFileError(error.code, "“\(name)” \(error.message)", cause: error)
    } catch let error as NetworkError {
      throw ModelFileError(
        .malformedModel, "“\(name)” cannot be run: \(error.message)", cause: error)
    } catch {
      throw ModelFileError(.malformedModel, "“\(name)” cannot be read", cause: error)
    }
  }
}
