/// A copy between two arrangements of the same elements: dst[Σ iₐ·dₐ] = src[Σ iₐ·sₐ].
///
/// Transposition, concatenation, splitting, padding and taking every second row are all this.
struct StridedCopy: Sendable {
  private let counts: [Int]
  private let sourceStrides: [Int]
  private let targetStrides: [Int]

  /// Creates a copy; axes that lie behind one another in both arrangements become one.
  init(counts: [Int], sourceStrides: [Int], targetStrides: [Int]) {
    var merged: [(count: Int, source: Int, target: Int)] = []
    for axis in counts.indices where counts[axis] != 1 {
      let next = (counts[axis], sourceStrides[axis], targetStrides[axis])
      if let last = merged.last, last.source == next.0 * next.1, last.target == next.0 * next.2 {
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

  func run(_ source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>) {
    copy(axis: 0, source, target)
  }

  private func copy(
    axis: Int, _ source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>
  ) {
    let count = counts[axis]
    let sourceStride = sourceStrides[axis]
    let targetStride = targetStrides[axis]
    if axis < counts.count - 1 {
      for index in 0..<count {
        copy(axis: axis + 1, source + index * sourceStride, target + index * targetStride)
      }
    } else if sourceStride == 1, targetStride == 1 {
      target.update(from: source, count: count)
    } else {
      for index in 0..<count { target[index * targetStride] = source[index * sourceStride] }
    }
  }
}

/// A kernel that only moves elements.
struct CopyKernel: Kernel {
  /// What is moved: from which input, to which element of which output.
  struct Move: Sendable {
    var input = 0
    var inputOffset = 0
    var output = 0
    var outputOffset = 0
    let copy: StridedCopy
  }

  /// The value that fills the outputs of this size beforehand.
  var fill: (value: Float, count: Int)?
  let moves: [Move]

  func run(_ blobs: KernelBlobs) {
    if let fill {
      blobs.outputs[0].update(repeating: fill.value, count: fill.count)
    }
    for move in moves {
      move.copy.run(
        blobs.inputs[move.input] + move.inputOffset, blobs.outputs[move.output] + move.outputOffset)
    }
  }
}
