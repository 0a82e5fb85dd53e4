/// An operation of a network, with its parameters.
///
/// A layer checks its parameters in its initialiser and its inputs in ``outputShapes(for:)``; its
/// ``Kernel`` then cannot fail.
package protocol Layer: Sendable {
  /// The name of the kind in the Core ML specification, such as `innerProduct`.
  var kind: String { get }

  var inputCount: ClosedRange<Int> { get }

  var parameterCount: Int { get }

  /// The shapes of the outputs; throws ``NetworkError`` for inputs that the layer does not
  /// accept.
  func outputShapes(for inputs: [Operand]) throws -> [Shape]

  /// The work of one run, in multiply-adds of a matrix product.
  func work(inputs: [Shape], outputs: [Shape]) -> Double

  /// For a layer whose outputs are its first input's elements in unchanged order: the element at
  /// which each output begins. `nil` where elements move.
  func viewOffsets(inputs: [Shape], outputs: [Shape]) -> [Int]?

  /// The code that runs the layer on blobs of these shapes, which ``outputShapes(for:)`` gave.
  func kernel(inputs: [Operand], outputs: [Shape]) -> Kernel
}

extension Layer {
  package var inputCount: ClosedRange<Int> { 1...1 }

  package var parameterCount: Int { 0 }

  package func outputShapes(for inputs: [Operand]) throws -> [Shape] { [inputs[0].shape] }

  package func work(inputs: [Shape], outputs: [Shape]) -> Double {
    let elements = (inputs + outputs).reduce(0.0) { $0 + Double($1.count) }
    return elements * WorkWeight.element / 2
  }

  package func viewOffsets(inputs: [Shape], outputs: [Shape]) -> [Int]? { nil }
}

/// A layer's input, as far as it is known before the network runs.
package struct Operand: Sendable {
  package let shape: Shape
  /// The elements, where they do not depend on the network's input.
  package let values: [Float]?

  package init(shape: Shape, values: [Float]? = nil) {
    self.shape = shape
    self.values = values
  }

  /// The elements as whole numbers: shapes and indices.
  ///
  /// Rounded to nearest: in quantised files even the constants of shape arithmetic are quantised.
  var integers: [Int]? {
    guard let values else { return nil }
    let integers = values.compactMap { Int(exactly: $0.rounded()) }
    return integers.count == values.count ? integers : nil
  }
}

/// A layer bound to shapes, ready to run.
package struct Kernel: Sendable {
  var scratchCount = 0
  /// Runs the matrix products only, for measuring what they cost alone.
  var products: @Sendable (KernelBlobs) -> Void = { _ in }
  let run: @Sendable (KernelBlobs) -> Void
}

package struct KernelBlobs {
  let inputs: [UnsafePointer<Float>]
  let outputs: [UnsafeMutablePointer<Float>]
  let scratch: UnsafeMutablePointer<Float>
}
