/// A convolution as shifted matrix products.
///
/// With kernels of one column every tap is a product on a contiguous range of the input: stride
/// one needs no copy at all, larger strides split the rows into phases first. Other kernels copy
/// one tap at a time.
struct ConvolutionKernel: Kernel {
  /// One element of the kernel's plane, and the output rows that it reaches.
  private struct Tap {
    let weight: Int
    /// The phase of the input's rows, for strides.
    let source: Int
    /// The input row within the phase that belongs to the first output row.
    let firstRow: Int
    let outputRows: Range<Int>
    /// Whether it is the first to write its rows.
    var isFirst = false
  }

  /// Every `stride`-th input row, beginning with one of the first.
  private struct Phase {
    let offset: Int
    let rows: Int
    let gather: StridedCopy
    let inputOffset: Int
  }

  private let batch: Int
  private let groups: Int
  private let channels: Int
  private let outputs: Int
  private let inputRows: Int
  private let inputColumns: Int
  private let rows: Int
  private let columns: Int
  private let weights: [Float]
  private let epilogue: Epilogue
  private let taps: [Tap]
  private let phases: [Phase]
  private let coversAllRows: Bool
  private let patches: [Patch]
  let scratchCount: Int

  init(_ layer: Convolution, input: Shape, output: Shape, epilogue: Epilogue) {
    let axis = input.rank - 3
    batch = input.outerCount(before: axis)
    groups = layer.groups
    channels = layer.kernelChannels
    outputs = layer.outputChannels / layer.groups
    inputRows = input[axis + 1]
    inputColumns = input[axis + 2]
    rows = output[axis + 1]
    columns = output[axis + 2]
    self.epilogue = epilogue
    weights = ConvolutionKernel.tapMajor(layer)

    let window = layer.window
    let allChannels = input[axis]
    // The shapes were accepted, so the window can be placed.
    let rowPlace = (try? window.rows(on: inputRows)) ?? .init(before: 0, after: 0, count: rows)
    let columnPlace =
      (try? window.columns(on: inputColumns)) ?? .init(before: 0, after: 0, count: columns)

    guard window.kernel.columns == 1, columnPlace.before == 0, columnPlace.after == 0 else {
      patches = Patch.all(
        of: window, rowPadding: rowPlace.before, columnPadding: columnPlace.before)
      taps = []
      phases = []
      coversAllRows = true
      scratchCount = allChannels * rows * columns
      return
    }
    patches = []

    let stride = window.stride.rows
    var phases: [Phase] = []
    var taps: [Tap] = []
    var phaseIndex: [Int: Int] = [:]
    var offset = 0
    let copies = stride > 1 || window.stride.columns > 1
    for row in 0..<window.kernel.rows {
      let shift = row * window.dilation.rows - rowPlace.before
      let remainder = ((shift % stride) + stride) % stride
      let firstRow = (shift - remainder) / stride
      let phaseRows = remainder < inputRows ? (inputRows - remainder + stride - 1) / stride : 0
      let first = max(0, -firstRow)
      let end = min(rows, phaseRows - firstRow)
      guard first < end else { continue }
      if copies, phaseIndex[remainder] == nil {
        phaseIndex[remainder] = phases.count
        phases.append(
          Phase(
            offset: offset, rows: phaseRows,
            gather: StridedCopy(
              counts: [allChannels, phaseRows, columns],
              sourceStrides: [
                inputRows * inputColumns, stride * inputColumns, window.stride.columns,
              ],
              targetStrides: [phaseRows * columns, columns, 1]),
            inputOffset: remainder * inputColumns))
        offset += allChannels * phaseRows * columns
      }
      taps.append(
        Tap(
          weight: row, source: phaseIndex[remainder] ?? 0, firstRow: firstRow,
          outputRows: first..<end))
    }
    // A tap that reaches every row goes first and overwrites: no clearing beforehand.
    if let full = taps.firstIndex(where: { $0.outputRows == 0..<output[axis + 1] }) {
      taps.swapAt(0, full)
      taps[0].isFirst = true
      coversAllRows = true
    } else {
      coversAllRows = false
    }
    self.taps = taps
    self.phases = phases
    scratchCount = offset
  }

  func run(_ blobs: KernelBlobs) {
    let inputCount = groups * channels * inputRows * inputColumns
    let outputCount = groups * outputs * rows * columns
    for item in 0..<batch {
      let input = blobs.inputs[0] + item * inputCount
      let output = blobs.outputs[0] + item * outputCount
      for phase in phases {
        phase.gather.run(input + phase.inputOffset, blobs.scratch + phase.offset)
      }
      if !coversAllRows { output.update(repeating: 0, count: outputCount) }
      multiply(input, output, blobs.scratch, fillsPatches: true)
      epilogue.apply(
        to: output,
        residual: epilogue.addsResidual ? blobs.inputs[1] + item * outputCount : nil,
        channels: groups * outputs, count: rows * columns)
    }
  }

