import KinemaDepth
import KinemaNetwork

/// The memory of one thread for running the lifter's network forward and backward on some moments.
package final class LifterPass {
  private let layout: LifterLayout
  private let rows: Int
  /// What the tokens are made of, `[rows, tokens, moment and shared numbers]`.
  private let parts: FloatMemory
  /// The tokens before each mixing, `[rows, tokens, width]`, and after the last change.
  private let states: [FloatMemory]
  /// The tokens between the mixing and the change of each block.
  private let mixed: [FloatMemory]
  /// The rectified units within the mixings, `[rows, units, width]`, and changes, `[rows, tokens, units]`.
  private let mixUnits, changeUnits: [FloatMemory]
  /// What enters each residual of the head, and what leaves the last; and the units within these.
  private let heads, headUnits: [FloatMemory]
  private let output: FloatMemory
  private let stateGradient, unitGradient, headGradient, headUnitGradient: FloatMemory

  private var tokens: Int { LifterLayout.tokenCount }
  private var partSize: Int { layout.embed.inputs }

  package init(_ layout: LifterLayout, rows: Int) {
    self.layout = layout
    self.rows = rows
    let (size, tokens) = (layout.size, LifterLayout.tokenCount)
    let stateSize = rows * tokens * size.width
    let mixSize = rows * size.mixingWidth * size.width
    func memories(_ number: Int, _ count: Int) -> [FloatMemory] {
      (0..<number).map { _ in FloatMemory(count) }
    }
    parts = FloatMemory(rows * tokens * layout.embed.inputs)
    states = memories(size.blockCount + 1, stateSize)
    mixed = memories(size.blockCount, stateSize)
    mixUnits = memories(size.blockCount, mixSize)
    changeUnits = memories(size.blockCount, 2 * stateSize)
    heads = memories(size.headCount + 1, rows * size.headWidth)
    headUnits = memories(size.headCount, rows * size.headWidth)
    output = FloatMemory(rows * LiftOutput.count)
    stateGradient = FloatMemory(stateSize)
    unitGradient = FloatMemory(max(2 * stateSize, mixSize))
    headGradient = FloatMemory(rows * size.headWidth)
    headUnitGradient = FloatMemory(rows * size.headWidth)
  }

  /// Runs the network on `[rows, inputs]`; the result, `[rows, outputs]`, lasts until the next run.
  package func forward(
    _ input: UnsafePointer<Float>, weights: UnsafePointer<Float>
  ) -> UnsafeMutablePointer<Float> {
    let (width, count) = (layout.size.width, rows * tokens)
    takeApart(input)
    run(layout.embed, parts.pointer, weights, into: states[0].pointer, rows: count)
    for row in 0..<rows {
      add(weights + layout.places, to: states[0].pointer + row * tokens * width, tokens * width)
    }
    for (number, block) in layout.blocks.enumerated() {
      let (source, middle) = (states[number].pointer, mixed[number].pointer)
      let units = mixUnits[number].pointer
      for row in 0..<rows {
        let start = row * tokens * width
        let unit = units + row * block.mix.0.outputs * width
        mix(block.mix.0, source + start, weights, into: unit)
        rectify(unit, block.mix.0.outputs * width)
        mix(block.mix.1, unit, weights, into: middle + start)
      }
      add(source, to: middle, count * width)
      run(
        block.change, middle, weights, units: changeUnits[number].pointer,
        into: states[number + 1].pointer, rows: count)
    }
    let gathered = heads[0].pointer
    run(layout.gather, states[layout.blocks.count].pointer, weights, into: gathered, rows: rows)
    rectify(gathered, rows * layout.gather.outputs)
    for (number, residual) in layout.head.enumerated() {
      run(
        residual, heads[number].pointer, weights, units: headUnits[number].pointer,
        into: heads[number + 1].pointer, rows: rows)
    }
    run(
      layout.last, heads[layout.head.count].pointer, weights, into: output.pointer, rows: rows)
    return output.pointer
  }

  /// The gradient of the weights after a run, from that of the result; overwrites what was there.
  package func backward(
    outputGradient: UnsafePointer<Float>, weights: UnsafePointer<Float>,
    into slopes: UnsafeMutablePointer<Float>
  ) {
    let (width, count) = (layout.size.width, rows * tokens)
    let (head, state) = (headGradient.pointer, stateGradient.pointer)
    differentiate(
      layout.last, heads[layout.head.count].pointer, outputGradient, into: slopes, rows: rows)
    carry(layout.last, outputGradient, weights, into: head, rows: rows)
    for (number, residual) in layout.head.enumerated().reversed() {
      differentiate(
        residual, heads[number].pointer, headUnits[number].pointer, head, weights,
        unitGradient: headUnitGradient.pointer, into: slopes, rows: rows)
    }
    block(head, where: heads[0].pointer, rows * layout.gather.outputs)
    differentiate(
      layout.gather, states[layout.blocks.count].pointer, head, into: slopes, rows: rows)
    carry(layout.gather, head, weights, into: state, rows: rows)
    for (number, block) in layout.blocks.enumerated().reversed() {
      differentiate(
        block.change, mixed[number].pointer, changeUnits[number].pointer, state, weights,
        unitGradient: unitGradient.pointer, into: slopes, rows: count)
      differentiateMixing(
        block.mix, states[number].pointer, mixUnits[number].pointer, weights, into: slopes)
    }
    let places = slopes + layout.places
    places.update(repeating: 0, count: tokens * width)
    for row in 0..<rows { add(state + row * tokens * width, to: places, tokens * width) }
    differentiate(layout.embed, parts.pointer, state, into: slopes, rows: count)
  }

  /// The numbers of each moment with those beside all moments.
  private func takeApart(_ input: UnsafePointer<Float>) {
    let (moment, shared) = (LifterLayout.momentSize, LifterLayout.sharedSize)
    for row in 0..<rows {
      let source = input + row * LiftWindow.inputCount
      for token in 0..<tokens {
        let target = parts.pointer + (row * tokens + token) * partSize
        target.update(from: source + token * moment, count: moment)
        (target + moment).update(from: source + tokens * moment, count: shared)
      }
    }
  }
}

