/// A stage that transforms single values; chain stages with ``appending(_:)-(O)``.
public protocol Transformer<Input, Output> {
  /// The input of the stage.
  associatedtype Input
  /// The output of the stage.
  associatedtype Output

  /// Transforms one value; the handler receives progress.
  func applied(to input: Input, eventHandler: EventHandler?) async throws -> Output
}

extension Transformer {
  /// Transforms one value; an instance can be called like a function.
  public func callAsFunction(
    _ input: Input, eventHandler: EventHandler? = nil
  ) async throws -> Output {
    try await applied(to: input, eventHandler: eventHandler)
  }

  /// Chains a stage.
  public func appending<O: Transformer>(_ outer: O) -> ComposedTransformer<Self, O>
  where Output == O.Input {
    ComposedTransformer(self, outer)
  }

  /// Chains a stage over sequences.
  public func appending<O: TemporalTransformer>(
    _ outer: O
  ) -> ComposedTemporalTransformer<TemporalAdaptor<Self>, O>
  where Self: Sendable, Output == O.Input {
    ComposedTemporalTransformer(TemporalAdaptor(self), outer)
  }
}

/// Two chained stages.
public struct ComposedTransformer<Inner: Transformer, Outer: Transformer>: Transformer
where Inner.Output == Outer.Input {
  /// The first stage.
  public var inner: Inner
  /// The second stage.
  public var outer: Outer

  /// Chains two stages.
  public init(_ inner: Inner, _ outer: Outer) {
    self.inner = inner
    self.outer = outer
  }

  /// Transforms one value by both stages.
  public func applied(
    to input: Inner.Input, eventHandler: EventHandler? = nil
  ) async throws -> Outer.Output {
    let intermediate = try await inner.applied(to: input, eventHandler: eventHandler)
    return try await outer.applied(to: intermediate, eventHandler: eventHandler)
  }
}

extension ComposedTransformer: Sendable where Inner: Sendable, Outer: Sendable {}
