/// FNV-1a with 64 bits (Fowler, Noll and Vo), against mix-ups and damage, not malice.
struct Fingerprint {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }

  mutating func add(_ number: Int) {
    withUnsafeBytes(of: UInt64(bitPattern: Int64(number)).littleEndian) { add($0) }
  }

  mutating func add(_ text: String) {
    add(text.utf8.count)
    add(text.utf8)
  }

  mutating func add(_ values: [Float]) {
    add(values.count)
    values.withUnsafeBytes { add($0) }
  }

  var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
