/// What a data source holds, before any video is opened.
public struct DataListing: Sendable {
  /// What is done when in which video, in the order of the source.
  public var annotations: [ActionAnnotation]
  /// Examples that the source has ready, which come after those of the annotations.
  public var examples: [ActionExample]
  /// What was found out about files, rows and labels.
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

  /// The labels, in alphabetical order.
  public var labels: [String] {
    Set(annotations.map(\.label) + examples.map(\.label)).sorted()
  }
}