// MARK: - Residuals

extension LifterPass {
  private func run(
    _ residual: LifterLayout.Residual, _ input: UnsafePointer<Float>,
    _ weights: UnsafePointer<Float>, units: UnsafeMutablePointer<Float>,
    into result: UnsafeMutablePointer<Float>, rows: Int
  ) {
    run(residual.0, input, weights, into: units, rows: rows)
    rectify(units, rows * residual.0.outputs)
    run(residual.1, units, weights, into: result, rows: rows)
    add(input, to: result, rows * residual.1.outputs)
  }

  /// The gradients of a residual's weights; `gradient`, that of its result, becomes that of what it read.
  private func differentiate(
    _ residual: LifterLayout.Residual, _ input: UnsafePointer<Float>,
    _ units: UnsafePointer<Float>, _ gradient: UnsafeMutablePointer<Float>,
    _ weights: UnsafePointer<Float>, unitGradient: UnsafeMutablePointer<Float>,
    into slopes: UnsafeMutablePointer<Float>, rows: Int
  ) {
    differentiate(residual.1, units, gradient, into: slopes, rows: rows)
    carry(residual.1, gradient, weights, into: unitGradient, rows: rows)
    block(unitGradient, where: units, rows * residual.0.outputs)
    differentiate(residual.0, input, unitGradient, into: slopes, rows: rows)
    carry(residual.0, unitGradient, weights, into: gradient, rows: rows, accumulates: true)
  }

  /// The same for a mixing, whose gradient is ``stateGradient``.
  private func differentiateMixing(
    _ residual: LifterLayout.Residual, _ input: UnsafePointer<Float>,
    _ units: UnsafePointer<Float>, _ weights: UnsafePointer<Float>,
    into slopes: UnsafeMutablePointer<Float>
  ) {
    let width = layout.size.width
    let unitSize = residual.0.outputs * width
    for row in 0..<rows {
      let start = row * tokens * width
      let (unit, gradient) = (units + row * unitSize, stateGradient.pointer + start)
      let unitGradient = unitGradient.pointer
      differentiateMixing(residual.1, unit, gradient, into: slopes, accumulates: row > 0)
      carryMixing(residual.1, gradient, weights, into: unitGradient, accumulates: false)
      block(unitGradient, where: unit, unitSize)
      differentiateMixing(
        residual.0, input + start, unitGradient, into: slopes, accumulates: row > 0)
      carryMixing(residual.0, unitGradient, weights, into: gradient, accumulates: true)
    }
  }
}

