import KinemaPose
import KinemaVideo

/// Chooses the frames to process of a source in order.
///
/// At a constant rate time is divided into cells, one per chosen frame; the first frame in each is chosen.
/// The choice depends only on the frames' times, not on where reading starts, and a source with a lower rate
/// is not changed.
struct FrameThinning {
  /// How far cells begin before their time, as a share of their length, so that times which are not
  /// exact do not put two frames into one cell.
  static let slack = 0.25

  private let rate: ProcessingRate
  private var lastCell = -Double.infinity
  private var pace = Pace()

  init(rate: ProcessingRate) {
    self.rate = rate
  }

  /// The earliest time of the next frame to process, in ticks of ``AsyncFrames/timescale``.
  ///
  /// ``keeps(_:)`` decides; a tick earlier, no frame that it would take is left out by rounding.
  var next: Int {
    let time =
      switch rate {
      case .all: -Double.infinity
      case .auto: pace.next
      case .atMost(let rate): (lastCell + 1 - Self.slack) / rate
      }
    return AsyncFrames.ticks(time).map { $0 - 1 } ?? .min
  }

  /// Whether to process the next frame, of a time in seconds.
  mutating func keeps(_ time: Double) -> Bool {
    switch rate {
    case .all: return true
    case .auto: return pace.isDue(time)
    case .atMost(let rate):
      let cell = (time * rate + Self.slack).rounded(.down)
      // A step back in time begins another clip.
      guard cell != lastCell else { return false }
      lastCell = cell
      return true
    }
  }

  /// Takes the poses of a frame that was processed.
  mutating func note(_ poses: @autoclosure () -> [Pose], at time: Double, size: (Int, Int)) {
    guard rate == .auto else { return }
    pace.note(poses(), at: time, aspectRatio: Float(size.0) / Float(max(size.1, 1)))
  }
}
