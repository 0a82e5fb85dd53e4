/// Pieces of work, several at the same time.
package enum ConcurrentWork {
  /// Runs pieces of work in order of their indices, `limit` at a time.
  ///
  /// - Parameter progress: Receives the number of finished pieces and of all.
  /// - Returns: The results in the order of the indices.
  /// - Throws: The first error of a piece; `CancellationError`.
  package static func run<Result: Sendable>(
    _ count: Int, limit: Int, progress: (Int, Int) -> Void = { _, _ in },
    work: @escaping @Sendable (Int) async throws -> Result
  ) async throws -> [Result] {
    let limit = max(1, limit)
    return try await withThrowingTaskGroup(of: (Int, Result).self) { group in
      var results: [Int: Result] = [:]
      func add(_ index: Int) {
        group.addTask {
          try Task.checkCancellation()
          return (index, try await work(index))
        }
      }
      for index in 0..<min(count, limit) { add(index) }
      while let (index, result) = try await group.next() {
        results[index] = result
        progress(results.count, count)
        let next = results.count - 1 + limit
        if next < count { add(next) }
      }
      return results.sorted { $0.key < $1.key }.map(\.value)
    }
  }
}
