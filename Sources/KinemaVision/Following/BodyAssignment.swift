/// Assigns the bodies of a frame to tracks.
///
/// A track claims the body found in its own region, unless two claim one body, or motion, pose and
/// clothes clearly contradict it.
struct BodyAssignment {
  /// A track and the body it claims.
  struct Claim {
    var person: FollowedPerson
    var body: Body
    /// Whether the body was found in another track's region.
    var isMoved = false
  }

  /// How much better than the assignment by region another one must be.
  static let swapMargin: Float = 1.2
  /// The cost from which a body that overlaps another one does not match its track.
  static let foreignCost: Float = 7

  /// The cost from which a body found in another track's region does not match.
  static let movedCost: Float = 4

  /// The cost from which an isolated body does not match its track, and the share of its box that
  /// another one may overlap for that.
  static let strangerCost: Float = 8
  static let nearShare: Float = 0.1

  /// The assignment.
  private(set) var claims: [Claim]
  /// Tracks that are occluded or out of view.
  private(set) var absent: [FollowedPerson]
  /// Tracks that claimed a body and have none now.
  private(set) var lost: [FollowedPerson] = []
  /// Bodies of unknown people to which a track has drifted.
  private(set) var foreign: [Body] = []
  private let time: Double

  init(_ claims: [Claim], absent: [FollowedPerson], at time: Double) {
    self.claims = claims
    self.absent = absent
    self.time = time
  }

  /// Resolves the claims.
  ///
  /// - Parameter isCrowd: Whether there certainly are several people; otherwise only regions count.
  mutating func settle(isCrowd: Bool) {
    guard claims.count + absent.count > 1 else { return }
    leaveOneEach(isCrowd: isCrowd)
    guard isCrowd else { return }
    swapPairs()
    dropMoved()
    // A track that lost a body to its owner may own another one.
    giveToAbsent()
    giveToAbsent()
    dropForeign()
    dropDoubtful()
  }

  private func cost(_ person: FollowedPerson, _ body: Body) -> Float {
    person.track.cost(of: body.sight, at: time)
  }

  /// A body claimed by several goes to the best match or, with one person, to the oldest track;
  /// reported tracks come first.
  private mutating func leaveOneEach(isCrowd: Bool) {
    let ranked = claims.enumerated().sorted { one, other in
      func rank(_ claim: Claim) -> (Int, Float) {
        (
          claim.person.id == nil ? 1 : 0,
          isCrowd ? cost(claim.person, claim.body) : -Float(claim.person.frameCount)
        )
      }
      return rank(one.element) < rank(other.element)
    }
    var remaining: [(offset: Int, element: Claim)] = []
    for candidate in ranked {
      let landmarks = candidate.element.body.landmarks
      if remaining.contains(where: { $0.element.body.landmarks.isSameBody(as: landmarks) }) {
        lost.append(candidate.element.person)
      } else {
        remaining.append(candidate)
      }
    }
    claims = remaining.sorted { $0.offset < $1.offset }.map(\.element)
  }

  /// Exchanges the bodies of two tracks that clearly match crosswise.
  private mutating func swapPairs() {
    for first in claims.indices {
      for second in claims.indices.dropFirst(first + 1) {
        let (one, other) = (claims[first], claims[second])
        let present = cost(one.person, one.body) + cost(other.person, other.body)
        let swapped = cost(one.person, other.body) + cost(other.person, one.body)
        guard swapped + Self.swapMargin < present else { continue }
        claims[first] = Claim(person: one.person, body: other.body, isMoved: true)
        claims[second] = Claim(person: other.person, body: one.body, isMoved: true)
      }
    }
  }

  /// Drops exchanged bodies that do not match.
  private mutating func dropMoved() {
    for index in claims.indices.reversed()
    where claims[index].isMoved && cost(claims[index].person, claims[index].body) > Self.movedCost {
      lost.append(claims.remove(at: index).person)
    }
  }

  /// Assigns bodies to occluded tracks that they clearly match.
  private mutating func giveToAbsent() {
    for index in claims.indices {
      let claim = claims[index]
      let candidates = absent + lost.filter { $0.id != nil }
      guard
        let owner = candidates.filter({ $0.track.isReturned(claim.body.sight, at: time) })
          .min(by: { cost($0, claim.body) < cost($1, claim.body) }),
        cost(owner, claim.body) + Self.swapMargin < cost(claim.person, claim.body)
      else { continue }
      absent.removeAll { $0.id == owner.id }
      lost.removeAll { $0.id == owner.id }
      lost.append(claim.person)
      claims[index] = Claim(person: owner, body: claim.body, isMoved: true)
    }
  }

  /// Drops bodies of tracks that have drifted to another person; an isolated one starts a new
  /// track.
  private mutating func dropForeign() {
    for index in claims.indices.reversed() {
      let claim = claims[index]
      let landmarks = claim.body.landmarks
      guard claim.person.id != nil,
        claim.person.track.knowsClothes
          || claim.person.frameCount > PersonFollower.confirmationCount
      else { continue }
      // The body itself is included.
      let isAlone =
        claims.count { landmarks.sharedBox(with: $0.body.landmarks) > Self.nearShare } <= 1
      // Once may be chance.
      let strangerCost =
        claim.person.isUnlikely ? BodyTrack.unlikelyCost : Self.strangerCost
      let difference = claim.person.track.clothesDifference(of: claim.body.sight) ?? 0
      guard
        difference > BodyTrack.otherClothes
          || isAlone && cost(claim.person, claim.body) > strangerCost
      else { continue }
      lost.append(claim.person)
      if isAlone { foreign.append(claim.body) }
      claims.remove(at: index)
    }
  }

  /// Of two bodies at one place, one may be a false detection of the other.
  private mutating func dropDoubtful() {
    let doubtful = claims.indices.filter { index in
      let claim = claims[index]
      let own = cost(claim.person, claim.body)
      return own > Self.foreignCost
        && claims.indices.contains { other in
          other != index && claims[other].body.landmarks.overlaps(claim.body.landmarks)
            && cost(claims[other].person, claims[other].body) < own
        }
    }
    for index in doubtful.reversed() {
      lost.append(claims.remove(at: index).person)
    }
  }
}
