/// Chooses the frames to process at a lower rate.
///
/// Time is divided into cells, one per chosen frame; the first frame in each is chosen. The choice
/// depends only on the frames' times, not on where reading starts, and a source with a lower rate
/// is not changed.
struct FrameThinning {
  /// How far cells begin before their time, as a share of their length, so that times which are not
  /// exact do not put two frames into one cell.
  static let slack = 0.25

  private let rate: Double?
  private var lastCell = -Double.infinity

  /// - Parameter rate: Largest number of frames a second; `nil` for all.
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
