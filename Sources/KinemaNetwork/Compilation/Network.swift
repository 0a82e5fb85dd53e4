/// A graph made ready to run: checked, joined, with its memory planned.
///
/// It never changes; its weights are shared by all of its workspaces.
package struct Network: Sendable {
  struct Step: Sendable {
    let kernel: Kernel
    let inputs: [Int]
    let outputs: [Int]
  }

  let steps: [Step]
  let inputOffset: Int
  let outputOffsets: [Int]
  let constants: [(offset: Int, values: [Float])]
  /// The memory that a run needs, in elements, the scratch memory behind the blobs.
  package let arenaCount: Int
  let scratchOffset: Int

  package let inputShape: Shape
  package let outputShapes: [Shape]
  /// The number of steps that a run takes, after layers have been joined.
  package var stepCount: Int { steps.count }

  /// Compiles a graph.
  ///
  /// - Parameters:
  ///   - outputs: The names of the blobs that are read after a run.
  ///   - joinsLayers: Whether neighbouring layers may become one step.
  /// - Throws: ``NetworkError``, with the layer's name in its message.
  package init(_ graph: Graph, outputs: [String], joinsLayers: Bool = true) throws {
    let analysis = try GraphAnalysis(graph)
    let outputNumbers = try outputs.map { name in
      guard let number = analysis.numbers[name] else {
        throw NetworkError(.graph, "gives out the blob “\(name)”, which no layer makes")
      }
      return number
    }
    var optimizer = GraphOptimizer(
      analysis.operations, blobs: analysis.blobs, outputs: outputNumbers)
    if joinsLayers { optimizer.optimize() }
    let operations = optimizer.result
    let blobs = optimizer.blobs

    func shapes(_ numbers: [Int]) -> [Shape] { numbers.map { blobs[$0].shape } }
    let views = operations.map {
      $0.layer.viewOffsets(inputs: shapes($0.inputs), outputs: shapes($0.outputs))
    }
    let plan = try MemoryPlan(
      operations, isView: views.map { $0 != nil }, viewOffsets: views.map { $0 ?? [] },
      blobs: blobs, input: 0, lasting: outputNumbers)
    func places(_ numbers: [Int]) -> [Int] { numbers.compactMap { plan.offsets[$0] } }

    var scratchCount = 0
    var steps: [Step] = []
    for (operation, view) in zip(operations, views) where view == nil {
      let operands = operation.inputs.map { blobs[$0].operand }
      let kernel =
        if let fusible = operation.layer as? any FusibleLayer {
          fusible.kernel(
            inputs: operands, outputs: shapes(operation.outputs), epilogue: operation.epilogue)
        } else {
          operation.layer.kernel(inputs: operands, outputs: shapes(operation.outputs))
        }
      scratchCount = max(scratchCount, kernel.scratchCount)
      steps.append(
        Step(kernel: kernel, inputs: places(operation.inputs), outputs: places(operation.outputs)))
    }
    guard plan.count + scratchCount <= NetworkLimits.liveElements else {
      throw NetworkError(.limit, "needs more memory than a classifier may")
    }
    self.steps = steps
    inputOffset = plan.offsets[0] ?? 0
    outputOffsets = places(outputNumbers)
    constants = plan.offsets.keys.sorted().compactMap { number in
      guard let values = blobs[number].values, let offset = plan.offsets[number] else {
        return nil
      }
      return (offset, values)
    }
    arenaCount = plan.count + scratchCount
    scratchOffset = plan.count
    inputShape = blobs[0].shape
    outputShapes = shapes(outputNumbers)
  }
}
