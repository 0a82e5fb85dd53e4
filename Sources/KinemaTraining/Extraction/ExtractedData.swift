/// Annotated data as poses.
public struct ExtractedData: Sendable {
  /// The labelled segments, in the order of their annotations.
  public var examples: [ActionExample]
  /// The videos, in the order in which they are first annotated; files of equal content each.
  public var videos: [VideoDescription]
  /// The findings, those of the listing first.
  public var findings: [DataFinding]

  /// Creates data.
  public init(
    examples: [ActionExample] = [], videos: [VideoDescription] = [], findings: [DataFinding] = []
  ) {
    self.examples = examples
    self.videos = videos
    self.findings = findings
  }
}
