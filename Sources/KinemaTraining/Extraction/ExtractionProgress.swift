/// How far the extraction of poses has come.
public struct ExtractionProgress: Hashable, Sendable {
  /// What is being done.
  public enum Phase: String, Hashable, Codable, Sendable {
    /// Files are read to see whether their poses are known already.
    case checking
    /// Poses are extracted from videos that are not in the cache.
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
  /// The number of decoded videos.
  public var decodedCount = 0
  /// The number of processed frames.
  public var frameCount = 0
  /// The share of the phase's work that is done, from 0 to 1.
  public var fractionCompleted = 0.0
  /// The remaining time of the phase in seconds, if known.
  public var secondsRemaining: Double?
}
