import KinemaTracking

/// Detections and clothes of hand-made scenes, in pixels of a person of 100.
enum Scene {
  static func detection(
    x: Float, y: Float = 200, size: Float = 100, clothes: [Float]? = nil, rightness: Float? = nil
  ) -> Detection {
    Detection(
      position: SIMD2(x, y), size: size,
      box: (SIMD2(x - size / 5, y - size / 2), SIMD2(x + size / 5, y + size / 2)),
      appearance: clothes.flatMap(Self.clothes), rightness: rightness)
  }

  /// Clothes with shares of four colours.
  static func clothes(_ shares: [Float]) -> Appearance? {
    Appearance(parts: [shares], weights: [1])
  }

  static let red: [Float] = [1, 0, 0, 0]
  static let blue: [Float] = [0, 1, 0, 0]
  /// Red with a little white, as in another light: a distance of 0.23.
  static let pink: [Float] = [0.9, 0, 0.1, 0]
}

extension Tracker where Content == Void {
  /// Tracks detections that are complete in each frame.
  ///
  /// - Returns: The id of each detection.
  mutating func follow(_ detections: [Detection], at time: Double) -> [Int] {
    advance(to: time)
    // Frames may be far apart.
    for track in tracks where time - track.lastSeen > rules.occlusion { lose(track.key) }
    let keys = assign(detections.map { Candidate($0) }).enumerated().map { index, key in
      if let key {
        update(key, with: detections[index])
        return key
      }
      return add(detections[index], content: ())
    }
    missOthers()
    for key in keys where self[key]?.id == nil { confirm(key) }
    return keys.compactMap { self[$0]?.id }
  }
}
