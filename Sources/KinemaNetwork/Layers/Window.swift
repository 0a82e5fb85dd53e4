/// A kernel that slides over a plane: its size, stride, dilation and padding.
package struct Window: Sendable {
  package enum Edges: Sendable, Equatable {
    /// This many rows and columns.
    case explicit(top: Int, bottom: Int, left: Int, right: Int)
    /// As many as make the output ⌈size / stride⌉, the odd one at the bottom right or top left.
    case same(topLeftHeavy: Bool)

    package static let none = Edges.explicit(top: 0, bottom: 0, left: 0, right: 0)
  }

  package let kernel: (rows: Int, columns: Int)
  package let stride: (rows: Int, columns: Int)
  package let dilation: (rows: Int, columns: Int)
  package var edges: Edges

  /// Larger sizes are refused, so that no sum of a few of them overflows.
  private static let maximumSize = 1 << 24

  static func checkPadding(_ amounts: [Int]) throws {
    guard amounts.allSatisfy((0...maximumSize).contains) else {
      throw NetworkError(.parameters, "has a padding below 0 or far too large: \(amounts)")
    }
  }

  /// Creates a window; throws ``NetworkError`` for sizes that cannot be.
  package init(
    kernel: (rows: Int, columns: Int), stride: (rows: Int, columns: Int) = (1, 1),
    dilation: (rows: Int, columns: Int) = (1, 1), edges: Edges = .none
  ) throws {
    let sizes = [
      kernel.rows, kernel.columns, stride.rows, stride.columns, dilation.rows, dilation.columns,
    ]
    guard sizes.allSatisfy((1...Window.maximumSize).contains) else {
      throw NetworkError(
        .parameters, "has a kernel, stride or dilation below 1 or far too large: \(sizes)")
    }
    if case .explicit(let top, let bottom, let left, let right) = edges {
      try Window.checkPadding([top, bottom, left, right])
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
    var padding: (Int, Int)?
    if case .explicit(let top, let bottom, _, _) = edges { padding = (top, bottom) }
    return try place(on: size, kernel.rows, stride.rows, dilation.rows, padding)
  }

  /// The window along the columns of a plane of this many.
  package func columns(on size: Int) throws -> Placement {
    var padding: (Int, Int)?
    if case .explicit(_, _, let left, let right) = edges { padding = (left, right) }
    return try place(on: size, kernel.columns, stride.columns, dilation.columns, padding)
  }

  private func place(
    on size: Int, _ kernel: Int, _ stride: Int, _ dilation: Int, _ padding: (Int, Int)?
  ) throws -> Placement {
    let reach = (kernel - 1) * dilation + 1
    guard let (before, after) = padding else {
      let count = (size + stride - 1) / stride
      let needed = max(0, (count - 1) * stride + reach - size)
      let (less, more) = (needed / 2, needed - needed / 2)
      let isHeavyBefore = edges == .same(topLeftHeavy: true)
      return Placement(
        before: isHeavyBefore ? more : less, after: isHeavyBefore ? less : more, count: count)
    }
    guard size + before + after >= reach else {
      throw NetworkError(
        .shape, "has a kernel of \(reach) on a padded size of \(size + before + after)")
    }
    return Placement(
      before: before, after: after, count: (size + before + after - reach) / stride + 1)
  }
}
