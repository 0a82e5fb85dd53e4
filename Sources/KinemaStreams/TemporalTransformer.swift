/// A stage that turns a sequence of time-stamped values into another.
public protocol TemporalTransformer<Input, Output> {
  /// The values of the input sequence.
  associatedtype Input
  /// The values of the output sequence.
  associatedtype Output
  /// The output sequence.
  associatedtype OutputSequence: TemporalSequence where OutputSequence.Feature == Output

  /// Transforms a sequence lazily, as the result is iterated; the handler receives progress.
  func applied<S: TemporalSequence>(
    to input: S, eventHandler: EventHandler?
  ) async throws -> OutputSequence where S.Feature == Input
}

extension TemporalTransformer {
  /// Transforms a sequence; an instance can be called like a function.
  public func callAsFunction<S: TemporalSequence>(
    _ input: S, eventHandler: EventHandler? = nil
  ) async throws -> OutputSequence where S.Feature == Input {
    try await applied(to: input, eventHandler: eventHandler)
  }

  /// Chains a stage over sequences.
  public func appending<O: TemporalTransformer>(
    _ outer: O
  ) -> ComposedTemporalTransformer<Self, O> where Output == O.Input {
    ComposedTemporalTransformer(self, outer)
  }

  /// Chains a stage that is applied to each value.
  public func appending<O: Transformer & Sendable>(
    _ outer: O
  ) -> ComposedTemporalTransformer<Self, TemporalAdaptor<O>> where Output == O.Input {
    ComposedTemporalTransformer(self, TemporalAdaptor(outer))
  }
}

/// Two chained stages over sequences.
public struct ComposedTemporalTransformer<
  Inner: TemporalTransformer, Outer: TemporalTransformer
>: TemporalTransformer where Inner.Output == Outer.Input {
  /// The values of the input sequence.
  public typealias Input = Inner.Input
  /// The values of the output sequence.
  public typealias Output = Outer.Output

  /// The first stage.
  public var inner: Inner
  /// The second stage.
  public var outer: Outer

  /// Chains two stages.
  public init(_ inner: Inner, _ outer: Outer) {
    self.inner = inner
    self.outer = outer
  }

  /// Transforms a sequence by both stages.
  public func applied<S: TemporalSequence>(
    to input: S, eventHandler: EventHandler? = nil
  ) async throws -> Outer.OutputSequence where S.Feature == Inner.Input {
    let intermediate = try await inner.applied(to: input, eventHandler: eventHandler)
    return try await outer.applied(to: intermediate, eventHandler: eventHandler)
  }
}

extension ComposedTemporalTransformer: Sendable where Inner: Sendable, Outer: Sendable {}

/// A stage for single values, adapted to sequences.
public struct TemporalAdaptor<Base: Transformer & Sendable>: TemporalTransformer, Sendable {
  /// The input values.
  public typealias Input = Base.Input
  /// The output values.
  public typealias Output = Base.Output

  /// The stage that is applied to each value.
  public var base: Base

  /// Adapts a stage to sequences.
  public init(_ base: Base) { self.base = base }

  /// Transforms each value of a sequence in order; identifiers stay the same.
  public func applied<S: TemporalSequence>(
    to input: S, eventHandler: EventHandler? = nil
  ) async throws -> AnyTemporalSequence<Base.Output> where S.Feature == Base.Input {
    let base = base
    var upstream = input.makeAsyncIterator()
    return AnyTemporalSequence(count: input.count) {
      guard let element = try await upstream.next() else { return nil }
      return TemporalFeature(
        id: element.id,
        feature: try await base.applied(to: element.feature, eventHandler: eventHandler))
    }
  }
}
