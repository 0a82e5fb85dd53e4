import KinemaVideo

/// Finding those who were lost.
extension PersonFollower {
  /// How many of those who were lost are looked for in a frame while others are followed.
  private static let recoveryCount = 2
  /// The cost up to which a body that was found where somebody who was lost is expected is theirs.
  private static let recoveryCost: Float = 3.5
  /// The same for a body that the detector found: nothing but the picture led there.
  private static let detectedCost: Float = 4
  /// How much more a body must cost each of the others who were lost.
  private static let plainMargin: Float = 1
  /// The share of somebody's box from which on another body is painted over to see behind it.
  private static let coveringShare: Float = 0.1

  /// Looks for those who were lost where they are expected: as it is and, where others stand there,
  /// with these painted over.
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

  /// The body of somebody who was lost, if it is in a region.
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

  /// Whether a body is that of somebody who was lost, and nobody else's.
  ///
  /// Where no clothes are to be seen it is not: what seems to stand behind somebody who is painted over
  /// may be nobody, and would keep the person expected where they are no longer.
  ///
  /// - Parameter isDetected: Whether the detector found the body, and not a look at where the person
  ///   is expected.
  func isReturned(
    _ person: FollowedPerson, _ body: Body, at time: Double, isDetected: Bool = false
  ) -> Bool {
    body.sight.clothes != nil && person.track.isReturned(body.sight, at: time)
      && person.track.cost(of: body.sight, at: time)
        <= (isDetected ? Self.detectedCost : Self.recoveryCost)
      && isPlainly(person, body, at: time)
  }

  /// Whether a body is far less likely that of anybody else who was lost.
  ///
  /// Who was found for a few frames only may be the person, under another id.
  func isPlainly(_ person: FollowedPerson, _ body: Body, at time: Double) -> Bool {
    let limit = person.track.cost(of: body.sight, at: time) + Self.plainMargin
    return !absent.contains { other in
      other.id != person.id && other.frameCount >= min(person.frameCount, Self.establishedCount)
        && other.track.isReturned(body.sight, at: time)
        && other.track.cost(of: body.sight, at: time) < limit
    }
  }

  /// Takes a body for that of somebody who was lost.
  mutating func bringBack(_ index: Int, as body: Body, at time: Double) {
    var person = absent.remove(at: index)
    person.move()
    person.update(
      body, at: time, isClear: isClear(body, among: people.map(\.body) + [body], at: time))
    people.append(person)
  }

  /// Which of those who were lost a body most likely is.
  func returned(_ body: Body, at time: Double) -> Int? {
    // Where nobody else is seen, there is nobody to be mistaken for.
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
  /// Whether its middle is in a picture.
  func isCentred(in frame: Frame) -> Bool {
    center.x >= 0 && center.y >= 0 && center.x < Float(frame.width)
      && center.y < Float(frame.height)
  }
}
