/// Writes the fields of one message in Protocol Buffers' wire format.
struct WireWriter {
  private(set) var bytes: [UInt8] = []

  private mutating func variableInteger(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private mutating func key(_ field: Int, wireType: UInt64) {
    variableInteger(UInt64(field) << 3 | wireType)
  }

  /// A whole number or a truth value's 1.
  mutating func integer(_ field: Int, _ value: Int) {
    key(field, wireType: 0)
    variableInteger(UInt64(bitPattern: Int64(value)))
  }

  /// A truth value; false is the default, which is not written.
  mutating func boolean(_ field: Int, _ value: Bool) { if value { integer(field, 1) } }

  mutating func float(_ field: Int, _ value: Float) {
    key(field, wireType: 5)
    append(value)
  }

  mutating func text(_ field: Int, _ value: String) {
    let utf8 = Array(value.utf8)
    key(field, wireType: 2)
    variableInteger(UInt64(utf8.count))
    bytes += utf8
  }

  /// A message; written also where it is empty, since its presence may be what it says.
  mutating func message(_ field: Int, _ build: (inout WireWriter) throws -> Void) rethrows {
    var inner = WireWriter()
    try build(&inner)
    message(field, inner)
  }

  mutating func message(_ field: Int, _ inner: WireWriter) {
    key(field, wireType: 2)
    variableInteger(UInt64(inner.bytes.count))
    bytes += inner.bytes
  }

  /// A message for each entry, sorted by key, of the key and the value.
  mutating func entries(_ field: Int, _ entries: [String: String]) {
    for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
      message(field) { entry in
        entry.text(1, key)
        entry.text(2, value)
      }
    }
  }

  /// A repeated field, packed; nothing for an empty one.
  mutating func integers(_ field: Int, _ values: [Int]) {
    guard !values.isEmpty else { return }
    message(field) { inner in
      for value in values { inner.variableInteger(UInt64(bitPattern: Int64(value))) }
    }
  }

  /// A repeated field of Float32, packed.
  mutating func floats(_ field: Int, _ values: [Float]) {
    key(field, wireType: 2)
    variableInteger(UInt64(values.count * 4))
    bytes.reserveCapacity(bytes.count + values.count * 4)
    for value in values { append(value) }
  }

  private mutating func append(_ value: Float) {
    withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes += $0 }
  }
}
