import Synchronization

/// The memory behind frames.
///
/// It is written before it is shared, and by its only owner.
package final class PixelBuffer: @unchecked Sendable {
  package let bytes: UnsafeMutableRawBufferPointer
  private let pool: PixelBufferPool?

  package init(byteCount: Int) {
    bytes = .allocate(byteCount: byteCount, alignment: PixelBufferPool.alignment)
    pool = nil
  }

  /// Takes memory from a pool, and gives it back when the buffer is freed.
  init(byteCount: Int, pool: PixelBufferPool) {
    bytes = pool.take(byteCount: byteCount)
    self.pool = pool
  }

  package convenience init(copying other: PixelBuffer) {
    if let pool = other.pool {
      self.init(byteCount: other.bytes.count, pool: pool)
    } else {
      self.init(byteCount: other.bytes.count)
    }
    bytes.copyMemory(from: UnsafeRawBufferPointer(other.bytes))
  }

  deinit {
    if let pool {
      pool.give(bytes)
    } else {
      bytes.deallocate()
    }
  }
}

/// Keeps the memory of frames that are no longer used for those to come.
///
/// Fresh memory costs a page fault every 4 kB, which for a 720p frame is as much work as a third
/// of its colour conversion.
final class PixelBufferPool: @unchecked Sendable {
  static let alignment = 64

  private let capacity: Int
  private let spares = Mutex(Spares())

  private struct Spares: @unchecked Sendable {
    var byteCount = 0
    var buffers: [UnsafeMutableRawBufferPointer] = []
  }

  /// Creates an empty pool that keeps at most `capacity` buffers.
  init(capacity: Int) {
    self.capacity = capacity
  }

  deinit {
    spares.withLock { $0.buffers.forEach { $0.deallocate() } }
  }

  func take(byteCount: Int) -> UnsafeMutableRawBufferPointer {
    let spare: UnsafeMutableRawBufferPointer? = spares.withLock { spares in
      if spares.byteCount != byteCount {
        spares.buffers.forEach { $0.deallocate() }
        spares.buffers = []
        spares.byteCount = byteCount
      }
      return spares.buffers.popLast()
    }
    return spare ?? .allocate(byteCount: byteCount, alignment: Self.alignment)
  }

  func give(_ buffer: UnsafeMutableRawBufferPointer) {
    spares.withLock { spares in
      if buffer.count == spares.byteCount && spares.buffers.count < capacity {
        spares.buffers.append(buffer)
      } else {
        buffer.deallocate()
      }
    }
  }
}
