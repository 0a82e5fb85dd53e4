/// How a change of light shows the brightness of a picture: lamps and clouds multiply it, cameras also
/// shift it.
struct LightChange {
  /// By how many of 255 steps the brighter half of the cells is at least brighter than the darker one, by
  /// their medians, where both say how light has changed; else all cells together do.
  private static let leastContrast: Float = 16

  /// A brightness before, what is added to it, and to each step above it.
  private var level: Float = 0
  private var shift: Float
  private var slope: Float = 0

  /// The line through the medians of the darker and of the brighter half of the cells, which a person who
  /// covers less than half of each doesn't change.
  ///
  /// - Parameters:
  ///   - before: The brightness of each cell.
  ///   - after: The brightness of the same cells in the changed light.
  init(from before: [Float], to after: [Float]) {
    var levels = before
    let middle = levels.middle()
    // Of cells at the middle, as many are dark as half of all lack.
    var left = before.count / 2 - before.count { $0 < middle }
    var (dark, bright) = (Half(), Half())
    for (level, value) in zip(before, after) {
      let isDark = level < middle || level == middle && left > 0
      if level == middle { left -= 1 }
      if isDark { dark.add(level, value) } else { bright.add(level, value) }
    }
    let (low, high) = (dark.middles(), bright.middles())
    if high.level - low.level >= Self.leastContrast {
      (level, shift) = (low.level, low.shift)
      slope = (high.shift - low.shift) / (high.level - low.level)
    } else {
      var shifts = dark.shifts + bright.shifts
      shift = shifts.middle()
    }
  }

  /// The brightness in the changed light of what had one before.
  func shown(_ before: Float) -> Float { before + shift + slope * (before - level) }

  /// The darker or the brighter cells.
  private struct Half {
    var levels: [Float] = []
    var shifts: [Float] = []

    mutating func add(_ level: Float, _ value: Float) {
      levels.append(level)
      shifts.append(value - level)
    }

    mutating func middles() -> (level: Float, shift: Float) { (levels.middle(), shifts.middle()) }
  }
}

extension [Float] {
  /// The median, the upper one of an even number; 0 of none.
  ///
  /// Rearranges the values by Hoare's *Algorithm 65: Find* (Communications of the ACM 4, 1961).
  fileprivate mutating func middle() -> Float {
    guard !isEmpty else { return 0 }
    return withUnsafeMutableBufferPointer { values in
      let middle = values.count / 2
      var (first, last) = (0, values.count - 1)
      while first < last {
        let pivot = values[(first + last) / 2]
        var (low, high) = (first, last)
        while low <= high {
          while values[low] < pivot { low += 1 }
          while values[high] > pivot { high -= 1 }
          guard low <= high else { break }
          values.swapAt(low, high)
          (low, high) = (low + 1, high - 1)
        }
        if middle <= high { last = high } else if middle >= low { first = low } else { break }
      }
      return values[middle]
    }
  }
}
