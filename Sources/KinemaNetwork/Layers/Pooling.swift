/// The mean or the maximum of a window that slides over the last two axes.
///
/// Mean: y = Σ x / n, where n is the whole window, padding included, or the part inside the plane.
package struct Pooling: Layer {
  package var kind: String { "pooling" }

  package enum Operation: Sendable {
    case maximum
    case average
  }

  package let operation: Operation
  /// The window; `nil` for one over the whole plane.
  package let window: Window?
  package let excludesPadding: Bool

  package init(operation: Operation, window: Window?, excludesPadding: Bool = false) {
    self.operation = operation
    self.window = window
    self.excludesPadding = excludesPadding
  }

  private func window(on shape: Shape) throws -> Window {
    if let window { return window }
    let size = (shape[shape.rank - 2], shape[shape.rank - 1])
    return try Window(
      kernel: size, stride: size, edges: .explicit(top: 0, bottom: 0, left: 0, right: 0))
  }

  package func outputShapes(for inputs: [Operand]) throws -> [Shape] {
    let shape = inputs[0].shape
    let axis = try shape.channelAxis()
    let window = try window(on: shape)
    let rows = try window.rows(on: shape[axis + 1])
    let columns = try window.columns(on: shape[axis + 2])
    // Padding as wide as the kernel would leave windows with nothing in them.
    guard max(rows.before, rows.after) < window.kernel.rows,
      max(columns.before, columns.after) < window.kernel.columns
    else {
      throw NetworkError(.parameters, "has a padding as large as its kernel")
    }
    return [try shape.replacing([axis + 1: rows.count, axis + 2: columns.count])]
  }

  package func work(inputs: [Shape], outputs: [Shape]) -> Double {
    let area =
      window.map { Double($0.kernel.rows) * Double($0.kernel.columns) }
      ?? Double(inputs[0].count) / Double(outputs[0].count)
    return Double(outputs[0].count) * (area * WorkWeight.multiplyAdd + WorkWeight.element)
  }

  package func kernel(inputs: [Operand], outputs: [Shape]) -> Kernel {
    let shape = inputs[0].shape
    let plane = (shape[shape.rank - 2], shape[shape.rank - 1])
    let output = (outputs[0][shape.rank - 2], outputs[0][shape.rank - 1])
    guard let window = try? window(on: shape), let rows = try? window.rows(on: plane.0),
      let columns = try? window.columns(on: plane.1)
    else { preconditionFailure("a pooling was bound to a shape that it had not accepted") }
    let pooling = PlanePooling(
      input: plane, output: output, window: window, before: (rows.before, columns.before),
      isMaximum: operation == .maximum, excludesPadding: excludesPadding)
    let planes = shape.outerCount(before: shape.rank - 2)
    return Kernel { blobs in
      for index in 0..<planes {
        pooling.run(
          blobs.inputs[0] + index * plane.0 * plane.1,
          blobs.outputs[0] + index * output.0 * output.1)
      }
    }
  }
}

private struct PlanePooling {
  let input: (rows: Int, columns: Int)
  let output: (rows: Int, columns: Int)
  let window: Window
  let before: (rows: Int, columns: Int)
  let isMaximum: Bool
  let excludesPadding: Bool

  func run(_ source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>) {
    let size = window.kernel
    if !isMaximum, !excludesPadding, window.stride.columns == 1, output.columns > size.columns {
      return averageByRows(source, target)
    }
    for row in 0..<output.rows {
      let top = row * window.stride.rows - before.rows
      let rows = max(0, top)..<min(input.rows, top + size.rows)
      for column in 0..<output.columns {
        let left = column * window.stride.columns - before.columns
        let columns = max(0, left)..<min(input.columns, left + size.columns)
        let area = excludesPadding ? rows.count * columns.count : size.rows * size.columns
        target[row * output.columns + column] =
          isMaximum
          ? maximum(source, rows, columns) : sum(source, rows, columns) / Float(area)
      }
    }
  }

  /// Means of small overlapping windows: adds whole rows, shifted.
  private func averageByRows(
    _ source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>
  ) {
    let factor = 1 / Float(window.kernel.rows * window.kernel.columns)
    for row in 0..<output.rows {
      let result = target + row * output.columns
      result.update(repeating: 0, count: output.columns)
      let top = row * window.stride.rows - before.rows
      for inputRow in max(0, top)..<min(input.rows, top + window.kernel.rows) {
        let line = source + inputRow * input.columns
        for column in 0..<window.kernel.columns {
          let shift = column - before.columns
          let first = max(0, -shift)
          let end = min(output.columns, input.columns - shift)
          guard first < end else { continue }
          for index in first..<end { result[index] += line[index + shift] }
        }
      }
      for index in 0..<output.columns { result[index] *= factor }
    }
  }

  private func sum(
    _ source: UnsafePointer<Float>, _ rows: Range<Int>, _ columns: Range<Int>
  ) -> Float {
    var total: Float = 0
    for row in rows {
      // A sum a row keeps the rounding error of large planes down.
      var part: Float = 0
      for column in columns { part += source[row * input.columns + column] }
      total += part
    }
    return total
  }

  private func maximum(
    _ source: UnsafePointer<Float>, _ rows: Range<Int>, _ columns: Range<Int>
  ) -> Float {
    var greatest = -Float.infinity
    for row in rows {
      for column in columns { greatest = max(greatest, source[row * input.columns + column]) }
    }
    return greatest
  }
}
