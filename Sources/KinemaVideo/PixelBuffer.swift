import Synchronization

/// The memory of frames; written by its only owner before it is shared.
package final class PixelBuffer: @unchecked Sendable {
  package let bytes: UnsafeMutableRawBufferPointer
  private let pool: PixelBufferPool?

  package init(byteCount: Int) {
    bytes = .allocate(byteCount: byteCount, alignment: PixelBufferPool.alignment)
    pool = nil
  }

  /// Takes memory from a pool and returns it when the buffer is freed.
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

/// Reuses the memory of frames: for a 720p frame, page faults of fresh memory cost a third of its
/// colour conversion.
final class PixelBufferPool: @unchecked Sendable {
  static let alignment = 64

  private let capacity: Int
  private let spares = Mutex(Spares())

  private struct Spares: @unchecked Sendable {
    var byteCount = 0
    var buffers: [UnsafeMutableRawBufferPointer] = []
  }

  /// The limit of memory that waits to be used again.
  private static let byteCount = 256 << 20

  /// Creates an empty pool of at most `capacity` buffers.
  init(capacity: Int) { self.capacity = capacity }

  deinit { spares.withLock { $0.buffers.forEach { $0.deallocate() } } }

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
      let hasRoom =
        spares.buffers.count < capacity
        && (spares.buffers.count + 1) * spares.byteCount <= Self.byteCount
      if buffer.count == spares.byteCount && hasRoom {
        spares.buffers.append(buffer)
      } else {
        buffer.deallocate()
      }
    }
  }
}
