import KinemaVideo

/// Finds the people in a single picture, with more effort than a video leaves time for.
///
/// In the whole picture the detector mostly finds one person. So it looks at parts of the picture as
/// well, and the landmark network has the last word on who is there.
enum StillPeople {
  /// The sides of the parts, as shares of the picture's longer side.
  static let tileShares: [Float] = [0.62, 0.45]

  /// The people in a picture, the surest first.
  static func found(
    in frame: Frame, networks: inout PoseNetworks
  ) throws(VisionError) -> [BodyLandmarks] {
    let whole = Region(coveringWidth: frame.width, height: frame.height)
    let square = Region(center: whole.center, size: Float(min(frame.width, frame.height)))
    let tiles = tileShares.flatMap {
      Region.tiles(width: frame.width, height: frame.height, share: $0)
    }
    var detections: [PersonDetector.Detection] = []
    for region in [whole, square] + tiles {
      detections += try networks.people(in: region, of: frame)
    }
    var people: [BodyLandmarks] = []
    for detection in detections.sorted(by: { $0.score > $1.score }) {
      // The second look, where the first one says that the body is, settles on one of two people
      // who stand close together.
      guard let first = try networks.landmarks(in: detection.region, of: frame),
        let second = try networks.landmarks(in: first.region, of: frame),
        people.isEmpty || second.presence >= PoseNetworks.furtherPresence,
        !people.contains(where: { $0.isSameBody(as: second) })
      else { continue }
      people.append(second)
    }
    return people.sorted { $0.presence > $1.presence }
  }
}

extension Region {
  /// Squares that together cover a picture and overlap by at least half.
  ///
  /// - Parameters:
  ///   - width: The picture's width in pixels.
  ///   - height: Its height.
  ///   - share: The side of a square, as a share of the picture's longer side.
  static func tiles(width: Int, height: Int, share: Float) -> [Region] {
    let side = share * Float(max(width, height))
    func centers(_ length: Float) -> [Float] {
      guard length > side else { return [length / 2] }
      let count = Int(((length - side) / (side / 2)).rounded(.up))
      return (0...count).map { side / 2 + (length - side) * Float($0) / Float(count) }
    }
    return centers(Float(height)).flatMap { y in
      centers(Float(width)).map { x in Region(center: SIMD2(x, y), size: side) }
    }
  }
}
