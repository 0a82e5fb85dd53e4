/// A layer in a graph under compilation; blobs are numbers.
struct Operation {
  var layer: any Layer
  /// The blobs taken; with a residual in the epilogue, that is the last.
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
