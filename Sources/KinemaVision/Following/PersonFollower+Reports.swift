import KinemaTracking
import KinemaVideo

/// Ids and reported bodies.
extension PersonFollower {
  /// Assigns ids: to the first person in the whole frame and to confident ones at once, to others
  /// after several frames.
  mutating func confirm() {
    // Limbs of people who are occluded may look like a body.
    if isNobodyReported,
      let first = people.first(where: {
        $0.content.isSeenInWhole && (company == .nobody || tracker.missed.isEmpty || $0.isPlain)
      })
    {
      tracker.confirm(first.key, in: company)
    }
    for person in people where person.id == nil && isConfirmed(person) && !mayReturn(person) {
      tracker.confirm(person.key, in: company)
    }
  }

  /// Whether a person was found for long enough, or is confident and unmistakable.
  private func isConfirmed(_ person: Person) -> Bool {
    // False detections in furniture have a lower presence.
    guard isNobodyReported || person.landmarks.presence >= tracker.rules.search.furtherPresence
    else {
      return false
    }
    if person.isProven { return true }
    return person.content.isConfident && tracker.returning(person.detection) == nil
      && !people.contains {
        $0.id != nil && person.detection.sharedBox(with: $0.detection) > tracker.rules.touchingShare
      }
  }

  /// Whether a new person may be an occluded or lost one, which may soon be decided.
  private func mayReturn(_ person: Person) -> Bool {
    guard !isNobodyReported, person.count < tracker.rules.longestDoubt else { return false }
    guard let old = tracker.returning(person.detection) else {
      return !tracker.lost.isEmpty && person.appearanceCount < tracker.rules.appearanceCount
    }
    return company == .several && !tracker.isLikely(old, person.detection)
  }

  /// The tracks with an id, by id.
  ///
  /// A track whose body may be another person's is reported at its prediction, as occluded ones
  /// are.
  func sightings(at time: Double) -> [Sighting] {
    let company = company
    let seen = people.compactMap { person in
      person.id.map { id in
        Sighting(
          id: id,
          landmarks: tracker.isDoubtful(person, in: company)
            ? person.expectedLandmarks(at: time) : person.landmarks,
          appearance: person.colours)
      }
    }
    let carried = (company == .several ? tracker.missed.filter(tracker.isCarried) : []).compactMap {
      person in
      person.id.map { Sighting(id: $0, landmarks: person.expectedLandmarks(at: time)) }
    }
    let room = max(0, maximumPersonCount - people.count)
    return (seen + carried.prefix(room)).sorted { $0.id < $1.id }
  }
}

extension Track {
  /// The colours of the last detection.
  fileprivate var colours: Appearance? {
    var seen = detection.appearance
    seen?.isClear = isClear
    return seen
  }
}
