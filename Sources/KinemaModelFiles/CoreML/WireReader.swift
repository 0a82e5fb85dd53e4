/// Reads the fields of one message in Protocol Buffers' wire format.
///
/// Nothing is allocated for what a file claims: a length is checked against the bytes that are
/// there. Messages are read on the structure that the caller knows, so depth is bounded by it.
struct WireReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// The next field; `nil` at the end of the message.
  mutating func next() throws -> WireField? {
    guard position < bytes.endIndex else { return nil }
    let start = position
    let key = try variableInteger()
    let number = key >> 3
    guard number >= 1, number < 1 << 29 else {
      throw SpecificationError.damaged("byte \(start) begins a field with the number \(number)")
    }
    let value: WireField.Value
    switch key & 7 {
    case 0: value = .integer(try variableInteger())
    case 1: value = .fixed64(try fixed(8))
    case 2: value = .bytes(try take(variableInteger()))
    case 5: value = .fixed32(UInt32(truncatingIfNeeded: try fixed(4)))
    default:
      throw SpecificationError.damaged("byte \(start) begins a field of wire type \(key & 7)")
    }
    return WireField(number: Int(number), start: start, value: value)
  }

  private mutating func variableInteger() throws -> UInt64 {
    var result: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard position < bytes.endIndex else {
        throw SpecificationError.damaged("it ends in the middle of a number")
      }
      let byte = bytes[position]
      position += 1
      result |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return result }
    }
    throw SpecificationError.damaged("a number before byte \(position) does not end")
  }

  private mutating func fixed(_ size: UInt64) throws -> UInt64 {
    try take(size).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func take(_ length: UInt64) throws -> ArraySlice<UInt8> {
    let left = bytes.endIndex - position
    guard length <= UInt64(left) else {
      throw SpecificationError.damaged(
        "byte \(position) begins \(length) bytes where only \(left) are left")
    }
    defer { position += Int(length) }
    return bytes[position..<(position + Int(length))]
  }

  /// Lists of whole numbers are shapes, axes and labels: none is longer.
  static let maximumIntegers = 1 << 16

  static let tooManyIntegers = SpecificationError(
    .tooLarge, "has a list of more than \(maximumIntegers) whole numbers")

  /// The whole numbers of a packed field.
  static func packedIntegers(_ bytes: ArraySlice<UInt8>) throws -> [UInt64] {
    var reader = WireReader(bytes)
    var values: [UInt64] = []
    while reader.position < bytes.endIndex {
      values.append(try reader.variableInteger())
      guard values.count <= maximumIntegers else { throw tooManyIntegers }
    }
    return values
  }
}

struct WireField {
  enum Value {
    case integer(UInt64)
    case fixed64(UInt64)
    case bytes(ArraySlice<UInt8>)
    case fixed32(UInt32)
  }

  let number: Int
  /// The byte of the file at which it begins.
  let start: Int
  let value: Value

  private func mismatch(_ expected: String) -> SpecificationError {
    .damaged("the field at byte \(start) is no \(expected)")
  }

  /// A whole number that fits `Int`.
  func integer() throws -> Int {
    guard case .integer(let raw) = value else { throw mismatch("number") }
    return Int(Int64(bitPattern: raw))
  }

  func boolean() throws -> Bool { try integer() != 0 }

  func float() throws -> Float {
    guard case .fixed32(let raw) = value else { throw mismatch("Float32") }
    return Float(bitPattern: raw)
  }

  func bytes() throws -> ArraySlice<UInt8> {
    guard case .bytes(let bytes) = value else { throw mismatch("message or text") }
    return bytes
  }

  func message() throws -> WireReader { WireReader(try bytes()) }

  func text() throws -> String {
    guard let text = String(validating: try bytes(), as: UTF8.self) else {
      throw mismatch("text in UTF-8")
    }
    return text
  }

  /// Appends the values of a repeated field, packed or not.
  func append(to integers: inout [Int]) throws {
    switch value {
    case .integer(let raw): integers.append(Int(Int64(bitPattern: raw)))
    case .bytes(let bytes):
      integers += try WireReader.packedIntegers(bytes).map { Int(Int64(bitPattern: $0)) }
    default: throw mismatch("list of numbers")
    }
    guard integers.count <= WireReader.maximumIntegers else { throw WireReader.tooManyIntegers }
  }

  /// Appends the values of a repeated field of Float32, packed or not.
  func append(to floats: inout [Float]) throws {
    switch value {
    case .fixed32(let raw): floats.append(Float(bitPattern: raw))
    case .bytes(let bytes):
      guard bytes.count % 4 == 0 else { throw mismatch("list of Float32") }
      floats.append(
        contentsOf: [Float](unsafeUninitializedCapacity: bytes.count / 4) {
          buffer, count in
          bytes.withUnsafeBytes { raw in
            for index in 0..<(raw.count / 4) {
              buffer[index] = Float(
                bitPattern: UInt32(
                  littleEndian: raw.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)))
            }
          }
          count = bytes.count / 4
        })
    default: throw mismatch("list of Float32")
    }
  }
}
