/// Gives ids to those who are followed: who was lost a moment ago and turns up near there gets the old
/// one back, others get new ones, from 1.
struct Identities {
  /// How long somebody who was lost keeps the id, in seconds.
  static let memory = 1.0
  /// How far away somebody may turn up again, as a share of the region's size.
  static let reach: Float = 0.5

  private var departed: [(id: Int, region: Region, time: Double)] = []
  private var nextID = 1

  /// Notes that somebody was lost.
  ///
  /// - Parameters:
  ///   - id: Who it is.
  ///   - region: Where they were looked for.
  ///   - time: When, in seconds.
  mutating func depart(_ id: Int, from region: Region, at time: Double) {
    departed.append((id, region, time))
  }

  /// Forgets those who were lost before a time, or all; their ids are not used again.
  mutating func forgetDeparted(before time: Double = .infinity) {
    departed.removeAll { $0.time < time }
  }

  /// The id of whoever was lost near a point, or a new one.
  mutating func identifier(near point: SIMD2<Float>) -> Int {
    func distance(_ region: Region) -> Float {
      (region.center - point).length / region.size
    }
    if let nearest = departed.indices.min(by: {
      distance(departed[$0].region) < distance(departed[$1].region)
    }), distance(departed[nearest].region) < Self.reach {
      return departed.remove(at: nearest).id
    }
    defer { nextID += 1 }
    return nextID
  }
}
