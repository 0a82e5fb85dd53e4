/// How far the extraction of poses has come.
package struct ExtractionProgress: Hashable, Sendable {
  package enum Phase: String, Hashable, Codable, Sendable {
    /// Files are read to see whether their poses are known already.
    case checking
    /// Poses are extracted from videos that are not in the cache.
    case extracting
  }

  package var phase: Phase
  /// How many files there are; those of equal content count once when poses are extracted.
  package var fileCount: Int
  /// How many files are done in this phase.
  package var completedCount = 0
  /// How many videos had their poses in the cache.
  package var cachedCount = 0
  package var decodedCount = 0
  package var frameCount = 0
  /// The share of the phase's work that is done, from 0 to 1.
  package var fractionCompleted = 0.0
  /// The remaining time of the phase in seconds, if known.
  package var secondsRemaining: Double?
}
