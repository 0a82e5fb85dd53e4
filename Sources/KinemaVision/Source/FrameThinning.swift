/// Chooses the frames to process where not all of them are wanted.
///
/// Time is divided into cells, as many a second as frames are wanted; the first frame in each is kept.
/// So the choice depends on the times of the frames alone, not on where reading begins, and a source
/// with a lower rate keeps all of its frames.
struct FrameThinning {
  /// How far cells begin before their time, as a share of their length, so that times which are not
  /// exact do not put two frames into one cell.
  static let slack = 0.25

  private let rate: Double?
  private var lastCell = -Double.infinity

  /// - Parameter rate: How many frames a second are kept at most; `nil` for all.
  init(rate: Double?) {
    self.rate = rate
  }

  /// Whether to process the next frame, of a time in seconds.
  mutating func keeps(_ time: Double) -> Bool {
    guard let rate else { return true }
    let cell = (time * rate + Self.slack).rounded(.down)
    // A step back in time begins another clip.
    guard cell != lastCell else { return false }
    lastCell = cell
    return true
  }
}
