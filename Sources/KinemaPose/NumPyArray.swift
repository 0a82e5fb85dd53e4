package import Foundation

/// An array in NumPy's `.npy` format (NumPy Enhancement Proposal 1, versions 1 to 3).
package struct NumPyArray {
  enum Element: String {
    case float16 = "f2"
    case float32 = "f4"
    case float64 = "f8"
    case int16 = "i2"
    case int32 = "i4"
    case int64 = "i8"

    var size: Int {
      switch self {
      case .float16, .int16: 2
      case .float32, .int32: 4
      case .float64, .int64: 8
      }
    }
  }

  package let shape: [Int]
  let element: Element
  /// The elements, little-endian, in C order.
  let bytes: Data

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

  /// Reads a `.npy` file, whose elements stay in the file until they are used.
  package init(contentsOf url: URL) throws {
    let data: Data
    do {
      data = try Data(contentsOf: url, options: .mappedIfSafe)
    } catch {
      throw PoseError(.notFound, MessageText("unreadableFile", ["file": url.path]), cause: error)
    }
    do {
      var rest = data[...]
      let header = try NumPyHeader { count in
        guard rest.count >= count else {
          throw NumPyHeader.Malformed(description: "is truncated")
        }
        defer { rest = rest.dropFirst(count) }
        return Data(rest.prefix(count))
      }
      guard header.byteCount == data.count else {
        throw NumPyHeader.Malformed(description: "does not have the size of its shape")
      }
      self.init(shape: header.shape, element: header.element, bytes: rest)
    } catch let error as NumPyHeader.Malformed {
      throw PoseError(.malformed, "\(url.path) \(error.description).", cause: error)
    }
  }

  /// An entry of the first dimension.
  package subscript(index: Int) -> NumPyArray {
    let rest = Array(shape.dropFirst())
    let size = rest.reduce(element.size, *)
    let start = bytes.startIndex + index * size
    return NumPyArray(shape: rest, element: element, bytes: bytes[start..<start + size])
  }

  /// The bytes of a `.npy` file, version 1.
  package var npy: Data {
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
    case .int16: elements(Int16.self).map { Float($0) }
    case .int32: elements(Int32.self).map { Float($0) }
    case .int64: elements(Int64.self).map { Float($0) }
    }
  }

  package var doubles: [Double] {
    element == .float64 ? elements(Double.self) : floats.map(Double.init)
  }

  package var integers: [Int] {
    switch element {
    case .int16: elements(Int16.self).map(Int.init)
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
}
