/// The reported people of a frame.
extension PersonFollower {
  /// How long an occluded person is reported at the predicted position, in seconds.
  private static let longestCarry = 0.6
  /// The overlap of boxes from which a person counts as occluded: small, since a person who
  /// reappears is detected some frames later.
  private static let hiddenShare: Float = 0.2

  /// The tracks with an id, by id.
  ///
  /// A track whose body may be another person's is reported at its prediction, as occluded ones
  /// are.
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

  /// Whether the body may be another person's: it does not match, or its clothes do not and an
  /// occluded track is predicted there.
  private func hasForeignBody(_ person: FollowedPerson, at time: Double) -> Bool {
    isCrowd && person.isUnlikely
      || person.isDressedOtherwise && isAnybodyMissed(near: person.landmarks, at: time)
  }

  /// Occluded people: their last poses at the predicted positions.
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
