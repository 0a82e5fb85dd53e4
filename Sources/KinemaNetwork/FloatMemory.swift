internal import Glibc

/// Numbers at a fixed address, initially zero, aligned to 64 bytes.
///
/// A few vectors follow its end, so that kernels may read past it.
package final class FloatMemory {
  package let pointer: UnsafeMutablePointer<Float>
  package let count: Int

  package init(_ count: Int) {
    self.count = count
    let bytes = (count + 64) * MemoryLayout<Float>.stride
    // Large blocks on boundaries of large pages, which spare most of the address translation.
    let isLarge = bytes >= 1 << 21
    let raw = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: isLarge ? 1 << 21 : 64)
    if isLarge { madvise(raw, bytes, MADV_HUGEPAGE) }
    pointer = raw.bindMemory(to: Float.self, capacity: count + 64)
    pointer.initialize(repeating: 0, count: count + 64)
  }

  convenience init(_ values: [Float]) {
    self.init(values.count)
    pointer.update(from: values, count: values.count)
  }

  deinit { pointer.deallocate() }

  package subscript(index: Int) -> Float {
    get { pointer[index] }
    set { pointer[index] = newValue }
  }

  package var values: [Float] { Array(UnsafeBufferPointer(start: pointer, count: count)) }
}

/// Sums in Float64 at a fixed address, one row a chunk.
final class ChunkSums {
  let pointer: UnsafeMutablePointer<Double>
  let chunks: Int
  let count: Int

  init(chunks: Int, count: Int) {
    self.chunks = chunks
    self.count = count
    pointer = .allocate(capacity: chunks * count)
    pointer.initialize(repeating: 0, count: chunks * count)
  }

  deinit { pointer.deallocate() }

  /// The row of a chunk, made zero.
  func cleared(_ chunk: Int) -> UnsafeMutablePointer<Double> {
    let row = pointer + chunk * count
    row.update(repeating: 0, count: count)
    return row
  }

  /// The sum over the first chunks, in their order.
  func total(_ index: Int, chunks: Int) -> Double {
    var sum = 0.0
    for chunk in 0..<chunks { sum += pointer[chunk * count + index] }
    return sum
  }
}

/// Memory of one worker that grows on demand; its content is undefined between uses.
final class ScratchMemory {
  private var pointer: UnsafeMutableRawPointer
  private var size = 1 << 16

  init() { pointer = .allocate(byteCount: size, alignment: 64) }

  deinit { pointer.deallocate() }

  func memory<Element>(_ count: Int, of type: Element.Type) -> UnsafeMutablePointer<Element> {
    let bytes = count * MemoryLayout<Element>.stride
    if bytes > size {
      pointer.deallocate()
      pointer = .allocate(byteCount: bytes, alignment: 64)
      size = bytes
    }
    return pointer.bindMemory(to: type, capacity: count)
  }
}
