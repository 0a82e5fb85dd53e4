/// The second step of compilation: joins layers, so that fewer passes go over memory.
///
/// Paddings and normalisations go into the convolutions beside them, the graph convolution becomes
/// a product with the last axis, additions and rectifications become the end of a product. The
/// results stay the same but for rounding.
struct GraphOptimizer {
  private(set) var blobs: [Blob]
  private var operations: [Operation?]
  private let outputs: Set<Int>
  private var producers: [Int: Int] = [:]
  private var uses: [Int: Int] = [:]

  init(_ operations: [Operation], blobs: [Blob], outputs: [Int]) {
    self.operations = operations
    self.blobs = blobs
    self.outputs = Set(outputs)
    removeUnused()
  }

  var result: [Operation] { operations.compactMap { $0 } }

  mutating func optimize() {
    forEachOperation { $0.joinPadding(at: $1) }
    forEachOperation { $0.joinGraphConvolution(at: $1) }
    removeUnused()
    forEachOperation { $0.joinNormalization(at: $1) }
    forEachOperation { $0.joinAddition(at: $1) }
    forEachOperation { $0.joinRectification(at: $1) }
    removeUnused()
  }

  private mutating func forEachOperation(_ pass: (inout GraphOptimizer, Int) -> Void) {
    index()
    for position in operations.indices where operations[position] != nil { pass(&self, position) }
  }

  private mutating func index() {
    producers = [:]
    uses = [:]
    for (position, operation) in operations.enumerated() {
      guard let operation else { continue }
      for output in operation.outputs { producers[output] = position }
      for input in operation.inputs { uses[input, default: 0] += 1 }
    }
  }

  /// Drops what no output depends on.
  private mutating func removeUnused() {
    var needed = outputs
    for position in operations.indices.reversed() {
      guard let operation = operations[position] else { continue }
      if operation.outputs.contains(where: needed.contains) {
        needed.formUnion(operation.inputs)
      } else {
        operations[position] = nil
      }
    }
    index()
  }

  /// The operation that makes a blob which nothing else takes.
  private func soleProducer(of blob: Int) -> (position: Int, operation: Operation)? {
    guard uses[blob] == 1, !outputs.contains(blob), let position = producers[blob],
      let operation = operations[position]
    else { return nil }
    return (position, operation)
  }

  /// Padding with zeros, then convolution: the convolution pads.
  private mutating func joinPadding(at position: Int) {
    guard var operation = operations[position], var layer = operation.layer as? Convolution,
      case .explicit(let top, let bottom, let left, let right) = layer.window.edges,
      let producer = soleProducer(of: operation.inputs[0]),
      let padding = producer.operation.layer as? Padding, padding.value == 0
    else { return }
    layer.window.edges = .explicit(
      top: top + padding.top, bottom: bottom + padding.bottom, left: left + padding.left,
      right: right + padding.right)
    operation.layer = layer
    operation.inputs = producer.operation.inputs
    operations[producer.position] = nil
    operations[position] = operation
  }

  /// A product, then a normalisation with stored statistics: the product's weights or its end.
  private mutating func joinNormalization(at position: Int) {
    guard let operation = operations[position],
      let layer = operation.layer as? BatchNormalization,
      let producer = soleProducer(of: operation.inputs[0]), producer.operation.epilogue.isEmpty
    else { return }
    var joined = producer.operation
    if let convolution = joined.layer as? Convolution {
      joined.layer = convolution.scaled(by: layer.scale, shift: layer.shift)
    } else if joined.layer is AxisProduct {
      joined.epilogue = Epilogue(scale: layer.scale, shift: layer.shift)
    } else {
      return
    }
    joined.outputs = operation.outputs
    replace(producer.position, and: position, by: joined)
  }

  /// A product, then an addition: the other term becomes the product's residual.
  private mutating func joinAddition(at position: Int) {
    guard let operation = operations[position], operation.layer is Addition,
      operation.inputs.count == 2, operation.inputs[0] != operation.inputs[1],
      operation.inputs.allSatisfy({ blobs[$0].shape == blobs[operation.outputs[0]].shape })
    else { return }
    let candidates = operation.inputs.indices.compactMap { index in
      soleProducer(of: operation.inputs[index]).map { (index, $0) }
    }.filter { _, producer in
      producer.operation.layer is any FusibleLayer && !producer.operation.epilogue.addsResidual
        && !producer.operation.epilogue.rectifies
    }
    guard let (index, producer) = candidates.max(by: { $0.1.position < $1.1.position }) else {
      return
    }
    var joined = producer.operation
    joined.inputs.append(operation.inputs[1 - index])
    joined.epilogue.addsResidual = true
    joined.outputs = operation.outputs
    replace(producer.position, and: position, by: joined)
  }

