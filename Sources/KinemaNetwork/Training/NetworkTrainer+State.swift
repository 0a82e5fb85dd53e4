extension NetworkTrainer {
  /// What a state begins with: a name and the version of its layout.
  private static let header: [UInt8] = Array("KinemaTraining1\n".utf8)

  private var blocks: [FloatMemory] {
    let parameters = model.context.parameters
    return [parameters.weights, parameters.first, parameters.second]
      + model.context.normalizations.flatMap { [$0.runningMean, $0.runningVariance] }
  }

  /// Everything that a later trainer of the same specification needs to continue bit by bit: weights,
  /// running statistics, the optimiser's moments, the number of steps, and the sum of weights where
  /// there is one; numbers in the processor's byte order.
  package func state() -> [UInt8] {
    var bytes = Self.header
    func append(_ number: UInt64) { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
    append(UInt64(stepCount))
    for block in blocks {
      append(UInt64(block.count))
      bytes += UnsafeRawBufferPointer(UnsafeBufferPointer(start: block.pointer, count: block.count))
    }
    if weightSum.count > 0 {
      append(UInt64(weightSum.count))
      weightSum.values.withUnsafeBytes { bytes += $0 }
    }
    return bytes
  }

  /// Restores a state; throws ``NetworkError`` where the bytes are no state of such a network;
  /// nothing is changed then.
  package func restore(_ state: [UInt8]) throws {
    let sizes = blocks.map(\.count)
    let failure = NetworkError(
      .parameters, "the state is damaged or belongs to a network of another kind or size")
    let end = Self.header.count + 8 + sizes.reduce(0) { $0 + 8 + 4 * $1 }
    let weightCount = model.context.parameters.weights.count
    let hasSum = state.count == end + 8 + 8 * weightCount
    guard state.starts(with: Self.header), state.count == end || hasSum else { throw failure }
    let summed: UInt64 = hasSum ? Self.integer(state, at: end) : 0
    guard hasSum == (summed > 0), summed < 1 << 40 else { throw failure }
    let step: UInt64 = Self.integer(state, at: Self.header.count)
    guard step < 1 << 40 else { throw failure }
    var place = Self.header.count + 8
    for size in sizes {
      let count: UInt64 = Self.integer(state, at: place)
      guard count == UInt64(size) else { throw failure }
      place += 8 + 4 * size
    }
    place = Self.header.count + 8
    for block in blocks {
      place += 8
      state.withUnsafeBytes { bytes in
        UnsafeMutableRawBufferPointer(
          UnsafeMutableBufferPointer(start: block.pointer, count: block.count)
        ).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: bytes[place..<(place + 4 * block.count)]))
      }
      place += 4 * block.count
    }
    stepCount = Int(step)
    let sums = (0..<(hasSum ? weightCount : 0)).map {
      Double(bitPattern: Self.integer(state, at: end + 8 + 8 * $0))
    }
    weightSum = (sums, Int(summed))
  }

  private static func integer<Value: FixedWidthInteger>(_ bytes: [UInt8], at place: Int) -> Value {
    bytes.withUnsafeBytes {
      Value(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: Value.self))
    }
  }
}
