/// Saying who is where.
extension PersonFollower {
  /// For how long somebody who is hidden is reported where they are expected, in seconds.
  private static let longestCarry = 0.6
  /// The share of somebody's box that another one's must cover for them to be hidden: little, since who
  /// comes out from behind somebody is found a few frames later.
  private static let hiddenShare: Float = 0.2

  /// Those who have an id, by id.
  ///
  /// Whose body may be somebody else's is reported where they are expected, as those who are hidden are:
  /// what the other one does is not told as theirs.
  func sightings(at time: Double) -> [Sighting] {
    let seen = people.compactMap { person in
      person.id.map { id in
        Sighting(
          id: id,
          landmarks: hasForeignBody(person, at: time)
            ? person.expectedLandmarks(at: time) : person.landmarks)
      }
    }
    let room = max(0, maximumPersonCount - people.count)
    return (seen + carried(at: time).prefix(room)).sorted { $0.id < $1.id }
  }

  /// Whether somebody's body may be another one's: it is quite unlike them, or dressed otherwise and
  /// where one who is out of sight is expected.
  private func hasForeignBody(_ person: FollowedPerson, at time: Double) -> Bool {
    isCrowd && person.isUnlikely
      || person.isDressedOtherwise && isAnybodyMissed(near: person.landmarks, at: time)
  }

  /// Those whom somebody else hides: as they were last seen, where they are expected.
  private func carried(at time: Double) -> [Sighting] {
    guard isCrowd else { return [] }
    return missed.compactMap { person in
      guard let id = person.id, time - person.track.lastSeen <= Self.longestCarry else {
        return nil
      }
      let expected = person.expectedLandmarks(at: time)
      let isHidden = people.contains {
        $0.id != nil && expected.sharedBox(with: $0.landmarks) > Self.hiddenShare
      }
      return isHidden ? Sighting(id: id, landmarks: expected) : nil
    }
  }
}
