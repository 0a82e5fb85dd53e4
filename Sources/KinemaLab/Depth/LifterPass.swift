import KinemaNetwork

/// The memory of one thread for running the lifter's network forward and backward on some moments.
final class LifterPass {
  private let layout: LifterLayout
  private let rows: Int
  /// What enters each block, and what leaves the last.
  private let states: [FloatMemory]
  /// What is between the two layers of each block.
  private let inner: [FloatMemory]
  private let output: FloatMemory
  private let gradient, innerGradient: FloatMemory

  init(_ layout: LifterLayout, rows: Int) {
    self.layout = layout
    self.rows = rows
    let size = rows * layout.width
    states = (0...layout.blocks.count).map { _ in FloatMemory(size) }
    inner = layout.blocks.map { _ in FloatMemory(size) }
    output = FloatMemory(rows * layout.last.outputs)
    gradient = FloatMemory(size)
    innerGradient = FloatMemory(size)
  }

  /// Runs the network on `[rows, inputs]`; the result, `[rows, outputs]`, lasts until the next run.
  func forward(
    _ input: UnsafePointer<Float>, weights: UnsafePointer<Float>
  ) -> UnsafeMutablePointer<Float> {
    run(layout.first, input, weights, into: states[0].pointer, rectifies: true)
    for (number, block) in layout.blocks.enumerated() {
      let (source, target) = (states[number].pointer, states[number + 1].pointer)
      run(block.0, source, weights, into: inner[number].pointer, rectifies: true)
      run(block.1, inner[number].pointer, weights, into: target, rectifies: false)
      for index in 0..<(rows * layout.width) { target[index] += source[index] }
    }
    run(
      layout.last, states[layout.blocks.count].pointer, weights, into: output.pointer,
      rectifies: false)
    return output.pointer
  }

  /// The gradient of the weights after a run, from that of the result; overwrites what was there.
  func backward(
    _ input: UnsafePointer<Float>, outputGradient: UnsafePointer<Float>,
    weights: UnsafePointer<Float>, into slopes: UnsafeMutablePointer<Float>
  ) {
    let count = rows * layout.width
    differentiate(
      layout.last, states[layout.blocks.count].pointer, outputGradient, into: slopes)
    carry(layout.last, outputGradient, weights, into: gradient.pointer)
    for (number, block) in layout.blocks.enumerated().reversed() {
      let middle = inner[number].pointer
      differentiate(block.1, middle, gradient.pointer, into: slopes)
      carry(block.1, gradient.pointer, weights, into: innerGradient.pointer)
      for index in 0..<count where middle[index] <= 0 { innerGradient.pointer[index] = 0 }
      differentiate(block.0, states[number].pointer, innerGradient.pointer, into: slopes)
      carry(block.0, innerGradient.pointer, weights, into: gradient.pointer, accumulates: true)
    }
    for index in 0..<count where states[0].pointer[index] <= 0 { gradient.pointer[index] = 0 }
    differentiate(layout.first, input, gradient.pointer, into: slopes)
  }

  private func run(
    _ product: LifterLayout.Product, _ input: UnsafePointer<Float>,
    _ weights: UnsafePointer<Float>, into result: UnsafeMutablePointer<Float>, rectifies: Bool
  ) {
    let biases = weights + product.biases
    for row in 0..<rows {
      (result + row * product.outputs).update(from: biases, count: product.outputs)
    }
    MatrixProduct.multiply(
      rows: rows, columns: product.outputs, depth: product.inputs,
      Factor(input, stride: product.inputs),
      Factor(weights + product.weights, stride: product.inputs, isTransposed: true), into: result,
      stride: product.outputs, accumulates: true)
    guard rectifies else { return }
    for index in 0..<(rows * product.outputs) { result[index] = max(result[index], 0) }
  }

  /// The gradient of a product's weights from that of its result.
  private func differentiate(
    _ product: LifterLayout.Product, _ input: UnsafePointer<Float>,
    _ gradient: UnsafePointer<Float>, into slopes: UnsafeMutablePointer<Float>
  ) {
    MatrixProduct.multiply(
      rows: product.outputs, columns: product.inputs, depth: rows,
      Factor(gradient, stride: product.outputs, isTransposed: true),
      Factor(input, stride: product.inputs), into: slopes + product.weights,
      stride: product.inputs)
    let biases = slopes + product.biases
    biases.update(repeating: 0, count: product.outputs)
    for row in 0..<rows {
      let line = gradient + row * product.outputs
      for column in 0..<product.outputs { biases[column] += line[column] }
    }
  }

  /// The gradient of what a product read from that of its result.
  private func carry(
    _ product: LifterLayout.Product, _ gradient: UnsafePointer<Float>,
    _ weights: UnsafePointer<Float>, into result: UnsafeMutablePointer<Float>,
    accumulates: Bool = false
  ) {
    MatrixProduct.multiply(
      rows: rows, columns: product.inputs, depth: product.outputs,
      Factor(gradient, stride: product.outputs),
      Factor(weights + product.weights, stride: product.inputs), into: result,
      stride: product.inputs, accumulates: accumulates)
  }
}
