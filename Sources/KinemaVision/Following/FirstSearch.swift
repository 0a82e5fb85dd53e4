import KinemaVideo

/// Selects parts of the frame for the detector while no person is tracked.
///
/// In the whole frame the detector finds people from a third of the longer side; smaller ones are
/// found in parts, one after another.
struct FirstSearch {
  /// The sides of the parts, as shares of the frame's longer side: in the smallest the detector
  /// finds a person of an eighth of the longer side.
  static let tileShares: [Float] = [0.62, 0.45, 0.33]
  /// Number of frames in which only the whole frame is searched first, where a lost person
  /// reappears.
  static let wholeCount = 4
  /// Then a part is searched every this many frames, at half the additional cost of the whole
  /// frame.
  static let partInterval = 2

  private var frameCount = 0
  private var tileIndex = 0

  /// Restarts with the whole frame when a person is reported.
  mutating func reset() { frameCount = 0 }

  /// The part to search in a frame without a person; `nil` for none.
  mutating func part(of frame: Frame) -> Region? {
    defer { frameCount += 1 }
    guard frameCount >= Self.wholeCount, frameCount.isMultiple(of: Self.partInterval) else {
      return nil
    }
    let tiles = Self.tileShares.flatMap {
      Region.tiles(width: frame.width, height: frame.height, share: $0)
    }
    defer { tileIndex += 1 }
    return tiles[tileIndex % tiles.count]
  }
}
