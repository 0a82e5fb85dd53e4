import Foundation

/// Reads JSON (RFC 8259) value by value, without a copy: a line of poses takes the memory of its
/// poses.
struct JSONScanner {
  struct Malformed: Error {}

  /// How deeply values that are skipped may be nested.
  private static let largestDepth = 64
  /// Powers of ten that a `Double` holds exactly.
  private static let powers = (0...22).map { pow(10, Double($0)) }

  private let bytes: UnsafeRawBufferPointer
  /// The place of the next byte.
  private(set) var position: Int

  init(_ bytes: UnsafeRawBufferPointer) { (self.bytes, position) = (bytes, 0) }

  /// The next byte that is not a space, or `nil` at the end.
  mutating func next() -> UInt8? {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
        position += 1
      case let byte: return byte
      }
    }
    return nil
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next() == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func require(_ character: Unicode.Scalar) throws {
    guard take(character) else { throw Malformed() }
  }

  /// Reads an object; `member` must read or skip the value of each name.
  mutating func readObject(_ member: (inout Self, String) throws -> Void) throws {
    try require("{")
    if take("}") { return }
    repeat {
      let name = try readString()
      try require(":")
      try member(&self, name)
    } while take(",")
    try require("}")
  }

  /// Reads an array; `element` must read or skip each value.
  mutating func readArray(_ element: (inout Self) throws -> Void) throws {
    try require("[")
    if take("]") { return }
    repeat { try element(&self) } while take(",")
    try require("]")
  }

  mutating func readString() throws -> String {
    try require("\"")
    let start = position
    var isPlain = true
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      if bytes[position] < 0x20 { throw Malformed() }
      if bytes[position] == UInt8(ascii: "\\") {
        isPlain = false
        position += 1
      }
      position += 1
    }
    guard position < bytes.count else { throw Malformed() }
    position += 1
    let text = UnsafeRawBufferPointer(rebasing: bytes[start..<position - 1])
    guard isPlain else {
      return try JSONDecoder().decode(
        String.self, from: Data(bytes[start - 1..<position]))
    }
    guard let string = String(validating: text, as: UTF8.self) else { throw Malformed() }
    return string
  }

  mutating func readFloat() throws -> Float {
    let (value, text) = try readNumber()
    let float = Float(value)
    // A `Double` half way between two `Float`s may itself be rounded.
    let isHalfWay = value.significandBitPattern & 0x1FFF_FFFF == 0x1000_0000
    let nearest = isHalfWay ? Float(String(decoding: bytes[text], as: UTF8.self)) ?? float : float
    guard nearest.isFinite else { throw Malformed() }
    return nearest
  }

  mutating func readDouble() throws -> Double { try readNumber().value }

  mutating func readInteger() throws -> Int {
    let (value, text) = try readNumber()
    if let integer = Int(String(decoding: bytes[text], as: UTF8.self)) { return integer }
    guard let integer = Int(exactly: value) else { throw Malformed() }
    return integer
  }

  private mutating func readNumber() throws -> (value: Double, text: Range<Int>) {
    _ = next()
    let start = position
    var (mantissa, digits, exponent) = (UInt64(0), 0, 0)
    func digit(at position: Int) -> UInt64? {
      guard position < bytes.count, (48...57).contains(bytes[position]) else { return nil }
      return UInt64(bytes[position] - 48)
    }
    func readDigits(_ position: inout Int) throws -> Int {
      let first = position
      while let digit = digit(at: position) {
        // Beyond 19 digits the text itself is read, below.
        if digits < 19 { mantissa = mantissa * 10 + digit }
        if mantissa > 0 { digits += 1 }
        position += 1
      }
      guard position > first else { throw Malformed() }
      return position - first
    }
    let isNegative = position < bytes.count && bytes[position] == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let leading = digit(at: position)
    guard try readDigits(&position) == 1 || leading != 0 else { throw Malformed() }
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      exponent = -(try readDigits(&position))
    }
    var isPlain = digits <= 19
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      isPlain = false
      position += 1
      if position < bytes.count, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[position]) {
        position += 1
      }
      _ = try readDigits(&position)
    }
    let text = start..<position
    // Two exact numbers give an exactly rounded one (Clinger, PLDI 1990).
    if isPlain, mantissa < 1 << 53, -exponent < Self.powers.count {
      let value = Double(mantissa) / Self.powers[-exponent]
      return (isNegative ? -value : value, text)
    }
    guard let value = Double(String(decoding: bytes[text], as: UTF8.self)), value.isFinite else {
      throw Malformed()
    }
    return (value, text)
  }

  /// Reads a value that is not needed.
  mutating func skip(depth: Int = 0) throws {
    guard depth < Self.largestDepth else { throw Malformed() }
    switch next() {
    case UInt8(ascii: "{"): try readObject { scanner, _ in try scanner.skip(depth: depth + 1) }
    case UInt8(ascii: "["): try readArray { try $0.skip(depth: depth + 1) }
    case UInt8(ascii: "\""): _ = try readString()
    case UInt8(ascii: "t"): try read("true")
    case UInt8(ascii: "f"): try read("false")
    case UInt8(ascii: "n"): try read("null")
    default: _ = try readNumber()
    }
  }

  private mutating func read(_ word: String) throws {
    guard bytes.dropFirst(position).starts(with: word.utf8) else { throw Malformed() }
    position += word.utf8.count
  }

  /// Whether the next value is `null`, which is then read.
  mutating func readNull() throws -> Bool {
    guard next() == UInt8(ascii: "n") else { return false }
    try read("null")
    return true
  }
}
