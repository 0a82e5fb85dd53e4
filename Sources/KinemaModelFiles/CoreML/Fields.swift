internal import KinemaNetwork

/// The fields of a small message by number; absent ones have the format's defaults.
struct Fields {
  private var fields: [Int: [WireField]] = [:]

  /// More fields than any layer has, even with unpacked shapes.
  private static let maximumCount = 1 << 12

  init(_ message: WireReader) throws {
    var reader = message
    var count = 0
    while let field = try reader.next() {
      fields[field.number, default: []].append(field)
      count += 1
      guard count <= Fields.maximumCount else {
        throw SpecificationError(
          .tooLarge, "has a layer of more than \(Fields.maximumCount) parameters")
      }
    }
  }

  func has(_ number: Int) -> Bool { fields[number] != nil }

  func integer(_ number: Int) throws -> Int { try fields[number]?.last?.integer() ?? 0 }

  func boolean(_ number: Int) throws -> Bool { try integer(number) != 0 }

  /// A number; one of 0 counts as absent.
  func float(_ number: Int, default standard: Float = 0) throws -> Float {
    let value = try fields[number]?.last?.float() ?? 0
    return value == 0 ? standard : value
  }

  /// A number that is computed with.
  func finite(_ number: Int) throws -> Float {
    let value = try float(number)
    guard value.isFinite else {
      throw NetworkError(.parameters, "has a parameter that is no finite number")
    }
    return value
  }

  func integers(_ number: Int) throws -> [Int] {
    var values: [Int] = []
    for field in fields[number] ?? [] { try field.append(to: &values) }
    return values
  }

  /// A message; an empty one where there is none.
  func message(_ number: Int) throws -> WireReader {
    try fields[number]?.last?.message() ?? WireReader([])
  }

  func pair(_ number: Int, default standard: Int) throws -> (rows: Int, columns: Int) {
    let values = try integers(number)
    if values.isEmpty { return (standard, standard) }
    guard values.count == 2 else {
      throw NetworkError(.parameters, "has \(values.count) sizes instead of rows and columns")
    }
    return (values[0], values[1])
  }

  /// The edges of a convolution or pooling, a `ValidPadding` or a `SamePadding`.
  func edges(valid: Int, same: Int) throws -> Window.Edges {
    if has(same) {
      return .same(topLeftHeavy: try Fields(message(same)).integer(1) == 1)
    }
    let edges = try Fields.borders(Fields(message(valid)).message(1))
    return .explicit(top: edges.top, bottom: edges.bottom, left: edges.left, right: edges.right)
  }

  /// A `BorderAmounts` message: none or two pairs.
  static func borders(
    _ message: WireReader
  ) throws -> (top: Int, bottom: Int, left: Int, right: Int) {
    let pairs = try Fields(message).fields[10] ?? []
    if pairs.isEmpty { return (0, 0, 0, 0) }
    guard pairs.count == 2 else {
      throw NetworkError(.parameters, "has \(pairs.count) pairs of edges instead of 2")
    }
    let rows = try Fields(pairs[0].message())
    let columns = try Fields(pairs[1].message())
    return (
      try rows.integer(1), try rows.integer(2), try columns.integer(1), try columns.integer(2)
    )
  }
}
