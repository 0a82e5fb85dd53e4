/// The third step of compilation: where in one piece of memory each blob lies.
///
/// Blobs that hold another's elements in the same order lie in it; blobs whose lives do not overlap
/// share memory.
struct MemoryPlan {
  /// The element at which each blob begins; absent for unused blobs.
  private(set) var offsets: [Int: Int] = [:]
  private(set) var count = 0

  private struct Span {
    var blob: Int
    var offset: Int
  }

  /// Blocks of memory begin at multiples of this: a cache line.
  private static let alignment = 16

  /// Plans the memory; `lasting` are blobs that must hold their values beyond the run.
  init(
    _ operations: [Operation], isView: [Bool], viewOffsets: [[Int]], blobs: [Blob],
    input: Int, lasting: [Int]
  ) throws {
    var roots: [Int: Span] = [:]
    func root(_ blob: Int) -> Span { roots[blob] ?? Span(blob: blob, offset: 0) }
    for (position, operation) in operations.enumerated() where isView[position] {
      let source = root(operation.inputs[0])
      for (output, offset) in zip(operation.outputs, viewOffsets[position]) {
        roots[output] = Span(blob: source.blob, offset: source.offset + offset)
      }
    }
    var lastUse: [Int: Int] = [:]
    for (position, operation) in operations.enumerated() {
      for blob in operation.inputs + operation.outputs { lastUse[root(blob).blob] = position }
    }
    for blob in lasting { lastUse[root(blob).blob] = .max }

    var ending: [Int: [Int]] = [:]
    for (blob, position) in lastUse { ending[position, default: []].append(blob) }

    var allocator = Allocator()
    var places: [Int: Int] = [:]
    // Constants are written once, so their memory is never reused.
    for (blob, position) in lastUse.sorted(by: { $0.key < $1.key })
    where blobs[blob].values != nil {
      places[blob] = allocator.take(MemoryPlan.rounded(blobs[blob].shape.count))
      ending[position]?.removeAll { $0 == blob }
    }
    places[input] = allocator.take(MemoryPlan.rounded(blobs[input].shape.count))
    for (position, operation) in operations.enumerated() {
      for output in operation.outputs {
        let blob = root(output).blob
        guard places[blob] == nil else { continue }
        places[blob] = allocator.take(MemoryPlan.rounded(blobs[blob].shape.count))
      }
      guard allocator.count <= NetworkLimits.liveElements else {
        throw NetworkError(.limit, "needs more memory than a classifier may")
      }
      for blob in (ending[position] ?? []).sorted() {
        guard let place = places[blob] else { continue }
        allocator.give(place, count: MemoryPlan.rounded(blobs[blob].shape.count))
      }
    }
    count = allocator.count
    for blob in Set(operations.flatMap { $0.inputs + $0.outputs } + lasting + [input]) {
      let span = root(blob)
      if let place = places[span.blob] { offsets[blob] = place + span.offset }
    }
  }

  private static func rounded(_ count: Int) -> Int {
    (count + alignment - 1) / alignment * alignment
  }
}

/// Allocates pieces of one block of memory, first fit.
private struct Allocator {
  private(set) var count = 0
  private var free: [Range<Int>] = []

  mutating func take(_ size: Int) -> Int {
    if let index = free.firstIndex(where: { $0.count >= size }) {
      let begin = free[index].lowerBound
      free[index] = (begin + size)..<free[index].upperBound
      if free[index].isEmpty { free.remove(at: index) }
      return begin
    }
    if let last = free.last, last.upperBound == count {
      free.removeLast()
      count = last.lowerBound + size
      return last.lowerBound
    }
    count += size
    return count - size
  }

  mutating func give(_ begin: Int, count size: Int) {
    let index = free.firstIndex { $0.lowerBound > begin } ?? free.endIndex
    free.insert(begin..<(begin + size), at: index)
    if index + 1 < free.count, free[index].upperBound == free[index + 1].lowerBound {
      free[index] = free[index].lowerBound..<free[index + 1].upperBound
      free.remove(at: index + 1)
    }
    if index > 0, free[index - 1].upperBound == free[index].lowerBound {
      free[index - 1] = free[index - 1].lowerBound..<free[index].upperBound
      free.remove(at: index)
    }
  }
}
