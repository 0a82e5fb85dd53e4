/// The contents of a data source, before any video is opened.
package struct DataListing: Sendable {
  /// The labelled segments, in the order of the source.
  package var annotations: [ActionAnnotation]
  /// Examples in memory, which follow those of the annotations.
  package var examples: [ActionExample]
  /// Findings about files, rows and labels.
  package var findings: [DataFinding]

  package init(
    annotations: [ActionAnnotation] = [], examples: [ActionExample] = [],
    findings: [DataFinding] = []
  ) {
    self.annotations = annotations
    self.examples = examples
    self.findings = findings
  }

  package var labels: [String] { Set(annotations.map(\.label) + examples.map(\.label)).sorted() }
}
