/// The relation of an extractor's frames.
public enum ExtractionMode: String, Codable, Sendable, CaseIterable {
  /// Frames of a clip: people are tracked.
  case following
  /// Unrelated images: all people are searched in each, more thoroughly, and poses have no id.
  case stillImages
}
