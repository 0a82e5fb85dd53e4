/// A stretch of a track under one provisional id.
package struct Tracklet: Sendable {
  package var id: Int
  /// The id of the tracklet after which the same track continues with this one.
  package let previous: Int?
  /// The first detection and its time in seconds, and the last ones.
  package private(set) var start: (detection: Detection, time: Double)
  package private(set) var end: (detection: Detection, time: Double)
  private var motion: TrackMotion
  private var mean = MeanAppearance()
  private let rules: TrackingRules

  package init(
    id: Int, after previous: Int? = nil, _ detection: Detection, at time: Double,
    rules: TrackingRules
  ) {
    (self.id, self.previous, self.rules) = (id, previous, rules)
    (start, end) = ((detection, time), (detection, time))
    motion = TrackMotion(detection, at: time, rules: rules)
    add(detection.appearance)
  }

  /// The mean appearance, if known.
  package var appearance: Appearance? { mean.value }

  /// Adds a later detection.
  package mutating func extend(_ detection: Detection, at time: Double) {
    end = (detection, time)
    motion.update(detection, at: time, trust: 1)
    add(detection.appearance)
  }

  private mutating func add(_ seen: Appearance?) {
    if seen?.isClear ?? false { mean.add(seen, rules: rules) }
  }

  /// Takes over what is known of the person from an earlier tracklet.
  package mutating func continues(_ earlier: Tracklet) {
    let own = mean.value
    mean = earlier.mean
    mean.add(own, rules: rules)
  }

  /// Whether a later detection of the same track is clearly in another person's clothes.
  package func changesClothes(to detection: Detection) -> Bool {
    guard let seen = detection.appearance, seen.isClear, let own = mean.value,
      mean.count >= rules.appearanceCount
    else { return false }
    return own.difference(from: seen) > rules.unlikeAppearance
  }

  /// Whether the visible colours of a detection among others are unlikely to be this person's.
  package func isUnlike(_ detection: Detection) -> Bool {
    guard let seen = detection.appearance, !seen.isClear, let own = mean.value else { return false }
    return rules.appearanceCost(own.difference(from: seen)) > rules.likelyCost
  }

  /// Whether a later detection of the same track is where this person can hardly be.
  package func jumps(to detection: Detection, at time: Double) -> Bool {
    motion.cost(of: detection, at: time) > rules.foreignCost
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

  /// Links new tracklets to those that ended before they start, which may be new as well.
  ///
  /// - Parameter known: All others, also of people in view.
  /// - Returns: For each new tracklet the index among the known and then the new ones; `nil` for a
  ///   new person.
  package func link(_ known: [Tracklet], to new: [Tracklet]) -> [Int?] {
    let ends = known + new
    let cut = Set(new.compactMap(\.previous))
    let costs = new.map { start in
      ends.map { end -> Float in
        let isOther = end.id != start.previous && (start.previous != nil || cut.contains(end.id))
        // A track rarely goes over to another person.
        return cost(from: end, to: start).map { isOther ? $0 + rules.exchangeCost : $0 }
          ?? .infinity
      }
    }
    // All pairs with a cost are likely enough.
    let links = Assignment.solve(costs, missing: 2 * rules.foreignCost)
    let taken = Set(links.compactMap { $0 })
    return zip(new, links).map { start, link in
      guard let link, let appearance = start.appearance,
        let own = ends[link].appearance?.difference(from: appearance),
        !isNear(ends[link], start), ends[link].id != start.previous
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
    let (isSame, isNear) = (old.id == new.previous, isNear(old, new))
    var cost: Float = isNear || isSame ? 0 : rules.moveCost
    if let difference = new.appearance.flatMap({ old.appearance?.difference(from: $0) }) {
      guard difference <= (isSame ? rules.otherAppearance : rules.unlikeAppearance) else {
        return nil
      }
      let unlikeness = rules.appearanceCost(difference)
      cost += isSame ? min(unlikeness, rules.exchangeCost) : unlikeness
    } else if !isSame, !isNear {
      return nil
    }
    if isSame || isNear {
      let away = (old.end.detection.position - new.start.detection.position).length
      cost += away / max(old.end.detection.size, new.start.detection.size)
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