// MARK: - Products

extension LifterPass {
  private func run(
    _ product: LifterLayout.Product, _ input: UnsafePointer<Float>,
    _ weights: UnsafePointer<Float>, into result: UnsafeMutablePointer<Float>, rows: Int
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
  }

  /// The gradient of a product's weights from that of its result.
  private func differentiate(
    _ product: LifterLayout.Product, _ input: UnsafePointer<Float>,
    _ gradient: UnsafePointer<Float>, into slopes: UnsafeMutablePointer<Float>, rows: Int
  ) {
    MatrixProduct.multiply(
      rows: product.outputs, columns: product.inputs, depth: rows,
      Factor(gradient, stride: product.outputs, isTransposed: true),
      Factor(input, stride: product.inputs), into: slopes + product.weights,
      stride: product.inputs)
    let biases = slopes + product.biases
    biases.update(repeating: 0, count: product.outputs)
    for row in 0..<rows { add(gradient + row * product.outputs, to: biases, product.outputs) }
  }

  /// The gradient of what a product read from that of its result.
  private func carry(
    _ product: LifterLayout.Product, _ gradient: UnsafePointer<Float>,
    _ weights: UnsafePointer<Float>, into result: UnsafeMutablePointer<Float>, rows: Int,
    accumulates: Bool = false
  ) {
    MatrixProduct.multiply(
      rows: rows, columns: product.inputs, depth: product.outputs,
      Factor(gradient, stride: product.outputs),
      Factor(weights + product.weights, stride: product.inputs), into: result,
      stride: product.inputs, accumulates: accumulates)
  }

  /// A product with the tokens of each number: `[inputs, width]` to `[outputs, width]`.
  private func mix(
    _ product: LifterLayout.Product, _ input: UnsafePointer<Float>,
    _ weights: UnsafePointer<Float>, into result: UnsafeMutablePointer<Float>
  ) {
    let width = layout.size.width
    for output in 0..<product.outputs {
      (result + output * width).update(
        repeating: weights[product.biases + output], count: width)
    }
    MatrixProduct.multiply(
      rows: product.outputs, columns: width, depth: product.inputs,
      Factor(weights + product.weights, stride: product.inputs), Factor(input, stride: width),
      into: result, stride: width, accumulates: true)
  }

  private func differentiateMixing(
    _ product: LifterLayout.Product, _ input: UnsafePointer<Float>,
    _ gradient: UnsafePointer<Float>, into slopes: UnsafeMutablePointer<Float>, accumulates: Bool
  ) {
    let width = layout.size.width
    MatrixProduct.multiply(
      rows: product.outputs, columns: product.inputs, depth: width,
      Factor(gradient, stride: width), Factor(input, stride: width, isTransposed: true),
      into: slopes + product.weights, stride: product.inputs, accumulates: accumulates)
    for output in 0..<product.outputs {
      var sum: Float = 0
      for column in 0..<width { sum += gradient[output * width + column] }
      let bias = slopes + product.biases + output
      bias.pointee = accumulates ? bias.pointee + sum : sum
    }
  }

  private func carryMixing(
    _ product: LifterLayout.Product, _ gradient: UnsafePointer<Float>,
    _ weights: UnsafePointer<Float>, into result: UnsafeMutablePointer<Float>, accumulates: Bool
  ) {
    let width = layout.size.width
    MatrixProduct.multiply(
      rows: product.inputs, columns: width, depth: product.outputs,
      Factor(weights + product.weights, stride: product.inputs, isTransposed: true),
      Factor(gradient, stride: width), into: result, stride: width, accumulates: accumulates)
  }
}

// MARK: - Elements

extension LifterPass {
  private func add(
    _ input: UnsafePointer<Float>, to result: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    for index in 0..<count { result[index] += input[index] }
  }

  private func rectify(_ values: UnsafeMutablePointer<Float>, _ count: Int) {
    for index in 0..<count { values[index] = max(values[index], 0) }
  }

  /// Nothing reaches back through units that are not active.
  private func block(
    _ gradient: UnsafeMutablePointer<Float>, where units: UnsafePointer<Float>, _ count: Int
  ) {
    for index in 0..<count { gradient[index] = units[index] > 0 ? gradient[index] : 0 }
  }
}
