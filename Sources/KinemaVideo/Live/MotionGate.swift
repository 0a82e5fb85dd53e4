import Foundation

/// Finds where something moves in a picture, by the brightness of its cells.
///
/// Each cell has a background, the mean of the last seconds, and a noise, how far it usually is from it.
/// What changes all cells of the same brightness alike is light. Where leaves or a screen move all the
/// time, the noise grows until they are no motion any more.
package struct MotionGate: Sendable {
  package struct Rules: Sendable {
    /// The time constant of the background, in seconds: a person crosses a cell faster, and one who stands
    /// still is part of it after some seconds.
    package var backgroundTime = 2.0
    /// The time constants of the noise of cells that are still, and of those that move, in seconds.
    package var noiseTime = 10.0
    package var motionNoiseTime = 30.0
    /// The noise at the beginning, and the bounds of it, in 8-bit steps of a cell's mean.
    package var firstNoise: Float = 1
    package var noiseBounds: ClosedRange<Float> = 0.2...24
    /// A cell moves that is further from its background than this many times its noise, and than so many
    /// steps: five mean deviations are four standard deviations of normal noise.
    package var noiseFactor: Float = 5
    package var leastStep: Float = 2.5
    /// How many cells beside one another have to move.
    package var cellCount = 2

    package init() {}
  }

  package let rules: Rules
  private var size = (width: 0, height: 0)
  private var background: [Float] = []
  private var noise: [Float] = []
  private var time = 0.0

  package init(_ rules: Rules = Rules()) { self.rules = rules }

  /// Adds the grid of the next picture, of a time in seconds.
  ///
  /// - Parameter learns: Whether what moves may be noise; not while people move.
  /// - Returns: Where something moves; everywhere in the first picture, and after one of another size.
  package mutating func add(
    _ grid: LumaGrid, at time: Double, learns: Bool = true
  ) -> [MotionArea] {
    defer { self.time = time }
    guard size == (grid.width, grid.height), time >= self.time else {
      size = (grid.width, grid.height)
      background = grid.values
      noise = grid.values.map { _ in rules.firstNoise }
      return [.everywhere]
    }
    let light = LightChange(from: background, to: grid.values)
    let step = time - self.time
    let follow = weight(step, rules.backgroundTime)
    let (rest, motion) = (weight(step, rules.noiseTime), weight(step, rules.motionNoiseTime))
    var moving = [Bool](repeating: false, count: grid.values.count)
    for (index, value) in grid.values.enumerated() {
      let known = light.shown(background[index])
      let difference = abs(value - known)
      moving[index] = difference > max(rules.leastStep, rules.noiseFactor * noise[index])
      let pace = moving[index] ? (learns ? motion : 0) : rest
      let learned = noise[index] + pace * (difference - noise[index])
      noise[index] = min(max(learned, rules.noiseBounds.lowerBound), rules.noiseBounds.upperBound)
      background[index] = known + follow * (value - known)
    }
    return areas(of: moving)
  }

  private func weight(_ step: Double, _ constant: Double) -> Float {
    Float(1 - exp(-step / constant))
  }

  /// Where enough cells that touch one another move.
  private func areas(of moving: [Bool]) -> [MotionArea] {
    var seen = [Bool](repeating: false, count: moving.count)
    var areas: [MotionArea] = []
    for start in moving.indices where moving[start] && !seen[start] {
      seen[start] = true
      var (open, count) = ([start], 0)
      var (columns, rows) = (
        start % size.width...start % size.width, start / size.width...start / size.width
      )
      while let cell = open.popLast() {
        count += 1
        let (x, y) = (cell % size.width, cell / size.width)
        columns = min(columns.lowerBound, x)...max(columns.upperBound, x)
        rows = min(rows.lowerBound, y)...max(rows.upperBound, y)
        for row in max(0, y - 1)...min(size.height - 1, y + 1) {
          for column in max(0, x - 1)...min(size.width - 1, x + 1) {
            let other = row * size.width + column
            guard moving[other], !seen[other] else { continue }
            seen[other] = true
            open.append(other)
          }
        }
      }
      if count >= rules.cellCount { areas.append(area(columns: columns, rows: rows)) }
    }
    return areas
  }

  /// The place of cells, whose rows count from the top.
  private func area(columns: ClosedRange<Int>, rows: ClosedRange<Int>) -> MotionArea {
    let cells = SIMD2(Float(size.width), Float(size.height))
    return MotionArea(
      lowerLeft: SIMD2(Float(columns.lowerBound), Float(size.height - 1 - rows.upperBound)) / cells,
      upperRight: SIMD2(Float(columns.upperBound + 1), Float(size.height - rows.lowerBound)) / cells
    )
  }
}
