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
    let share = total.map { min(1, Double(done) / Double($0)) }
    var figures = ["\(Int(saturating: speed)) fps"]
    if let total, let share {
      figures.insert("\(Int(saturating: share * 100)) %", at: 0)
      if speed > 0, done > 0 {
        figures.append("\(Self.clock(Double(max(0, total - done)) / speed)) left")
      }
    } else {
      figures.insert("\(done) frames", at: 0)
    }
    StandardStreams.showProgress(
      Self.line(title, share: share, figures, columns: StandardStreams.columns), step: title,
      share: share)
  }

  /// Title, bar and figures as one line that leaves the last column free: a shorter bar, none, then a shorter
  /// title.
  static func line(
    _ title: String, share: Double?, _ figures: [String], columns: Int
  ) -> String {
    let end = figures.joined(separator: "  ")
    for length in share == nil ? [0] : [24, 12, 6, 0] {
      let bar = length > 0 ? share.map { Self.bar($0, length: length) + " " } ?? "" : ""
      let line = "\(title)  \(bar)\(end)"
      if line.count < columns { return line }
    }
    let room = columns - 1 - end.count - 2
    guard room >= 4 else { return String(end.prefix(max(0, columns - 1))) }
    return "\(title.prefix(room - 1))…  \(end)"
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