  /// A product, then rectification.
  private mutating func joinRectification(at position: Int) {
    guard let operation = operations[position],
      let layer = operation.layer as? Activation, layer.function == .rectified,
      let producer = soleProducer(of: operation.inputs[0]),
      producer.operation.layer is any FusibleLayer, !producer.operation.epilogue.rectifies
    else { return }
    var joined = producer.operation
    joined.epilogue.rectifies = true
    joined.outputs = operation.outputs
    replace(producer.position, and: position, by: joined)
  }

  /// Puts an operation in the later of two places; what it takes is made before either.
  private mutating func replace(_ earlier: Int, and later: Int, by operation: Operation) {
    operations[earlier] = nil
    operations[later] = operation
    for output in operation.outputs { producers[output] = later }
  }
}

// MARK: - The graph convolution

extension GraphOptimizer {
  /// Transposition, 1×1 convolution over the points, transposition back: a product with the last
  /// axis, of the blobs whose points were concatenated.
  private mutating func joinGraphConvolution(at position: Int) {
    guard let back = operations[position], swapsChannelsAndColumns(back),
      let producer = soleProducer(of: back.inputs[0]),
      let layer = producer.operation.layer as? Convolution, isPointwise(layer),
      let parts = columnParts(of: producer.operation.inputs[0])
    else { return }
    operations[position] = Operation(
      layer: AxisProduct(
        depths: parts.map { blobs[$0].shape[3] }, outputs: layer.outputChannels,
        weights: layer.weights),
      inputs: parts, outputs: back.outputs)
    operations[producer.position] = nil
    for part in parts { uses[part, default: 0] += 1 }
  }

  private func isPointwise(_ layer: Convolution) -> Bool {
    layer.window.kernel == (1, 1) && layer.window.stride == (1, 1) && layer.groups == 1
      && layer.bias == nil
      && [.explicit(top: 0, bottom: 0, left: 0, right: 0), .same(topLeftHeavy: false)]
        .contains(layer.window.edges)
  }

  private func swapsChannelsAndColumns(_ operation: Operation) -> Bool {
    guard let transpose = operation.layer as? Transpose else { return false }
    let shape = blobs[operation.inputs[0]].shape
    return shape.rank == 4 && shape[0] == 1 && (try? transpose.order(of: shape)) == [0, 3, 2, 1]
  }

  /// The blobs [1, C, T, Vₖ] that are concatenated, with their columns as channels, in the blob
  /// [1, ΣVₖ, T, C].
  private mutating func columnParts(of blob: Int) -> [Int]? {
    guard let position = producers[blob], let operation = operations[position] else { return nil }
    if swapsChannelsAndColumns(operation) {
      return joinedParts(of: operation.inputs[0], axis: 3) ?? operation.inputs
    }
    guard uses[blob] == 1, !outputs.contains(blob),
      let parts = joinedParts(of: blob, axis: 1)
    else { return nil }
    return splitParts(parts)
  }

  /// What a concatenation along an axis joins.
  private func joinedParts(of blob: Int, axis: Int) -> [Int]? {
    guard let position = producers[blob], let operation = operations[position],
      let layer = operation.layer as? Concatenation, blobs[blob].shape.rank == 4,
      (try? blobs[blob].shape.axis(layer.axis)) == axis
    else { return nil }
    return operation.inputs
  }

  /// Where the parts are the pieces of one transposed blob [1, V, T, K·C]: the same pieces cut out
  /// of the blob before its transposition, [1, K·C, T, V].
  private mutating func splitParts(_ parts: [Int]) -> [Int]? {
    guard let position = producers[parts[0]], let operation = operations[position],
      let split = operation.layer as? Split, operation.outputs == parts,
      (try? blobs[operation.inputs[0]].shape.axis(split.axis)) == 3,
      let swap = producers[operation.inputs[0]], let swapping = operations[swap],
      swapsChannelsAndColumns(swapping)
    else { return nil }
    let shapes = parts.compactMap { part -> Shape? in
      let shape = blobs[part].shape
      return try? Shape([1, shape[3], shape[2], shape[1]])
    }
    guard shapes.count == parts.count else { return nil }
    let pieces = shapes.map { shape in
      blobs.append(Blob(shape: shape))
      return blobs.count - 1
    }
    // In the place of the split, which nothing else may need any more.
    guard parts.allSatisfy({ uses[$0] == 1 && !outputs.contains($0) }) else { return nil }
    operations[position] = Operation(
      layer: Split(axis: 1, parts: .sizes(shapes.map { $0[1] })), inputs: swapping.inputs,
      outputs: pieces)
    for piece in pieces { producers[piece] = position }
    return pieces
  }
}
