/// The first step of compilation: every blob's shape, and the values of those that are constant.
///
/// Everything that can be wrong with a graph is found here.
struct GraphAnalysis {
  private(set) var blobs: [Blob] = []
  private(set) var operations: [Operation] = []
  private(set) var numbers: [String: Int] = [:]

  /// Constants larger than this stay operations.
  private static let foldedCount = 4096

  /// Analyses a graph; throws ``NetworkError`` that names the layer.
  init(_ graph: Graph) throws {
    guard graph.nodes.count <= NetworkLimits.nodes else {
      throw NetworkError(
        .limit, "has \(graph.nodes.count) layers where \(NetworkLimits.nodes) are possible")
    }
    do {
      let inputShape = try Shape(graph.inputShape)
      numbers[graph.inputName] = 0
      blobs.append(Blob(shape: inputShape))
    } catch let error as NetworkError {
      throw error.located(in: "its input “\(graph.inputName)”")
    }
    let makers = GraphAnalysis.makers(of: graph)
    var parameters = 0
    var work = 0.0
    for node in graph.nodes {
      do {
        parameters += node.layer.parameterCount
        guard parameters <= NetworkLimits.parameters else {
          throw NetworkError(.limit, "is one of too many weights: over \(parameters)")
        }
        work += try add(node, makers: makers)
        guard work <= NetworkLimits.work * 1e9 else {
          throw NetworkError(.limit, "needs more work than a classifier may")
        }
      } catch let error as NetworkError {
        throw error.located(in: node.place)
      }
    }
  }

  /// The layer that makes each blob, to say why one is missing.
  private static func makers(of graph: Graph) -> [String: String] {
    var makers: [String: String] = [:]
    for node in graph.nodes {
      for output in node.outputs { makers[output] = node.name }
    }
    return makers
  }

  /// Adds a node and returns its work.
  private mutating func add(_ node: Node, makers: [String: String]) throws -> Double {
    guard node.layer.inputCount.contains(node.inputs.count) else {
      throw NetworkError(.graph, "has \(node.inputs.count) inputs")
    }
    let inputs = try node.inputs.map { name in
      if let number = numbers[name] { return number }
      if let maker = makers[name] {
        throw NetworkError(
          .graph, "uses the blob “\(name)” before layer “\(maker)” makes it (a cycle?)")
      }
      throw NetworkError(.graph, "uses the blob “\(name)”, which no layer makes")
    }
    let operands = inputs.map { blobs[$0].operand }
    let shapes = try node.layer.outputShapes(for: operands)
    guard shapes.count == node.outputs.count else {
      throw NetworkError(.graph, "names \(node.outputs.count) outputs instead of \(shapes.count)")
    }
    var outputs: [Int] = []
    for (name, shape) in zip(node.outputs, shapes) {
      guard numbers[name] == nil else {
        throw NetworkError(.graph, "makes the blob “\(name)” a second time")
      }
      numbers[name] = blobs.count
      outputs.append(blobs.count)
      blobs.append(Blob(shape: shape))
    }
    if let values = constants(node.layer, operands, shapes) {
      for (output, values) in zip(outputs, values) { blobs[output].values = values }
    } else {
      operations.append(Operation(layer: node.layer, inputs: inputs, outputs: outputs))
    }
    return node.layer.work(inputs: operands.map(\.shape), outputs: shapes)
  }

  /// The outputs of a layer whose outputs do not depend on the network's input.
  private func constants(
    _ layer: any Layer, _ inputs: [Operand], _ shapes: [Shape]
  ) -> [[Float]]? {
    if let constant = layer as? Constant { return [constant.values] }
    let dependsOnValues = !(layer is GetShape)
    guard !dependsOnValues || inputs.allSatisfy({ $0.values != nil }),
      !dependsOnValues || !inputs.isEmpty,
      shapes.allSatisfy({ $0.count <= GraphAnalysis.foldedCount })
    else { return nil }
    return run(layer, inputs: inputs, shapes: shapes)
  }

  private func run(_ layer: any Layer, inputs: [Operand], shapes: [Shape]) -> [[Float]] {
    MatrixProduct.useOneThread()
    let kernel = layer.kernel(inputs: inputs, outputs: shapes)
    let sources = inputs.map { FloatMemory($0.values ?? []) }
    let targets = shapes.map { FloatMemory($0.count) }
    let scratch = FloatMemory(kernel.scratchCount)
    kernel.run(
      KernelBlobs(
        inputs: sources.map { UnsafePointer($0.pointer) }, outputs: targets.map(\.pointer),
        scratch: scratch.pointer))
    return withExtendedLifetime((sources, scratch)) { targets.map(\.values) }
  }
}

/// A layer in a graph under compilation; blobs are numbers.
struct Operation {
  var layer: any Layer
  /// The input blobs; the last is the residual if the epilogue adds one.
  var inputs: [Int]
  var outputs: [Int]
  var epilogue = Epilogue()
}

/// A blob of a graph under compilation.
struct Blob {
  let shape: Shape
  /// The elements, where they do not depend on the network's input.
  var values: [Float]?

  var operand: Operand { Operand(shape: shape, values: values) }
}

extension Graph {
  /// What is known of every blob without running the network: its shape and, where they do not
  /// depend on the input, its elements; throws ``NetworkError`` for a graph that cannot be run.
  package func operands() throws -> [String: Operand] {
    let analysis = try GraphAnalysis(self)
    return analysis.numbers.mapValues { analysis.blobs[$0].operand }
  }
}
