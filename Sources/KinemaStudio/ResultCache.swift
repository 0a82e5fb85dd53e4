import KinemaStreams

/// What is known of a result that takes time.
package enum SlowAnswer<Value: Sendable>: Sendable {
  /// From 0 to 1.
  case working(fraction: Double)
  case done(Value)
}

/// Results that take time: each is made once, and until then the question is answered by how far it
/// has come.
package actor ResultCache<Key: Hashable & Sendable, Value: Sendable> {
  private struct Job {
    var result: Result<SlowAnswer<Value>, any Error> = .success(.working(fraction: 0))
    var task: Task<Void, Never>?
  }

  /// How many results are kept.
  private static var capacity: Int { 16 }
  /// How many are made at the same time.
  private static var maximumWorkCount: Int { 2 }

  private var jobs: [Key: Job] = [:]
  /// The keys of results, the oldest first.
  private var order: [Key] = []

  package init() {}

  deinit { for job in jobs.values { job.task?.cancel() } }

  /// The result of a key; the first question starts the work.
  ///
  /// A failure is reported once; the next question tries again.
  ///
  /// - Parameter work: Makes the result, and reports how far it has come from any thread.
  /// - Throws: ``StudioError`` where too many are made already; what the work failed with.
  package func answer(
    _ key: Key,
    work:
      @escaping @Sendable (_ progress: @escaping @Sendable (Double) -> Void) async throws ->
      Value
  ) throws -> SlowAnswer<Value> {
    if let job = jobs[key] {
      if case .failure = job.result {
        jobs[key] = nil
        order.removeAll { $0 == key }
      }
      return try job.result.get()
    }
    guard jobs.values.count(where: { $0.task != nil }) < Self.maximumWorkCount else {
      throw StudioError(.tooMuchWork)
    }
    let note: @Sendable (Double) -> Void = { [weak self] fraction in
      Task { await self?.note(fraction, key) }
    }
    jobs[key] = Job(
      task: Task(executorPreference: BlockingTasks.threads, priority: .utility) { [weak self] in
        let result: Result<SlowAnswer<Value>, any Error>
        do {
          result = .success(.done(try await work(note)))
        } catch {
          result = .failure(error)
        }
        await self?.finish(key, result)
      })
    return .working(fraction: 0)
  }

  private func note(_ fraction: Double, _ key: Key) {
    guard jobs[key]?.task != nil else { return }
    jobs[key]?.result = .success(.working(fraction: fraction))
  }

  private func finish(_ key: Key, _ result: Result<SlowAnswer<Value>, any Error>) {
    jobs[key]?.result = result
    jobs[key]?.task = nil
    order.append(key)
    while order.count > Self.capacity { jobs[order.removeFirst()] = nil }
  }
}
