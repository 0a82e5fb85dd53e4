import KinemaStreams
public import Testing

/// Runs tests on threads of their own, as a server's requests: what waits there for a moment of some work does
/// not miss it because other tests hold all threads of tasks.
///
/// With Swift before 6.1, which has no scopes of tests, tests run where they are.
public struct OwnThreads: TestTrait, SuiteTrait {
  /// Of a suite: for each of its tests.
  public var isRecursive: Bool { true }
}

#if compiler(>=6.1)
  extension OwnThreads: TestScoping {
    /// Runs a test, with all that it calls.
    public func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      try await withTaskExecutorPreference(BlockingTasks.threads) { try await function() }
    }
  }
#endif

extension Trait where Self == OwnThreads {
  /// Runs tests on threads of their own.
  public static var ownThreads: Self { Self() }
}
