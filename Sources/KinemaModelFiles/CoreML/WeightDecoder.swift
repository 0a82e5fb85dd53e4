internal import KinemaNetwork

/// Reads weights in any of the ways in which a file may store them.
struct WeightDecoder {
  /// How many weights are stored in which way.
  private(set) var counts: [String: Int] = [:]
  private var total = 0

  private struct Stored {
    var floats: [Float] = []
    var halves: ArraySlice<UInt8> = []
    var codes: ArraySlice<UInt8> = []
    var quantization: WireReader?
    var hasDynamicBytes = false
  }

  /// Reads a `WeightParams` message of `count` weights in `rows` rows, which may have a scale each.
  mutating func weights(_ message: WireReader, count: Int, rows: Int) throws -> [Float] {
    total += count
    guard total <= NetworkLimits.parameters else {
      throw NetworkError(.limit, "is one of too many weights: \(total)")
    }
    let stored = try read(message)
    let values: [Float]
    if !stored.floats.isEmpty {
      values = stored.floats
      counts["Float32", default: 0] += count
    } else if !stored.halves.isEmpty {
      guard stored.halves.count == count * 2 else {
        throw mismatch(stored.halves.count / 2, count)
      }
      values = halves(stored.halves)
      counts["Float16", default: 0] += count
    } else if let quantization = stored.quantization {
      values = try quantized(stored.codes, by: quantization, count: count, rows: rows)
    } else if stored.hasDynamicBytes {
      throw NetworkError(.unsupported, "has weights that are quantised while it runs")
    } else {
      values = []
    }
    guard values.count == count else { throw mismatch(values.count, count) }
    guard values.allSatisfy(\.isFinite) else {
      throw NetworkError(.parameters, "has a weight that is no finite number")
    }
    return values
  }

  private func mismatch(_ found: Int, _ expected: Int) -> NetworkError {
    NetworkError(.parameters, "has \(found) weights instead of \(expected)")
  }

  private func read(_ message: WireReader) throws -> Stored {
    var stored = Stored()
    var reader = message
    while let field = try reader.next() {
      switch field.number {
      case 1: try field.append(to: &stored.floats)
      case 2: stored.halves = try field.bytes()
      case 30: stored.codes = try field.bytes()
      case 31: stored.hasDynamicBytes = true
      case 40: stored.quantization = try field.message()
      default: break
      }
    }
    return stored
  }

  private func halves(_ bytes: ArraySlice<UInt8>) -> [Float] {
    bytes.withUnsafeBytes { raw in
      (0..<(raw.count / 2)).map { index in
        Float(
          Float16(
            bitPattern: UInt16(
              littleEndian: raw.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self))))
      }
    }
  }

  // MARK: - Quantised weights

  private struct Quantization {
    var bits = 0
    var scales: [Float] = []
    var biases: [Float] = []
    var table: [Float]?
  }

  private func readQuantization(_ message: WireReader) throws -> Quantization {
    var result = Quantization()
    var reader = message
    while let field = try reader.next() {
      switch field.number {
      case 1: result.bits = try field.integer()
      case 101:
        var linear = try field.message()
        while let part = try linear.next() {
          switch part.number {
          case 1: try part.append(to: &result.scales)
          case 2: try part.append(to: &result.biases)
          default: break
          }
        }
      case 102:
        var table: [Float] = result.table ?? []
        var lookup = try field.message()
        while let part = try lookup.next() {
          if part.number == 1 { try part.append(to: &table) }
        }
        result.table = table
      default: break
      }
    }
    return result
  }

  /// w = table[code] or w = code · scale + bias, the codes unsigned, packed from the highest bit of
  /// the first byte on.
  private mutating func quantized(
    _ bytes: ArraySlice<UInt8>, by message: WireReader, count: Int, rows: Int
  ) throws -> [Float] {
    let quantization = try readQuantization(message)
    let bits = quantization.bits
    guard (1...8).contains(bits) else {
      throw NetworkError(.parameters, "has weights of \(bits) bits")
    }
    guard bytes.count == (count * bits + 7) / 8 else {
      throw mismatch(bytes.count * 8 / bits, count)
    }
    if let table = quantization.table {
      guard table.count == 1 << bits else {
        throw NetworkError(
          .parameters, "has a lookup table of \(table.count) values for \(bits) bits")
      }
      counts["\(bits) bits (lookup table)", default: 0] += count
      return unpack(bytes, bits: bits, count: count) { code, _ in table[code] }
    }
    let scales = quantization.scales
    let biases = quantization.biases.isEmpty ? [0] : quantization.biases
    guard scales.count == 1 || scales.count == rows, biases.count == 1 || biases.count == rows
    else {
      throw NetworkError(
        .parameters,
        "has \(scales.count) scales and \(biases.count) biases for \(rows) rows of weights")
    }
    counts["\(bits) bits (linear)", default: 0] += count
    let length = max(1, count / max(rows, 1))
    return unpack(bytes, bits: bits, count: count) { code, index in
      let row = index / length
      return Float(code) * (scales.count == 1 ? scales[0] : scales[row])
        + (biases.count == 1 ? biases[0] : biases[row])
    }
  }

  private func unpack(
    _ bytes: ArraySlice<UInt8>, bits: Int, count: Int, value: (Int, Int) -> Float
  ) -> [Float] {
    bytes.withUnsafeBytes { raw in
      var pool: UInt32 = 0
      var filled = 0
      var next = 0
      return (0..<count).map { index in
        if filled < bits {
          pool = pool << 8 | UInt32(raw[next])
          next += 1
          filled += 8
        }
        filled -= bits
        let code = Int(pool >> UInt32(filled)) & (1 << bits - 1)
        return value(code, index)
      }
    }
  }
}
