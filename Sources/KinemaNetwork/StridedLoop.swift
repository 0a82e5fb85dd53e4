/// A loop over two arrangements of elements: dst[Σ iₐ·dₐ] and src[Σ iₐ·sₐ].
///
/// As a copy it transposes, concatenates, splits, pads and takes every second row; as a sum it
/// broadcasts and reduces.
struct StridedLoop: Sendable {
  private let counts: [Int]
  private let sourceStrides: [Int]
  private let targetStrides: [Int]

  /// Creates a loop; axes that are contiguous in both arrangements become one.
  init(counts: [Int], sourceStrides: [Int], targetStrides: [Int]) {
    var merged: [(count: Int, source: Int, target: Int)] = []
    for axis in counts.indices where counts[axis] != 1 {
      let next = (counts[axis], sourceStrides[axis], targetStrides[axis])
      // A sum over two axes stays two sums, which keeps the rounding error down.
      if let last = merged.last, last.source == next.0 * next.1, last.target == next.0 * next.2,
        next.2 != 0
      {
        merged[merged.count - 1] = (last.count * next.0, next.1, next.2)
      } else {
        merged.append(next)
      }
    }
    if merged.isEmpty { merged = [(1, 1, 1)] }
    self.counts = merged.map(\.count)
    self.sourceStrides = merged.map(\.source)
    self.targetStrides = merged.map(\.target)
  }

  /// A loop over `rows` rows of `width` contiguous elements.
  init(rows: Int, width: Int, sourceStride: Int, targetStride: Int) {
    self.init(
      counts: [rows, width], sourceStrides: [sourceStride, 1], targetStrides: [targetStride, 1])
  }

  func copy(_ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>) {
    eachLine(axis: 0, source, target) { source, target, count, sourceStride, targetStride in
      if sourceStride == 1, targetStride == 1 {
        target.update(from: source, count: count)
      } else {
        for index in 0..<count { target[index * targetStride] = source[index * sourceStride] }
      }
    }
  }

  /// dst += src; a stride of 0 spreads an element of the source, or sums into one of the target.
  func add(_ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>) {
    eachLine(axis: 0, source, target) { source, target, count, sourceStride, targetStride in
      if targetStride == 0 {
        var sum: Float = 0
        for index in 0..<count { sum += source[index * sourceStride] }
        target[0] += sum
      } else if sourceStride == 0 {
        let value = source[0]
        for index in 0..<count { target[index * targetStride] += value }
      } else if sourceStride == 1, targetStride == 1 {
        for index in 0..<count { target[index] += source[index] }
      } else {
        for index in 0..<count { target[index * targetStride] += source[index * sourceStride] }
      }
    }
  }

  private typealias Line = (
    _ source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>, _ count: Int,
    _ sourceStride: Int, _ targetStride: Int
  ) -> Void

  private func eachLine(
    axis: Int, _ source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>, _ body: Line
  ) {
    let (count, from, to) = (counts[axis], sourceStrides[axis], targetStrides[axis])
    guard axis < counts.count - 1 else { return body(source, target, count, from, to) }
    for index in 0..<count {
      eachLine(axis: axis + 1, source + index * from, target + index * to, body)
    }
  }
}

extension Kernel {
  /// What a kernel moves: from which input, to which element of which output.
  struct Move: Sendable {
    var input = 0
    var inputOffset = 0
    var output = 0
    var outputOffset = 0
    let loop: StridedLoop
  }

  /// A kernel that only moves elements.
  static func moving(_ moves: [Move]) -> Kernel {
    Kernel { blobs in
      for move in moves {
        move.loop.copy(
          blobs.inputs[move.input] + move.inputOffset,
          to: blobs.outputs[move.output] + move.outputOffset)
      }
    }
  }
}