  func runProducts(_ blobs: KernelBlobs) {
    guard channels > 1 else { return }
    for item in 0..<batch {
      multiply(
        blobs.inputs[0] + item * groups * channels * inputRows * inputColumns,
        blobs.outputs[0] + item * groups * outputs * rows * columns, blobs.scratch,
        fillsPatches: false)
    }
  }

  private func multiply(
    _ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>,
    _ scratch: UnsafeMutablePointer<Float>, fillsPatches: Bool
  ) {
    let plane = rows * columns
    weights.withUnsafeBufferPointer { weights in
      guard let weights = weights.baseAddress else { return }
      for tap in taps {
        let phaseRows = phases.isEmpty ? inputRows : phases[tap.source].rows
        let source = phases.isEmpty ? input : UnsafePointer(scratch + phases[tap.source].offset)
        let begin = tap.outputRows.lowerBound
        let count = tap.outputRows.count * columns
        for group in 0..<groups {
          product(
            weights + (tap.weight * groups + group) * outputs * channels,
            source + (group * channels * phaseRows + tap.firstRow + begin) * columns,
            rightStride: phaseRows * columns,
            into: output + group * outputs * plane + begin * columns, count: count,
            accumulates: !tap.isFirst)
        }
      }
      for (index, patch) in patches.enumerated() {
        if fillsPatches {
          patch.fill(
            scratch, from: input, channels: groups * channels,
            input: (inputRows, inputColumns), output: (rows, columns))
        }
        for group in 0..<groups {
          product(
            weights + (index * groups + group) * outputs * channels,
            scratch + group * channels * plane, rightStride: plane,
            into: output + group * outputs * plane, count: plane, accumulates: index > 0)
        }
      }
    }
  }

  private func product(
    _ weights: UnsafePointer<Float>, _ source: UnsafePointer<Float>, rightStride: Int,
    into result: UnsafeMutablePointer<Float>, count: Int, accumulates: Bool
  ) {
    guard channels == 1 else {
      MatrixProduct(
        rows: outputs, columns: count, depth: channels, leftStride: channels,
        rightStride: rightStride, resultStride: rows * columns, accumulates: accumulates
      ).run(weights, source, into: result)
      return
    }
    // One channel a group: a product would be all overhead.
    for output in 0..<outputs {
      let weight = weights[output]
      let row = result + output * rows * columns
      if accumulates {
        for index in 0..<count { row[index] += weight * source[index] }
      } else {
        for index in 0..<count { row[index] = weight * source[index] }
      }
    }
  }

  /// The weights as [tap, group, output of the group, channel].
  private static func tapMajor(_ layer: Convolution) -> [Float] {
    let taps = layer.window.kernel.rows * layer.window.kernel.columns
    let pairs = layer.outputChannels * layer.kernelChannels
    guard taps > 1 else { return layer.weights }
    return [Float](unsafeUninitializedCapacity: taps * pairs) { buffer, count in
      for tap in 0..<taps {
        for pair in 0..<pairs { buffer[tap * pairs + pair] = layer.weights[pair * taps + tap] }
      }
      count = taps * pairs
    }
  }
}

/// What one tap of a kernel sees of a padded plane, for kernels of more than one column.
private struct Patch: Sendable {
  let row: Int
  let column: Int
  let rowStride: Int
  let columnStride: Int

  static func all(of window: Window, rowPadding: Int, columnPadding: Int) -> [Patch] {
    (0..<window.kernel.rows).flatMap { row in
      (0..<window.kernel.columns).map { column in
        Patch(
          row: row * window.dilation.rows - rowPadding,
          column: column * window.dilation.columns - columnPadding,
          rowStride: window.stride.rows, columnStride: window.stride.columns)
      }
    }
  }

  func fill(
    _ target: UnsafeMutablePointer<Float>, from source: UnsafePointer<Float>, channels: Int,
    input: (rows: Int, columns: Int), output: (rows: Int, columns: Int)
  ) {
    // The output columns whose input lies inside the plane.
    let first = min(output.columns, column < 0 ? (-column + columnStride - 1) / columnStride : 0)
    let last = input.columns - 1 - column
    let end = max(first, min(output.columns, last < 0 ? 0 : last / columnStride + 1))
    for channel in 0..<channels {
      for outputRow in 0..<output.rows {
        let to = target + (channel * output.rows + outputRow) * output.columns
        let inputRow = row + outputRow * rowStride
        guard inputRow >= 0, inputRow < input.rows else {
          to.update(repeating: 0, count: output.columns)
          continue
        }
        let from = (channel * input.rows + inputRow) * input.columns + column
        for index in 0..<first { to[index] = 0 }
        if columnStride == 1 {
          (to + first).update(from: source + (from + first), count: end - first)
        } else {
          for index in first..<end { to[index] = source[from + index * columnStride] }
        }
        for index in end..<output.columns { to[index] = 0 }
      }
    }
  }
}
