/// A stretch of a track under one provisional id.
package struct Tracklet: Sendable {
  package var id: Int
  /// The first detection and its time in seconds, and the last ones.
  package private(set) var start: (detection: Detection, time: Double)
  package private(set) var end: (detection: Detection, time: Double)
  private var mean = MeanAppearance()

  package init(id: Int, _ detection: Detection, at time: Double) {
    self.id = id
    (start, end) = ((detection, time), (detection, time))
    mean.add(detection.appearance, rules: .bodies)
  }

  /// The mean appearance, if known.
  package var appearance: Appearance? { mean.value }

  /// Adds a later detection.
  package mutating func extend(_ detection: Detection, at time: Double) {
    end = (detection, time)
    mean.add(detection.appearance, rules: .bodies)
  }
}

/// Links new tracklets to the ended ones that they continue.
///
/// All new ones are decided together, by an optimal assignment of ends to starts, which is the
/// minimum-cost flow through tracklets of one stretch (Zhang, Li and Nevatia, *Global Data
/// Association for Multi-Object Tracking Using Network Flows*, 2008).
package struct TrackletLinker: Sendable {
  package let rules: TrackingRules

  package init(rules: TrackingRules) {
    self.rules = rules
  }

  /// Links new tracklets to those that ended before they start.
  ///
  /// - Parameter known: All others, also of people in view.
  /// - Returns: The index of the known tracklet of each new one; `nil` for a new person.
  package func link(_ known: [Tracklet], to new: [Tracklet]) -> [Int?] {
    let costs = new.map { start in known.map { cost(from: $0, to: start) ?? .infinity } }
    // All pairs with a cost are likely enough.
    let links = Assignment.solve(costs, missing: 2 * rules.foreignCost)
    let taken = Set(links.compactMap { $0 })
    return zip(new, links).map { start, link in
      guard let link, let appearance = start.appearance,
        let own = known[link].appearance?.difference(from: appearance),
        !isNear(known[link], start)
      else { return link }
      // Everybody else must be plainly different.
      let others = known.indices.filter { !taken.contains($0) }.compactMap { known[$0].appearance }
      let limit = own + rules.appearanceMargin
      return others.allSatisfy { $0.difference(from: appearance) > limit } ? link : nil
    }
  }

  /// Links the tracklets of two segments that are tracked over the same frames.
  ///
  /// - Parameter pairs: The detections of an old and a new tracklet in one frame.
  /// - Returns: The old id of each new one.
  package func link(
    _ pairs: [(old: (id: Int, detection: Detection), new: (id: Int, detection: Detection))]
  ) -> [Int: Int] {
    let olds = Set(pairs.map(\.old.id)).sorted()
    let news = Set(pairs.map(\.new.id)).sorted()
    let costs = news.map { new in
      olds.map { old -> Float in
        let distances = pairs.filter { $0.new.id == new && $0.old.id == old }.compactMap {
          Self.distance($0.old.detection, $0.new.detection)
        }
        guard !distances.isEmpty else { return .infinity }
        let mean = distances.reduce(0, +) / Float(distances.count)
        return mean < rules.sameness ? mean : .infinity
      }
    }
    let links = Assignment.solve(costs, missing: 2 * rules.sameness)
    return Dictionary(
      uniqueKeysWithValues: zip(news, links).compactMap { new, link in
        link.map { (new, olds[$0]) }
      })
  }

  /// The cost of a link; `nil` if it is not likely.
  private func cost(from old: Tracklet, to new: Tracklet) -> Float? {
    let gap = new.start.time - old.end.time
    guard gap > 0, gap <= max(rules.memory, rules.seamMemory) else { return nil }
    var cost: Float = 0
    let isNear = isNear(old, new)
    if let difference = new.appearance.flatMap({ old.appearance?.difference(from: $0) }) {
      guard difference <= rules.unlikeAppearance else { return nil }
      let share = difference / rules.appearanceSpread
      cost += share * share / 2
    } else if !isNear {
      return nil
    }
    if isNear {
      let away = (old.end.detection.position - new.start.detection.position).length
      cost += away / max(old.end.detection.size, new.start.detection.size)
    } else {
      cost += rules.moveCost
    }
    return cost
  }

  /// Whether a tracklet starts where and soon after another one ends.
  private func isNear(_ old: Tracklet, _ new: Tracklet) -> Bool {
    let away = (old.end.detection.position - new.start.detection.position).length
    return new.start.time - old.end.time <= rules.seamMemory
      && away < rules.reach.at * max(old.end.detection.size, new.start.detection.size)
  }

  /// The mean distance of points in two detections, in sizes.
  private static func distance(_ one: Detection, _ other: Detection) -> Float? {
    let distances = zip(one.shape, other.shape).compactMap { mine, theirs -> Float? in
      guard let mine, let theirs else { return nil }
      return (one.position + mine * one.size - other.position - theirs * other.size).length
    }
    guard !distances.isEmpty else { return nil }
    return distances.reduce(0, +) / Float(distances.count) / max(one.size, other.size)
  }
}
