/// A message of Protocol Buffers taken apart by a reader of the tests' own.
struct ONNXMessage {
  private var fields: [Int: [[UInt8]]] = [:]
  private var numbers: [Int: [UInt64]] = [:]

  init(_ bytes: some Sequence<UInt8>) {
    var rest = Array(bytes)[...]
    func variable() -> UInt64 {
      var (value, shift) = (UInt64(0), UInt64(0))
      while let byte = rest.popFirst() {
        value |= UInt64(byte & 0x7f) << shift
        shift += 7
        if byte < 0x80 { break }
      }
      return value
    }
    while !rest.isEmpty {
      let key = variable()
      let field = Int(key >> 3)
      switch key & 7 {
      case 0: numbers[field, default: []].append(variable())
      case 2:
        let length = Int(variable())
        fields[field, default: []].append(Array(rest.prefix(length)))
        rest = rest.dropFirst(length)
      default: rest = rest.dropFirst(key & 7 == 5 ? 4 : 8)
      }
    }
  }

  func messages(_ field: Int) -> [ONNXMessage] { (fields[field] ?? []).map { ONNXMessage($0) } }

  func message(_ field: Int) -> ONNXMessage { messages(field).last ?? ONNXMessage([]) }

  func texts(_ field: Int) -> [String] {
    (fields[field] ?? []).map { String(decoding: $0, as: UTF8.self) }
  }

  func text(_ field: Int) -> String { texts(field).last ?? "" }

  func bytes(_ field: Int) -> [UInt8] { fields[field]?.last ?? [] }

  func number(_ field: Int) -> UInt64? { numbers[field]?.last }

  /// A packed list of whole numbers.
  func integers(_ field: Int) -> [Int] {
    var values: [Int] = []
    var (value, shift) = (UInt64(0), UInt64(0))
    for byte in bytes(field) {
      value |= UInt64(byte & 0x7f) << shift
      shift += 7
      guard byte < 0x80 else { continue }
      values.append(Int(Int64(bitPattern: value)))
      (value, shift) = (0, 0)
    }
    return values
  }
}
