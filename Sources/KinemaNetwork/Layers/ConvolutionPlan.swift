/// A convolution on planes of one size as a few wide matrix products; for prediction and training.
///
/// The columns of the kernel are laid out under one another, [kernel columns · channels, rows ·
/// columns]; a row of the kernel is then one product on a contiguous range of rows. A kernel of one
/// column with stride 1 reads the input in place; larger strides first split the rows into phases.
///
/// Weights are [kernel rows][groups][outputs of a group][kernel columns][channels of a group].
package struct ConvolutionPlan: Sendable {
  /// One row of the kernel and the output rows that it reaches.
  private struct Tap {
    let row: Int
    let phase: Int
    /// The input row within the phase that belongs to the first output row.
    let firstRow: Int
    let outputRows: Range<Int>
  }

  /// Every `stride`-th input row, from row `first` on.
  private struct Phase {
    let first: Int
    let rows: Int
    /// Where it is laid out, for each channel and kernel column.
    let offset: Int
  }

  package let window: Window
  let groups: Int
  /// Input channels of one group.
  package let channels: Int
  /// Output channels of one group.
  package let outputs: Int
  package let input: (rows: Int, columns: Int)
  let output: (rows: Int, columns: Int)
  private let leftPadding: Int
  private var taps: [Tap] = []
  private var phases: [Phase] = []
  private let isInPlace: Bool
  /// The kernel columns that are laid out at once.
  private let columnsAtOnce: Int

  /// The most elements that are laid out at once, but for a single kernel column: 16 MiB.
  private static let mostElements = 1 << 22

  /// - Throws: ``NetworkError`` where the window does not fit the plane.
  package init(
    window: Window, groups: Int = 1, channels: Int, outputs: Int, input: (rows: Int, columns: Int)
  ) throws {
    let rows = try window.rows(on: input.rows)
    let columns = try window.columns(on: input.columns)
    self.window = window
    self.groups = groups
    self.channels = channels
    self.outputs = outputs
    self.input = input
    output = (rows.count, columns.count)
    leftPadding = columns.before
    isInPlace =
      window.kernel.columns == 1 && window.stride == (1, 1) && columns.before == 0
      && columns.after == 0
    let lineCount = groups * channels * input.rows * output.columns
    columnsAtOnce = max(1, min(window.kernel.columns, Self.mostElements / lineCount))
    let step = window.stride.rows
    var offset = 0
    for row in 0..<window.kernel.rows {
      let shift = row * window.dilation.rows - rows.before
      let remainder = (shift % step + step) % step
      let firstRow = (shift - remainder) / step
      let phaseRows = remainder < input.rows ? (input.rows - remainder + step - 1) / step : 0
      let reached = max(0, -firstRow)..<max(min(rows.count, phaseRows - firstRow), 0, -firstRow)
      guard !reached.isEmpty else { continue }
      let phase = phases.firstIndex { $0.first == remainder } ?? phases.count
      if phase == phases.count {
        phases.append(Phase(first: remainder, rows: phaseRows, offset: offset))
        offset += phaseRows * output.columns
      }
      taps.append(Tap(row: row, phase: phase, firstRow: firstRow, outputRows: reached))
    }
    // A tap that reaches every row goes first and overwrites, so that nothing is cleared before.
    if let full = taps.firstIndex(where: { $0.outputRows.count == rows.count }) {
      taps.swapAt(0, full)
    }
  }

  /// The inputs that one row of taps sums over.
  package var depth: Int { window.kernel.columns * channels }

  package var weightCount: Int { window.kernel.rows * groups * outputs * depth }

  /// The elements of scratch memory that a run needs.
  package var scratchCount: Int {
    guard !isInPlace, let last = phases.last else { return 0 }
    return groups * channels * columnsAtOnce * (last.offset + last.rows * output.columns)
  }

  /// y = conv(x) or y += conv(x), without bias; without `laysOut` only the products are run.
  package func run(
    _ x: UnsafePointer<Float>, weights: UnsafePointer<Float>,
    into y: UnsafeMutablePointer<Float>, scratch: UnsafeMutablePointer<Float>,
    accumulates: Bool = false, laysOut: Bool = true
  ) {
    let plane = output.rows * output.columns
    var accumulates = accumulates
    if !accumulates, taps.first?.outputRows.count != output.rows {
      y.update(repeating: 0, count: groups * outputs * plane)
      accumulates = true
    }
    eachColumns { columns in
      if !isInPlace, laysOut { layOut(x, columns, into: scratch) }
      for tap in taps {
        let phase = phases[tap.phase]
        let source =
          isInPlace ? x : UnsafePointer(scratch + groups * columns.count * channels * phase.offset)
        let stride = phase.rows * output.columns
        let begin = tap.outputRows.lowerBound
        for group in 0..<groups {
          product(
            weights + (tap.row * groups + group) * outputs * depth + columns.lowerBound * channels,
            source + group * columns.count * channels * stride
              + (tap.firstRow + begin) * output.columns,
            depth: columns.count * channels, stride: stride,
            into: y + group * outputs * plane + begin * output.columns,
            count: tap.outputRows.count * output.columns, accumulates: accumulates)
        }
        accumulates = true
      }
    }
  }

  private func product(
    _ weights: UnsafePointer<Float>, _ source: UnsafePointer<Float>, depth: Int, stride: Int,
    into result: UnsafeMutablePointer<Float>, count: Int, accumulates: Bool
  ) {
    let plane = output.rows * output.columns
    guard depth == 1 else {
      return MatrixProduct.multiply(
        rows: outputs, columns: count, depth: depth, Factor(weights, stride: self.depth),
        Factor(source, stride: stride), into: result, stride: plane, accumulates: accumulates)
    }
    // One channel a group: a product would be all overhead.
    for output in 0..<outputs {
      let weight = weights[output * self.depth]
      let row = result + output * plane
      if accumulates {
        for index in 0..<count { row[index] += weight * source[index] }
      } else {
        for index in 0..<count { row[index] = weight * source[index] }
      }
    }
  }

  // MARK: - The columns of the kernel

  /// Calls with the kernel columns that are laid out at once.
  package func eachColumns(_ body: (Range<Int>) -> Void) {
    for start in stride(from: 0, to: window.kernel.columns, by: columnsAtOnce) {
      body(start..<min(start + columnsAtOnce, window.kernel.columns))
    }
  }

  /// What each kernel column multiplies, under one another; 0 beyond the plane.
  package func layOut(
    _ x: UnsafePointer<Float>, _ columns: Range<Int>, into scratch: UnsafeMutablePointer<Float>
  ) {
    let groupCount = channels * input.rows * input.columns
    for phase in phases {
      let count = channels * phase.rows * output.columns
      for group in 0..<groups {
        for (index, column) in columns.enumerated() {
          let shift = column * window.dilation.columns - leftPadding
          let place = columns.count * groups * channels * phase.offset
          let target = scratch + place + (group * columns.count + index) * count
          if window.stride == (1, 1), output.columns == input.columns {
            layOutWhole(x + group * groupCount, shift, into: target)
          } else {
            layOutLines(x + group * groupCount, phase, shift, into: target)
          }
        }
      }
    }
  }

  /// All channels at once, shifted in one piece; what moved in from a neighbouring line is cleared.
  private func layOutWhole(
    _ x: UnsafePointer<Float>, _ shift: Int, into target: UnsafeMutablePointer<Float>
  ) {
    let count = channels * input.rows * input.columns
    let moved = max(0, count - abs(shift))
    let lost = min(abs(shift), input.columns)
    if shift >= 0 {
      target.update(from: x + min(shift, count), count: moved)
    } else {
      (target + (count - moved)).update(from: x, count: moved)
    }
    guard lost > 0 else { return }
    let edge = shift > 0 ? input.columns - lost : 0
    for line in 0..<(channels * input.rows) {
      let start = target + line * input.columns + edge
      for index in 0..<lost { start[index] = 0 }
    }
  }

  private func layOutLines(
    _ x: UnsafePointer<Float>, _ phase: Phase, _ shift: Int,
    into target: UnsafeMutablePointer<Float>
  ) {
    let step = window.stride.columns
    // The output columns whose input lies inside the plane.
    let first = min(output.columns, shift < 0 ? (-shift + step - 1) / step : 0)
    let last = input.columns - 1 - shift
    let end = max(first, min(output.columns, last < 0 ? 0 : last / step + 1))
    for line in 0..<(channels * phase.rows) {
      let (channel, row) = (line / phase.rows, line % phase.rows)
      let from =
        (channel * input.rows + phase.first + row * window.stride.rows) * input.columns + shift
      let to = target + line * output.columns
      for index in 0..<first { to[index] = 0 }
      if step == 1 {
        (to + first).update(from: x + (from + first), count: end - first)
      } else {
        for index in first..<end { to[index] = x[from + index * step] }
      }
      for index in end..<output.columns { to[index] = 0 }
    }
  }
}
