/// The contents of a data source, before any video is opened.
public struct DataListing: Sendable {
  /// The labelled segments, in the order of the source.
  public var annotations: [ActionAnnotation]
  /// Examples in memory, which follow those of the annotations.
  public var examples: [ActionExample]
  /// Findings about files, rows and labels.
  public var findings: [DataFinding]

  /// Creates a listing.
  public init(
    annotations: [ActionAnnotation] = [], examples: [ActionExample] = [],
    findings: [DataFinding] = []
  ) {
    self.annotations = annotations
    self.examples = examples
    self.findings = findings
  }

  /// The labels, sorted.
  public var labels: [String] {
    Set(annotations.map(\.label) + examples.map(\.label)).sorted()
  }
}
