import KinemaFiles

/// A progress bar with frame rate and remaining time, on a terminal.
struct ProgressBar {
  private let title: String
  private let total: Int?
  private let start = ContinuousClock.now
  private var lastShown: ContinuousClock.Instant?

  init(_ title: String, total: Int?) {
    self.title = title
    self.total = total.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Shows the number of processed frames, at most ten times a second.
  mutating func update(_ done: Int) {
    guard StandardStreams.showsProgress else { return }
    let now = ContinuousClock.now
    if let lastShown, now - lastShown < .milliseconds(100) { return }
    lastShown = now
    let elapsed = (now - start) / .seconds(1)
    let speed = Double(done) / max(elapsed, 1e-6)
    var text = title
    let share = total.map { min(1, Double(done) / Double($0)) }
    if let total, let share {
      text += "  \(Self.bar(share, length: 24)) \(Int(saturating: share * 100)) %"
      text += "  \(Int(saturating: speed)) fps"
      if speed > 0, done > 0 {
        text += "  \(Self.clock(Double(max(0, total - done)) / speed)) left"
      }
    } else {
      text += "  \(done) frames  \(Int(saturating: speed)) fps"
    }
    StandardStreams.showProgress(text, step: title, share: share)
  }

  /// A bar of which a share from 0 to 1 is filled.
  static func bar(_ share: Double, length: Int) -> String {
    let filled = min(max(0, Int(saturating: share * Double(length))), length)
    return String(repeating: "█", count: filled) + String(repeating: "░", count: length - filled)
  }

  func finish() { StandardStreams.finishProgress() }

  /// Seconds as minutes and seconds.
  static func clock(_ seconds: Double) -> String {
    let whole = Int(saturating: min(max(0, seconds), 359_999))
    let text = whole % 60 < 10 ? "0\(whole % 60)" : "\(whole % 60)"
    return "\(whole / 60):\(text)"
  }
}
