/// How the frames that an extractor is given belong together.
public enum ExtractionMode: String, Codable, Sendable, CaseIterable {
  /// Frames of a clip: who is found is followed and keeps the id.
  case following
  /// Pictures that have nothing to do with each other: everybody is looked for in each, with more
  /// effort, and poses have no id.
  case stillImages
}
