/// Makes a blob of stored values.
package struct Constant: Layer {
  package var kind: String { "loadConstantND" }

  package let shape: [Int]
  package let values: [Float]

  /// Creates a constant; throws ``NetworkError`` where the values do not fill the shape.
  package init(shape: [Int], values: [Float]) throws {
    guard try Shape(shape).count == values.count else {
      throw NetworkError(.parameters, "has \(values.count) values for the shape \(shape)")
    }
    self.shape = shape
    self.values = values
  }

  package var inputCount: ClosedRange<Int> { 0...0 }

  package var parameterCount: Int { values.count }

  package func outputShapes(for inputs: [Operand]) throws -> [Shape] { [try Shape(shape)] }

  package func kernel(inputs: [Operand], outputs: [Shape]) -> Kernel { .storing(values) }
}

/// Gives a blob's dimensions as a blob: y = [d₀, d₁, …].
package struct GetShape: Layer {
  package var kind: String { "getShape" }

  package init() {}

  package func outputShapes(for inputs: [Operand]) throws -> [Shape] {
    [try Shape([inputs[0].shape.rank])]
  }

  package func work(inputs: [Shape], outputs: [Shape]) -> Double { 1 }

  package func kernel(inputs: [Operand], outputs: [Shape]) -> Kernel {
    .storing(inputs[0].shape.dimensions.map { Float($0) })
  }
}

extension Kernel {
  fileprivate static func storing(_ values: [Float]) -> Kernel {
    Kernel { $0.outputs[0].update(from: values, count: values.count) }
  }
}
