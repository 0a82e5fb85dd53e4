import KinemaVideo

/// Recovery of occluded tracks.
extension PersonFollower {
  /// Number of occluded tracks searched per frame while others are visible.
  private static let recoveryCount = 2
  /// The largest cost of a body found at an occluded track's predicted position.
  private static let recoveryCost: Float = 3.5
  /// The same for a body of the detector, for which only the image is evidence.
  private static let detectedCost: Float = 4
  /// How much higher the cost must be for other occluded tracks.
  private static let plainMargin: Float = 1
  /// The overlap of boxes from which another body is painted out to detect the occluded one.
  private static let coveringShare: Float = 0.1

  /// Searches occluded tracks at their predicted positions, and there with visible people painted
  /// out.
  mutating func recover(
    in frame: Frame, at time: Double, networks: inout PoseNetworks
  ) throws(VisionError) {
    guard !absent.isEmpty else { return }
    let turn = absent.indices.map { absent[($0 + frameCount) % absent.count].id }
    for id in turn.prefix(Self.recoveryCount) {
      guard people.count < maximumPersonCount,
        let index = absent.firstIndex(where: { $0.id == id })
      else { continue }
      let region = absent[index].expectedRegion(at: time)
      guard region.isCentred(in: frame) else { continue }
      if let body = try body(
        exactlyIn: region, of: frame, hiding: [], for: absent[index], at: time,
        networks: &networks)
      {
        bringBack(index, as: body, at: time)
        continue
      }
      let expected = absent[index].expectedLandmarks(at: time)
      let near = people.map(\.landmarks).filter {
        expected.sharedBox(with: $0) > Self.coveringShare
      }
      guard !near.isEmpty else { continue }
      if let body = try body(
        exactlyIn: region, of: frame, hiding: near, for: absent[index], at: time,
        networks: &networks)
      {
        bringBack(index, as: body, at: time)
      }
    }
  }

  /// The body of an occluded track in a region, if any.
  private func body(
    exactlyIn region: Region, of frame: Frame, hiding hidden: [BodyLandmarks],
    for person: FollowedPerson, at time: Double, networks: inout PoseNetworks
  ) throws(VisionError) -> Body? {
    guard
      let landmarks = try networks.landmarks(exactlyIn: region, of: frame, hiding: hidden),
      landmarks.presence >= PoseNetworks.furtherPresence,
      !people.contains(where: { $0.landmarks.isSameBody(as: landmarks) })
    else { return nil }
    let body = Body(landmarks, in: frame, behind: hidden)
    return isReturned(person, body, at: time) ? body : nil
  }

  /// Whether a body belongs to an occluded track and no other.
  ///
  /// Without visible clothes it does not: detections behind painted-out people may be false, and
  /// would hold the prediction at a wrong position.
  ///
  /// - Parameter isDetected: Whether the detector found the body, rather than a search at the
  ///   prediction.
  func isReturned(
    _ person: FollowedPerson, _ body: Body, at time: Double, isDetected: Bool = false
  ) -> Bool {
    body.sight.clothes != nil && person.track.isReturned(body.sight, at: time)
      && person.track.cost(of: body.sight, at: time)
        <= (isDetected ? Self.detectedCost : Self.recoveryCost)
      && isPlainly(person, body, at: time)
  }

  /// Whether a body is far less likely to belong to any other occluded track.
  ///
  /// Tracks of few frames may be the same person under another id.
  func isPlainly(_ person: FollowedPerson, _ body: Body, at time: Double) -> Bool {
    let limit = person.track.cost(of: body.sight, at: time) + Self.plainMargin
    return !absent.contains { other in
      other.id != person.id && other.frameCount >= min(person.frameCount, Self.establishedCount)
        && other.track.isReturned(body.sight, at: time)
        && other.track.cost(of: body.sight, at: time) < limit
    }
  }

  /// Assigns a body to an occluded track.
  mutating func bringBack(_ index: Int, as body: Body, at time: Double) {
    var person = absent.remove(at: index)
    person.move()
    person.update(
      body, at: time, isClear: isClear(body, among: people.map(\.body) + [body], at: time))
    people.append(person)
  }

  /// The occluded track that a body most likely belongs to.
  func returned(_ body: Body, at time: Double) -> Int? {
    // If no other person is visible, there is no one to confuse.
    absent.indices.filter {
      let track = absent[$0].track
      return isNobodyReported
        ? track.isNear(body.sight, at: time) : track.isReturned(body.sight, at: time)
    }.min {
      absent[$0].track.cost(of: body.sight, at: time)
        < absent[$1].track.cost(of: body.sight, at: time)
    }
  }
}

extension Region {
  /// Whether its centre is in the frame.
  func isCentred(in frame: Frame) -> Bool {
    center.x >= 0 && center.y >= 0 && center.x < Float(frame.width)
      && center.y < Float(frame.height)
  }
}
