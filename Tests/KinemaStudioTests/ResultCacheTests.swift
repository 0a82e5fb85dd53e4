import Foundation
import KinemaStudio
import KinemaTestSupport
import Synchronization
import Testing

@Suite("Results that take time")
struct ResultCacheTests {
  private struct Broken: Error {}

  private let cache = ResultCache<String, Int>()

  /// Asks until the result is there.
  private func result(
    _ key: String, work: @escaping @Sendable () async throws -> Int
  ) async throws -> Int {
    while true {
      if case .done(let value) = try await cache.answer(key, work: { _ in try await work() }) {
        return value
      }
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  @Test("each result is made once; a question while it is made is answered by how far it is")
  func once() async throws {
    let count = Mutex(0)
    let (gate, open) = AsyncStream<Void>.makeStream()
    let work: @Sendable (@escaping @Sendable (Double) -> Void) async throws -> Int = { progress in
      count.withLock { $0 += 1 }
      progress(0.5)
      for await _ in gate { break }
      return 7
    }
    var fractions: Set<Double> = []
    while !fractions.contains(0.5) {
      guard case .working(let fraction) = try await cache.answer("a", work: work) else {
        Issue.record("It is not done.")
        return
      }
      fractions.insert(fraction)
      try await Task.sleep(for: .milliseconds(1))
    }
    open.yield()
    #expect(try await result("a") { 8 } == 7)
    #expect(count.withLock { $0 } == 1 && fractions == [0, 0.5])
    #expect(try await result("b") { 8 } == 8)
  }

  @Test("a failure is reported once, and the next question tries again")
  func failure() async throws {
    await #expect(throws: Broken.self) { try await result("a") { throw Broken() } }
    #expect(try await result("a") { 3 } == 3)
  }

  @Test("two are made at a time; a third is refused until one is done")
  func busy() async throws {
    let (gate, open) = AsyncStream<Void>.makeStream()
    for key in ["a", "b"] {
      _ = try await cache.answer(key) { _ in
        for await _ in gate { break }
        return 1
      }
    }
    let error = await expectAsyncError(StudioError.self) { try await cache.answer("c") { _ in 1 } }
    #expect(error?.code == .busy)
    open.finish()
    #expect(try await result("a") { 2 } == 1)
    #expect(try await result("b") { 2 } == 1)
    #expect(try await result("c") { 2 } == 2)
  }

  @Test("the oldest results go where there are many")
  func oldest() async throws {
    for number in 0..<20 { _ = try await result("\(number)") { number } }
    #expect(try await result("19") { -1 } == 19)
    #expect(try await result("0") { -1 } == -1)
  }
}
