/// Decides whose the bodies in a frame are.
///
/// Everybody who is followed claims the body that was found where they were looked for. That stands
/// unless two claim one body, or motion, pose and clothes clearly say otherwise.
struct BodyAssignment {
  /// Somebody and the body that they claim.
  struct Claim {
    var person: FollowedPerson
    var body: Body
    /// Whether the body was found where somebody else was looked for.
    var isMoved = false
  }

  /// By how much another assignment must be better than that by place.
  static let swapMargin: Float = 1.2
  /// The cost from which on a body that stands where another one stands is no longer the person's.
  static let foreignCost: Float = 7

  /// The cost from which on a body that was found where somebody else was looked for is not theirs.
  static let movedCost: Float = 4

  /// The cost from which on a body that stands alone is somebody else's, and how much of its box may
  /// be another one's for that.
  static let strangerCost: Float = 8
  static let nearShare: Float = 0.1

  /// Who has which body.
  private(set) var claims: [Claim]
  /// Those who are out of sight.
  private(set) var absent: [FollowedPerson]
  /// Those who claimed a body and have none now.
  private(set) var lost: [FollowedPerson] = []
  /// Bodies of people who are not known yet, on which somebody's follower settled.
  private(set) var foreign: [Body] = []
  private let time: Double

  init(_ claims: [Claim], absent: [FollowedPerson], at time: Double) {
    self.claims = claims
    self.absent = absent
    self.time = time
  }

  /// Settles the claims.
  ///
  /// - Parameter isCrowd: Whether there certainly are several people; else nothing but the place counts.
  mutating func settle(isCrowd: Bool) {
    guard claims.count + absent.count > 1 else { return }
    leaveOneEach(isCrowd: isCrowd)
    guard isCrowd else { return }
    swapPairs()
    dropMoved()
    // Who lost a body to its owner may own another one.
    giveToAbsent()
    giveToAbsent()
    dropForeign()
    dropDoubtful()
  }

  private func cost(_ person: FollowedPerson, _ body: Body) -> Float {
    person.track.cost(of: body.sight, at: time)
  }

  /// Where several claim one body, it goes to whom it is most like, or, where there may be but one
  /// person, to who was followed for longest; who was reported goes first.
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
    var kept: [(offset: Int, element: Claim)] = []
    for candidate in ranked {
      let landmarks = candidate.element.body.landmarks
      if kept.contains(where: { $0.element.body.landmarks.isSameBody(as: landmarks) }) {
        lost.append(candidate.element.person)
      } else {
        kept.append(candidate)
      }
    }
    claims = kept.sorted { $0.offset < $1.offset }.map(\.element)
  }

  /// Exchanges bodies where two people clearly have each other's.
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

  /// Who got another one's body must be like it: of two who are both seen wrongly neither is there.
  private mutating func dropMoved() {
    for index in claims.indices.reversed()
    where claims[index].isMoved && cost(claims[index].person, claims[index].body) > Self.movedCost {
      lost.append(claims.remove(at: index).person)
    }
  }

  /// Gives bodies back to those who were lost where they clearly are theirs.
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

  /// Where somebody's follower went over to another person, it is theirs no longer; who stands alone is
  /// somebody who is not known yet.
  private mutating func dropForeign() {
    for index in claims.indices.reversed() {
      let claim = claims[index]
      let landmarks = claim.body.landmarks
      guard claim.person.id != nil,
        claim.person.track.knowsClothes
          || claim.person.frameCount > PersonFollower.confirmationCount
      else { continue }
      // The body itself is among them.
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

  /// Of two bodies at one place, one may be the other seen wrongly.
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
