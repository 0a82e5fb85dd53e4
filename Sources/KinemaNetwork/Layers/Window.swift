/// Where a kernel stands on a plane: its size, steps and what is added at the edges.
package struct Window: Sendable {
  /// What surrounds the plane.
  package enum Edges: Sendable, Equatable {
    /// This many rows and columns.
    case explicit(top: Int, bottom: Int, left: Int, right: Int)
    /// As many as make the output ⌈size / stride⌉, the odd one at the bottom right or top left.
    case same(topLeftHeavy: Bool)
  }

  package let kernel: (rows: Int, columns: Int)
  package let stride: (rows: Int, columns: Int)
  package let dilation: (rows: Int, columns: Int)
  package var edges: Edges

  /// Sizes above this are refused, so that no sum of a few of them overflows.
  static let maximumSize = 1 << 24

  /// Creates a window; throws ``NetworkError`` for sizes that cannot be.
  package init(
    kernel: (rows: Int, columns: Int), stride: (rows: Int, columns: Int) = (1, 1),
    dilation: (rows: Int, columns: Int) = (1, 1), edges: Edges
  ) throws {
    let sizes = [
      kernel.rows, kernel.columns, stride.rows, stride.columns, dilation.rows, dilation.columns,
    ]
    guard sizes.allSatisfy((1...Window.maximumSize).contains) else {
      throw NetworkError(
        .parameters, "has a kernel, stride or dilation below 1 or far too large: \(sizes)")
    }
    if case .explicit(let top, let bottom, let left, let right) = edges {
      guard [top, bottom, left, right].allSatisfy((0...Window.maximumSize).contains) else {
        throw NetworkError(
          .parameters, "has a padding below 0 or far too large: \([top, bottom, left, right])")
      }
    }
    self.kernel = kernel
    self.stride = stride
    self.dilation = dilation
    self.edges = edges
  }

  /// A window placed on one dimension: the padding in front, behind, and the number of positions.
  package struct Placement {
    package let before: Int
    package let after: Int
    package let count: Int
  }

  /// The window along the rows of a plane of this many.
  package func rows(on size: Int) throws -> Placement {
    try place(on: size, kernel.rows, stride.rows, dilation.rows) { ($0.0, $0.1) }
  }

  /// The window along the columns of a plane of this many.
  package func columns(on size: Int) throws -> Placement {
    try place(on: size, kernel.columns, stride.columns, dilation.columns) { ($0.2, $0.3) }
  }

  private func place(
    on size: Int, _ kernel: Int, _ stride: Int, _ dilation: Int,
    _ pick: ((Int, Int, Int, Int)) -> (Int, Int)
  ) throws -> Placement {
    let reach = (kernel - 1) * dilation + 1
    switch edges {
    case .explicit(let top, let bottom, let left, let right):
      let (before, after) = pick((top, bottom, left, right))
      guard size + before + after >= reach else {
        throw NetworkError(
          .shape, "has a kernel of \(reach) on a padded size of \(size + before + after)")
      }
      return Placement(
        before: before, after: after, count: (size + before + after - reach) / stride + 1)
    case .same(let topLeftHeavy):
      let count = (size + stride - 1) / stride
      let needed = max(0, (count - 1) * stride + reach - size)
      let half = needed / 2
      return Placement(
        before: topLeftHeavy ? needed - half : half, after: topLeftHeavy ? half : needed - half,
        count: count)
    }
  }
}
