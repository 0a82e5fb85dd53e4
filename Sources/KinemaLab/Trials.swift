/// The trials of a benchmark, several at the same time.
enum Trials {
  /// Runs trials in order of their indices, `threadCount` at a time.
  ///
  /// - Parameter progress: Receives the number of finished trials and of all.
  /// - Returns: The results in the order of the indices.
  /// - Throws: The first error of a trial; `CancellationError`.
  static func run<Result: Sendable>(
    _ count: Int, threadCount: Int, progress: (Int, Int) -> Void,
    of trial: @escaping @Sendable (Int) async throws -> Result
  ) async throws -> [Result] {
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
      var results: [Int: Result] = [:]
      func add(_ index: Int) {
        group.addTask {
          try Task.checkCancellation()
          return (index, try await trial(index))
        }
      }
      for index in 0..<min(count, max(1, threadCount)) { add(index) }
      while let (index, result) = try await group.next() {
        results[index] = result
        progress(results.count, count)
        let next = results.count - 1 + max(1, threadCount)
        if next < count { add(next) }
      }
      return results.sorted { $0.key < $1.key }.map(\.value)
    }
  }
}
