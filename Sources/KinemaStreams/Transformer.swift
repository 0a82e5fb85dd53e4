/// A stage that turns one value into another.
///
/// Stages are chained with ``appending(_:)-(O)``; the compiler checks that what one gives is what
/// the next takes.
public protocol Transformer<Input, Output> {
  /// What the stage takes.
  associatedtype Input
  /// What the stage gives.
  associatedtype Output

  /// Transforms one value.
  ///
  /// - Parameters:
  ///   - input: The value to transform.
  ///   - eventHandler: Takes reports of progress.
  /// - Returns: The transformed value.
  func applied(to input: Input, eventHandler: EventHandler?) async throws -> Output
}

extension Transformer {
  /// Transforms one value; an instance can be called like a function.
  public func callAsFunction(
    _ input: Input, eventHandler: EventHandler? = nil
  ) async throws -> Output {
    try await applied(to: input, eventHandler: eventHandler)
  }

  /// Transforms every value of a sequence, in order.
  public func callAsFunction<S: Sequence>(
    _ inputs: S, eventHandler: EventHandler? = nil
  ) async throws -> [Output] where S.Element == Input {
    var outputs: [Output] = []
    for input in inputs {
      outputs.append(try await applied(to: input, eventHandler: eventHandler))
    }
    return outputs
  }

  /// Chains a further stage that takes what this one gives.
  public func appending<O: Transformer>(_ outer: O) -> ComposedTransformer<Self, O>
  where Output == O.Input {
    ComposedTransformer(self, outer)
  }

  /// Chains a stage over time behind this one, which is applied to each value of the sequence.
  public func appending<O: TemporalTransformer>(
    _ outer: O
  ) -> ComposedTemporalTransformer<TemporalAdaptor<Self>, O>
  where Self: Sendable, Output == O.Input {
    ComposedTemporalTransformer(TemporalAdaptor(self), outer)
  }

  /// Lifts the stage to sequences: it is applied to each value in turn.
  public func adaptedAsTemporal() -> TemporalAdaptor<Self> where Self: Sendable {
    TemporalAdaptor(self)
  }
}

/// Two stages, one after the other.
public struct ComposedTransformer<Inner: Transformer, Outer: Transformer>: Transformer
where Inner.Output == Outer.Input {
  /// The stage that is applied first.
  public var inner: Inner
  /// The stage that is applied to the result of ``inner``.
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
