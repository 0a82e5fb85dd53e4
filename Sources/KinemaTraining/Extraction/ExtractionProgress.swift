/// How far the extraction of poses has come.
public struct ExtractionProgress: Hashable, Sendable {
  /// What is being done.
  public enum Phase: String, Hashable, Codable, Sendable {
    /// Files are read to see whether their poses are known already.
    case checking
    /// Poses are looked for in the videos that are not in the cache.
    case extracting
  }

  /// What is being done.
  public var phase: Phase
  /// How many files there are; those of equal content count once when poses are extracted.
  public var fileCount: Int
  /// How many files are done in this phase.
  public var completedCount = 0
  /// How many videos had their poses in the cache.
  public var cachedCount = 0
  /// How many videos were opened to look for poses in them.
  public var decodedCount = 0
  /// How many frames were looked at.
  public var frameCount = 0
  /// The share of the phase's work that is done, from 0 to 1.
  public var fractionCompleted = 0.0
  /// How many seconds the rest of the phase will take, where that can be told.
  public var secondsRemaining: Double?
}
