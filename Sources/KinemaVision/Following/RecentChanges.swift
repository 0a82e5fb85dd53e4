import KinemaTracking
import KinemaVideo

/// Where the picture has changed in the last second.
struct RecentChanges {
  typealias Box = (low: SIMD2<Float>, high: SIMD2<Float>)

  /// A picture's brightness, and where people were in it, in pixels.
  private struct Picture {
    var time: Double
    var grid: LumaGrid
    var people: [Box]
  }

  private let rules: TrackingRules.Verification
  private var pictures: [Picture] = []
  private var time = -Double.infinity
  /// The brightness of the frame at this time, and what has changed in it, once they are needed.
  private var grid: LumaGrid?
  private var change: LumaChange?

  init(rules: TrackingRules.Verification) { self.rules = rules }

  /// Begins a frame at a time in seconds.
  mutating func advance(to time: Double) {
    (self.time, grid, change) = (time, nil, nil)
    let old = pictures.last
    pictures.removeAll { time - $0.time > rules.span.upperBound }
    // Where frames are rare, the last one is compared.
    if pictures.isEmpty, let old, time - old.time <= rules.longestSpan { pictures = [old] }
  }

  /// The brightness of the frame at this time.
  mutating func grid(of frame: Frame) -> LumaGrid {
    if let grid { return grid }
    let grid = LumaGrid(of: frame)
    self.grid = grid
    return grid
  }

  /// Keeps the frame, if the last one is long enough ago.
  mutating func note(_ frame: Frame, people: [Box]) {
    guard pictures.last.map({ time - $0.time >= rules.pictureInterval }) ?? true else { return }
    pictures.append(Picture(time: time, grid: grid(of: frame), people: people))
  }

  /// The share of a box that has changed in the last second; `nil` if that is not known, or may be due to a
  /// person in it.
  mutating func share(in box: Box, of frame: Frame, beside people: [Box]) -> Float? {
    guard !(people + pictures.flatMap(\.people)).contains(where: { reaches($0, into: box) })
    else { return nil }
    if change == nil,
      let first = pictures.first(where: { time - $0.time >= rules.span.lowerBound })
    {
      change = LumaChange(from: first.grid, to: grid(of: frame))
    }
    return change.flatMap { share(of: box, in: $0, of: frame) }
  }

  /// The share of a box that has changed since an earlier picture; `nil` if it had another size.
  mutating func share(in box: Box, of frame: Frame, since earlier: LumaGrid) -> Float? {
    LumaChange(from: earlier, to: grid(of: frame)).flatMap { share(of: box, in: $0, of: frame) }
  }

  private func share(of box: Box, in change: LumaChange, of frame: Frame) -> Float? {
    let side = Float(LumaGrid.cellSide(width: frame.width, height: frame.height))
    return change.share(of: (box.low / side, box.high / side), above: rules.changedStep)
  }

  /// Whether a person whose joints are in a box may cover a part of another.
  private func reaches(_ person: Box, into box: Box) -> Bool {
    let margin = rules.personMargin * (person.high - person.low).max()
    let (low, high) = (person.low - margin, person.high + margin)
    return (pointwiseMin(high, box.high) - pointwiseMax(low, box.low)).min() > 0
  }
}
