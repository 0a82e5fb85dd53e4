import KinemaTracking
import KinemaVideo

/// Finds the people in a single image.
///
/// In the whole image the detector mostly finds one person, so parts are searched as well; the
/// landmark network confirms.
enum StillPeople {
  /// The sides of the parts, as shares of the longer side.
  static let tileShares: [Float] = [0.62, 0.45]

  /// The people in an image, highest confidence first.
  static func found(
    in frame: Frame, networks: inout PoseNetworks
  ) throws(VisionError) -> [BodyLandmarks] {
    let whole = Region(coveringWidth: frame.width, height: frame.height)
    let square = Region(center: whole.center, size: Float(min(frame.width, frame.height)))
    let tiles = tileShares.flatMap {
      Region.tiles(width: frame.width, height: frame.height, share: $0)
    }
    var detections: [BodyDetection] = []
    for region in [whole, square] + tiles {
      detections += try networks.people(in: region, of: frame)
    }
    var people: [BodyLandmarks] = []
    for detection in detections.sorted(by: { $0.score > $1.score }) {
      // A second inference in the region of the first separates two people who stand close
      // together.
      guard let first = try networks.landmarks(in: detection.region, of: frame),
        let second = try networks.landmarks(in: first.region, of: frame),
        people.isEmpty || second.presence >= TrackingRules.bodies.search.furtherPresence,
        !people.contains(where: { $0.isSameBody(as: second) })
      else { continue }
      people.append(second)
    }
    return people.sorted { $0.presence > $1.presence }
  }
}

extension Region {
  /// Squares that cover an image of a width and height in pixels and overlap by at least half;
  /// `share` is their side relative to the longer side.
  static func tiles(width: Int, height: Int, share: Float) -> [Region] {
    let side = share * Float(max(width, height))
    func centers(_ length: Float) -> [Float] {
      guard length > side else { return [length / 2] }
      let count = Int(((length - side) / (side / 2)).rounded(.up))
      let free = length - side
      return (0...count).map { side / 2 + free * Float($0) / Float(count) }
    }
    return centers(Float(height)).flatMap { y in
      centers(Float(width)).map { x in Region(center: SIMD2(x, y), size: side) }
    }
  }
}
