/// Assigns ids: a lost person who reappears nearby gets the old one, others new ones, from 1.
struct Identities {
  /// How long a lost person's id is remembered, in seconds.
  static let memory = 1.0
  /// How far away a person may reappear, as a share of the region's size.
  static let reach: Float = 0.5

  private var departed: [(id: Int, region: Region, time: Double)] = []
  private var nextID = 1

  /// Remembers a lost person's id, last region and time in seconds.
  mutating func depart(_ id: Int, from region: Region, at time: Double) {
    departed.append((id, region, time))
  }

  /// Drops ids lost before a time, or all; they are not reused.
  mutating func forgetDeparted(before time: Double = .infinity) {
    departed.removeAll { $0.time < time }
  }

  /// The id of the person lost near a point, or a new one.
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
