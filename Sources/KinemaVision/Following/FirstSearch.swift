import KinemaVideo

/// Says where the detector looks besides the whole picture while nobody is there.
///
/// In the whole picture it finds people of a third of the picture's longer side and more; smaller ones
/// are found in parts of it, one part after the other.
struct FirstSearch {
  /// The sides of the parts, as shares of the picture's longer side: in the smallest the detector finds
  /// somebody of an eighth of the longer side.
  static let tileShares: [Float] = [0.62, 0.45, 0.33]
  /// In how many frames running only the whole picture is looked at first: who was lost a moment ago
  /// turns up there.
  static let wholeCount = 4
  /// Then a part is looked at in each so many frames, for half as much again as the whole picture costs.
  static let partInterval = 2

  private var frameCount = 0
  private var tileIndex = 0

  /// Somebody is reported: the next search begins with the whole picture.
  mutating func reset() { frameCount = 0 }

  /// The part to look at in a frame with nobody in the whole picture; `nil` for none.
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
