import KinemaVideo

/// Finds the hands in a single image.
///
/// The detector misses hands smaller than a sixth of the longer side, so parts are searched as
/// well; the landmark network confirms.
enum StillHands {
  /// The sides of the parts, as shares of the longer side.
  static let tileShares: [Float] = [0.62]

  /// The hands in an image, highest confidence first.
  static func found(
    in frame: Frame, maximumCount: Int, networks: inout HandNetworks
  ) throws(VisionError) -> [HandLandmarks] {
    let whole = Region(coveringWidth: frame.width, height: frame.height)
    let tiles = tileShares.flatMap {
      Region.tiles(width: frame.width, height: frame.height, share: $0)
    }
    var hands: [HandLandmarks] = []
    for part in [whole] + tiles {
      for palm in try networks.palms(in: part, of: frame) {
        guard let found = try networks.landmarks(in: palm.region, of: frame),
          !hands.contains(where: { $0.isSameHand(as: found) })
        else { continue }
        hands.append(found)
      }
    }
    return Array(hands.sorted { $0.presence > $1.presence }.prefix(maximumCount))
  }
}
