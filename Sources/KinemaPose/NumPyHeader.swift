import Foundation

/// What precedes the elements of an array in NumPy's `.npy` format (NumPy Enhancement Proposal 1,
/// versions 1 to 3).
struct NumPyHeader {
  /// The reason why bytes are not a supported array.
  struct Malformed: Error, CustomStringConvertible {
    let description: String
    /// Whether the elements are Python objects.
    var isPickle = false
  }

  /// The limit for the description of an array, in bytes: NumPy's own are below 200.
  private static let largestDescription = 65_536
  private static let largestDimensionCount = 8

  let shape: [Int]
  let element: NumPyArray.Element
  /// The elements of all dimensions.
  let elementCount: Int
  /// The bytes of the whole array, with this header.
  let byteCount: Int

  /// Reads a header.
  ///
  /// - Parameter read: Gives as many of the next bytes of the array as asked for, or throws.
  init(_ read: (Int) throws -> Data) throws {
    let start = try read(8)
    guard start.prefix(6) == Data([0x93] + "NUMPY".utf8) else {
      throw Malformed(description: "is not a NumPy array")
    }
    let lengthSize = start[start.startIndex + 6] == 1 ? 2 : 4
    let length = try read(lengthSize).enumerated().reduce(0) {
      $0 | Int($1.element) << (8 * $1.offset)
    }
    guard length <= Self.largestDescription else { throw Malformed(description: "is damaged") }
    guard let text = String(data: try read(length), encoding: .utf8) else {
      throw Malformed(description: "is damaged")
    }
    shape = try Self.shape(in: text)
    // Objects are pickled: to read them is to run what stands there.
    if Self.code(in: text) == "|O" {
      throw Malformed(
        description:
          "holds Python objects (a pickle), which can run code and are not read; save it as an "
          + "array of numbers", isPickle: true)
    }
    guard let element = Self.element(in: text) else {
      throw Malformed(description: "has elements of an unsupported type")
    }
    self.element = element
    switch Self.value(of: "fortran_order", in: text).map({ $0.prefix(while: \.isLetter) }) {
    case "False": break
    case "True":
      throw Malformed(description: "is in Fortran order; save it with numpy.ascontiguousarray")
    default: throw Malformed(description: "does not say in which order its elements are")
    }
    var count = 1
    for extent in shape {
      let (product, overflow) = count.multipliedReportingOverflow(by: extent)
      // A product of 0 must not hide an extent that no array can have.
      guard !overflow, extent <= Int.max / 64 else {
        throw Malformed(description: "has an invalid shape")
      }
      count = product
    }
    let (size, overflow) = count.multipliedReportingOverflow(by: element.size)
    guard !overflow, size <= Int.max / 2 else {
      throw Malformed(description: "has an invalid shape")
    }
    elementCount = count
    byteCount = 8 + lengthSize + length + size
  }

  /// The text of a value in a Python dictionary of literals, with whatever follows it.
  private static func value(of key: String, in text: String) -> Substring? {
    guard let found = text.range(of: "'\(key)'") ?? text.range(of: "\"\(key)\"") else { return nil }
    let rest = text[found.upperBound...].drop(while: \.isWhitespace)
    guard rest.first == ":" else { return nil }
    return rest.dropFirst().drop(while: \.isWhitespace)
  }

  /// The code of the elements' type, such as `<f4`.
  private static func code(in text: String) -> Substring? {
    guard let text = value(of: "descr", in: text), let quote = text.first, "'\"".contains(quote)
    else { return nil }
    return text.dropFirst().prefix { $0 != quote }
  }

  private static func element(in text: String) -> NumPyArray.Element? {
    guard let code = code(in: text) else { return nil }
    guard let order = code.first, order == "<" || order == "|" || order == "=" else { return nil }
    return NumPyArray.Element(rawValue: String(code.dropFirst()))
  }

  private static func shape(in text: String) throws -> [Int] {
    guard let text = value(of: "shape", in: text), text.hasPrefix("("),
      let end = text.firstIndex(of: ")")
    else { throw Malformed(description: "has no shape") }
    let parts = text[..<end].dropFirst().split(separator: ",")
    let extents = parts.map { Int($0.trimmingCharacters(in: .whitespaces)) ?? -1 }
    guard extents.count <= largestDimensionCount, extents.allSatisfy({ $0 >= 0 }) else {
      throw Malformed(description: "has an invalid shape")
    }
    return extents
  }
}
