/// A progress report of a transformer.
public struct Event: Sendable, CustomDebugStringConvertible {
  /// The name of the transformer that reports.
  public var origin: String
  /// The number of items processed so far.
  public var itemCount: Int
  /// The total number of items, if known.
  public var totalItemCount: Int?
  /// Further figures, by key.
  public var metrics: [MetricsKey: any Sendable]

  /// Creates an event.
  public init(
    origin: String, itemCount: Int, totalItemCount: Int? = nil, metrics: [MetricsKey: any Sendable]
  ) {
    self.origin = origin
    self.itemCount = itemCount
    self.totalItemCount = totalItemCount
    self.metrics = metrics
  }

  /// The event as one line of text.
  public var debugDescription: String {
    let total = totalItemCount.map { " of \($0)" } ?? ""
    return "\(origin): \(itemCount)\(total)"
  }
}

/// The key of a figure in an ``Event``.
public struct MetricsKey: RawRepresentable, Hashable, Sendable {
  /// The key's text.
  public var rawValue: String

  /// Creates a key from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The file or camera that the items come from.
  public static let source = MetricsKey(rawValue: "source")
}

/// A function that takes the events of a transformer.
public typealias EventHandler = @Sendable (Event) -> Void
