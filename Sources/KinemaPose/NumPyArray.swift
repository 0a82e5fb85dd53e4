import Foundation

/// An array in NumPy's `.npy` format (NumPy Enhancement Proposal 1, versions 1 to 3).
package struct NumPyArray {
  enum Element: String {
    case float16 = "f2"
    case float32 = "f4"
    case float64 = "f8"
    case int32 = "i4"
    case int64 = "i8"

    var size: Int {
      switch self {
      case .float16: 2
      case .float32, .int32: 4
      case .float64, .int64: 8
      }
    }
  }

  /// The reason why bytes are not a supported array.
  struct Malformed: Error, CustomStringConvertible {
    let description: String
  }

  let shape: [Int]
  let element: Element
  /// The elements, little-endian, in C order.
  let bytes: Data

  init(npy data: Data) throws {
    let data = Data(data)
    guard data.count >= 10, data.prefix(6) == Data([0x93] + "NUMPY".utf8) else {
      throw Malformed(description: "is not a NumPy array")
    }
    let lengthSize = data[6] == 1 ? 2 : 4
    guard data.count >= 8 + lengthSize else { throw Malformed(description: "is truncated") }
    let headerLength = (0..<lengthSize).reduce(0) { $0 | Int(data[8 + $1]) << (8 * $1) }
    let start = 8 + lengthSize
    guard headerLength <= 65_536, data.count >= start + headerLength,
      let header = String(data: data[start..<(start + headerLength)], encoding: .utf8)
    else { throw Malformed(description: "is truncated") }
    let shape = try Self.shape(in: header)
    guard let element = Self.element(in: header) else {
      throw Malformed(description: "has elements of an unsupported type")
    }
    guard !header.contains("'fortran_order': True") else {
      throw Malformed(description: "is in Fortran order; save it with numpy.ascontiguousarray")
    }
    var byteCount = element.size
    for extent in shape {
      let (product, overflow) = byteCount.multipliedReportingOverflow(by: extent)
      guard !overflow else { throw Malformed(description: "has an invalid shape") }
      byteCount = product
    }
    guard data.count - start - headerLength == byteCount else {
      throw Malformed(description: "does not have the size of its shape \(shape)")
    }
    self.shape = shape
    self.element = element
    bytes = data.suffix(byteCount)
  }

  /// Creates an array from little-endian elements in C order.
  init(shape: [Int], element: Element, bytes: Data) {
    self.shape = shape
    self.element = element
    self.bytes = bytes
  }

  package init(_ values: [Float], shape: [Int]) {
    self.init(shape: shape, element: .float32, bytes: values.withUnsafeBytes { Data($0) })
  }

  package init(_ values: [Double], shape: [Int]) {
    self.init(shape: shape, element: .float64, bytes: values.withUnsafeBytes { Data($0) })
  }

  package init(_ values: [Int32], shape: [Int]) {
    self.init(shape: shape, element: .int32, bytes: values.withUnsafeBytes { Data($0) })
  }

  /// The bytes of a `.npy` file, version 1.
  var npy: Data {
    let extents = shape.map(String.init).joined(separator: ", ") + (shape.count == 1 ? "," : "")
    var header =
      "{'descr': '<\(element.rawValue)', 'fortran_order': False, 'shape': (\(extents)), }"
    // The data starts at a multiple of 64 bytes; the header ends with a line break.
    header += String(repeating: " ", count: (64 - (10 + header.utf8.count + 1) % 64) % 64) + "\n"
    let length = header.utf8.count
    var data = Data([0x93] + "NUMPY".utf8 + [1, 0, UInt8(length & 255), UInt8(length >> 8)])
    data.append(contentsOf: header.utf8)
    data.append(bytes)
    return data
  }

  package var floats: [Float] {
    switch element {
    case .float16: elements(UInt16.self).map { Float(Float16(bitPattern: $0)) }
    case .float32: elements(Float.self)
    case .float64: elements(Double.self).map { Float($0) }
    case .int32: elements(Int32.self).map { Float($0) }
    case .int64: elements(Int64.self).map { Float($0) }
    }
  }

  package var doubles: [Double] {
    element == .float64 ? elements(Double.self) : floats.map(Double.init)
  }

  package var integers: [Int] {
    switch element {
    case .int32: elements(Int32.self).map(Int.init)
    case .int64: elements(Int64.self).map(Int.init)
    default: floats.map { Int(exactly: $0.rounded()) ?? 0 }
    }
  }

  private func elements<T: BitwiseCopyable>(_: T.Type) -> [T] {
    bytes.withUnsafeBytes { buffer in
      (0..<buffer.count / MemoryLayout<T>.size).map {
        buffer.loadUnaligned(fromByteOffset: $0 * MemoryLayout<T>.size, as: T.self)
      }
    }
  }

  private static func text(after key: String, in header: String) -> Substring? {
    guard let found = header.range(of: "'\(key)':") else { return nil }
    return header[found.upperBound...].drop { $0 == " " }
  }

  private static func element(in header: String) -> Element? {
    guard let text = text(after: "descr", in: header), text.hasPrefix("'") else { return nil }
    let code = text.dropFirst().prefix { $0 != "'" }
    guard let order = code.first, order == "<" || order == "|" || order == "=" else { return nil }
    return Element(rawValue: String(code.dropFirst()))
  }

  private static func shape(in header: String) throws -> [Int] {
    guard let text = text(after: "shape", in: header), text.hasPrefix("("),
      let end = text.firstIndex(of: ")")
    else { throw Malformed(description: "has no shape") }
    let parts = text[..<end].dropFirst().split(separator: ",")
    let extents = parts.map { Int($0.trimmingCharacters(in: .whitespaces)) ?? -1 }
    guard extents.count <= 8, extents.allSatisfy({ $0 >= 0 }) else {
      throw Malformed(description: "has an invalid shape")
    }
    return extents
  }
}
