/// Annotated data as poses.
package struct ExtractedData: Sendable {
  /// The labelled segments, in the order of their annotations.
  package var examples: [ActionExample] = []
  /// The videos, in the order in which they are first annotated; files of equal content each.
  package var videos: [VideoDescription] = []
  /// The findings, those of the listing first.
  package var findings: [DataFinding] = []
}
