/// The dimensions of a blob: row-major, contiguous Float32, the last dimension innermost.
///
/// A shape that exists is within the limits, so that no product of its dimensions overflows.
package struct Shape: Hashable, Sendable, CustomStringConvertible {
  package static let maximumRank = 8
  /// The greatest number of elements: eight times those of the widest blob for 600 frames.
  package static let maximumCount = 1 << 24

  /// The dimensions, each at least 1.
  package let dimensions: [Int]
  package let count: Int

  /// Creates a shape; throws ``NetworkError`` where the limits are passed.
  package init(_ dimensions: [Int]) throws {
    guard (1...Shape.maximumRank).contains(dimensions.count) else {
      throw NetworkError(
        .shape, "has \(dimensions.count) dimensions where 1 to \(Shape.maximumRank) are possible")
    }
    var count = 1
    for dimension in dimensions {
      guard dimension >= 1 else {
        throw NetworkError(.shape, "has a dimension of \(dimension)")
      }
      let (product, overflow) = count.multipliedReportingOverflow(by: dimension)
      guard !overflow, product <= Shape.maximumCount else {
        throw NetworkError(
          .limit, "is a blob of more than \(Shape.maximumCount) elements: \(dimensions)")
      }
      count = product
    }
    self.dimensions = dimensions
    self.count = count
  }

  package var rank: Int { dimensions.count }

  /// The dimensions as `[1, 3, 60, 18]`.
  package var description: String {
    "[" + dimensions.map(String.init).joined(separator: ", ") + "]"
  }

  subscript(axis: Int) -> Int { dimensions[axis] }

  /// The distance between neighbours along each axis, in elements.
  var strides: [Int] {
    var strides = [Int](repeating: 1, count: rank)
    for axis in stride(from: rank - 2, through: 0, by: -1) {
      strides[axis] = strides[axis + 1] * dimensions[axis + 1]
    }
    return strides
  }

  /// The number of elements before an axis: the product of the dimensions in front of it.
  func outerCount(before axis: Int) -> Int { dimensions[..<axis].reduce(1, *) }

  func innerCount(after axis: Int) -> Int { dimensions[(axis + 1)...].reduce(1, *) }

  /// An axis counted from the front, from one that may be negative (−1 is the last).
  package func axis(_ axis: Int) throws -> Int {
    guard axis >= -rank, axis < rank else {
      throw NetworkError(.shape, "names axis \(axis) of a blob of shape \(self)")
    }
    return axis < 0 ? axis + rank : axis
  }

  /// The axis of channels, the third from the end.
  func channelAxis() throws -> Int {
    guard rank >= 3 else {
      throw NetworkError(.shape, "takes at least three dimensions but gets \(self)")
    }
    return rank - 3
  }

  func replacing(_ values: [Int: Int]) throws -> Shape {
    var dimensions = dimensions
    for (axis, value) in values { dimensions[axis] = value }
    return try Shape(dimensions)
  }
}
