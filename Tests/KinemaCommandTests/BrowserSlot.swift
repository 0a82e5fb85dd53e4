import Foundation
import Testing

/// Lets as many tests drive a browser at a time as there are processors, in the order in which they
/// come: a browser and its server need a processor each, and wait for each other.
///
/// With Swift before 6.1, which has no scopes of tests, all drive theirs at once.
struct BrowserSlot: TestTrait {
  private static let slots = Slots(count: ProcessInfo.processInfo.activeProcessorCount)
  fileprivate let isAlone: Bool
}

#if compiler(>=6.1)
  extension BrowserSlot: TestScoping {
    func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      let count = isAlone ? Self.slots.count : 1
      await Self.slots.take(count)
      do {
        try await function()
      } catch {
        await Self.slots.give(count)
        throw error
      }
      await Self.slots.give(count)
    }
  }
#endif

extension Trait where Self == BrowserSlot {
  /// Other tests may drive a browser meanwhile.
  static var inBrowser: Self { BrowserSlot(isAlone: false) }
  /// The test depends on how busy the machine is: no other drives a browser meanwhile.
  static var aloneInBrowser: Self { BrowserSlot(isAlone: true) }
}

/// A semaphore; who asks for several slots is not overtaken.
private actor Slots {
  let count: Int
  private var free: Int
  private var waiting: [(count: Int, isFree: CheckedContinuation<Void, Never>)] = []

  init(count: Int) { (self.count, free) = (count, count) }

  func take(_ count: Int) async {
    await withCheckedContinuation {
      waiting.append((count, $0))
      advance()
    }
  }

  func give(_ count: Int) {
    free += count
    advance()
  }

  private func advance() {
    while let first = waiting.first, first.count <= free {
      free -= first.count
      waiting.removeFirst().isFree.resume()
    }
  }
}
