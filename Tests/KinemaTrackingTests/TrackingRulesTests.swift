import Foundation
import KinemaPose
import KinemaTracking
import Testing

/// Each threshold decides on hand-made inputs at its value: just below one way, just above the other.
@Suite("The thresholds of tracking") struct TrackingRulesTests {
  private let rules = TrackingRules.bodies

  /// A tracker with one track, which was found in so many frames of 0.1 s at one place.
  private func tracked(
    _ count: Int = 1, clothes: [Float]? = nil
  ) -> (tracker: Tracker<Void>, key: Int, time: Double) {
    var tracker = Tracker<Void>(rules: rules)
    tracker.advance(to: 0)
    let key = tracker.add(Scene.detection(x: 0, clothes: clothes), content: ())
    for frame in 1..<max(2, count) where count > 1 {
      tracker.advance(to: Double(frame) / 10)
      tracker.update(key, with: Scene.detection(x: 0, clothes: clothes))
    }
    tracker.confirm(key)
    return (tracker, key, Double(count - 1) / 10)
  }

  /// Clothes at a Hellinger distance from red.
  private func clothes(_ difference: Float) -> [Float] {
    let common = 1 - difference * difference
    return [common * common, 1 - common * common, 0, 0]
  }

  // MARK: - Motion

  @Test("agility, noise and first speed make the prediction uncertain")
  func uncertainty() {
    let motion = TrackMotion(Scene.detection(x: 0), at: 0, rules: rules)
    let (noise, speed) = (rules.placeNoise, rules.firstSpeed)
    let expected = noise * noise + speed * speed + rules.agility / 3
    #expect(abs(motion.uncertainty(at: 1) - expected.squareRoot()) < 1e-4)
    #expect(abs(motion.uncertainty(at: 0) - noise) < 1e-6)
  }

  @Test("a frame counts for its weight in the size, and among others for less in the speed")
  func gains() {
    func updated(trust: Float) -> TrackMotion {
      var motion = TrackMotion(Scene.detection(x: 0), at: 0, rules: rules)
      motion.update(Scene.detection(x: 10, size: 110), at: 0.1, trust: trust)
      return motion
    }
    #expect(abs(updated(trust: 1).size - (100 + 10 * rules.sizeWeight)) < 1e-3)
    let ratio = updated(trust: 0.9999).velocity.x / updated(trust: 1).velocity.x
    #expect(abs(ratio - rules.crowdedGain) < 0.01)
  }

  @Test("the speed of an occluded person decays, sooner upwards")
  func persistence() {
    var motion = TrackMotion(Scene.detection(x: 0, y: 0), at: 0, rules: rules)
    motion.update(Scene.detection(x: 10, y: 10), at: 0.1, trust: 1)
    let way = motion.position(at: 1000) - motion.position
    #expect(abs(way.x - motion.velocity.x * rules.persistence.x) < 1e-2)
    #expect(abs(way.y - motion.velocity.y * rules.persistence.y) < 1e-2)
  }

  @Test("a distance costs less for what is uncertain, and after a moment of absence")
  func spreads() {
    let motion = TrackMotion(Scene.detection(x: 0), at: 0, rules: rules)
    func cost(_ time: Double, absence: Float) -> Float {
      let spread = motion.uncertainty(at: time) + rules.placeSpread + rules.absenceSpread * absence
      return 0.04 / (spread * spread) / 2
    }
    let short = Double(rules.shortAbsence)
    for (time, absence) in [(0, 0), (short, 0), (short + 0.5, 0.5)] as [(Double, Float)] {
      let found = motion.cost(of: Scene.detection(x: 20), at: time)
      #expect(abs(found - cost(time, absence: absence)) < 1e-3)
    }
  }

  // MARK: - Likelihoods

  @Test(
    "a difference of one standard deviation costs a half, and an outlier no more than its limit")
  func likelihoods() throws {
    let (tracker, key, _) = tracked(clothes: Scene.red)
    let track = try #require(tracker[key])
    func cost(size: Float = 100, clothes: [Float] = Scene.red) -> TrackCost {
      TrackCost(of: Scene.detection(x: 0, size: size, clothes: clothes), for: track, at: 0)
    }
    #expect(abs(cost(size: 100 * exp(rules.sizeSpread)).size - 0.5) < 1e-3)
    #expect(cost(size: 1000).size == rules.limits.size)
    #expect(abs(cost(clothes: clothes(rules.appearanceSpread)).appearance - 0.5) < 1e-3)
    #expect(rules.appearanceCost(1) == rules.limits.appearance)
    let far = TrackCost(of: Scene.detection(x: 1000), for: track, at: 0)
    #expect(far.place == rules.limits.place)
  }

  @Test("a pose predicts the next one for a moment")
  func shape() throws {
    func detection(_ change: Float) -> Detection {
      Detection(
        position: SIMD2(0, 200), size: 100, shape: (0..<5).map { SIMD2(Float($0) / 10 + change, 0) }
      )
    }
    var tracker = Tracker<Void>(rules: rules)
    tracker.advance(to: 0)
    let key = tracker.add(detection(0), content: ())
    let track = try #require(tracker[key])
    func cost(_ change: Float, at time: Double) -> Float {
      TrackCost(of: detection(change), for: track, at: time).shape
    }
    #expect(abs(cost(rules.shapeSpread, at: rules.shapeMemory - 0.01) - 0.5) < 1e-3)
    #expect(cost(1, at: 0.1) == rules.limits.shape)
    #expect(cost(rules.shapeSpread, at: rules.shapeMemory + 0.01) == 0)
  }

  @Test("poses are compared with enough common points, of joints that are confident enough")
  func comparedPoints() throws {
    func difference(_ count: Int) -> Float? {
      let shape = (0..<6).map { $0 < count ? SIMD2<Float>(Float($0), 0) : nil }
      return Detection(position: .zero, size: 100, shape: shape).difference(
        from: shape, rules: rules)
    }
    #expect(difference(rules.leastPoints) == 0 && difference(rules.leastPoints - 1) == nil)
    func detection(_ confidence: Float) -> Detection? {
      Detection(.standing(1, x: 0.5, confidence: confidence), aspectRatio: 1, rules: rules)
    }
    #expect(detection(rules.leastConfidence) != nil)
    #expect(detection(rules.leastConfidence - 0.01) == nil)
  }

  @Test("a predicted joint is less confident than is drawn, and its person half as confident")
  func inferredJoints() throws {
    let other = Pose.standing(2, x: 0.8)
    var lookAhead = LookAhead<Void>(rules: rules, maximumPersonCount: 2)
    var frames = (0..<40).flatMap { number in
      lookAhead.add(
        WaitingFrame(number, number == 20 ? [other] : [.standing(1, x: 0.2), other]))
    }
    frames += lookAhead.finish()
    let filled = try #require(frames[20].poses.first)
    #expect(filled.personID == 1 && filled.confidence == rules.inferred.share)
    #expect(filled.keypoints.values.allSatisfy { $0.confidence == rules.inferred.confidence })
  }

  @Test("an appearance is a mean that later frames change by their least weight")
  func appearanceWeight() throws {
    var mean = MeanAppearance()
    for _ in 0..<200 { mean.add(Scene.clothes(Scene.red), rules: rules) }
    mean.add(Scene.clothes(Scene.blue), rules: rules)
    #expect(abs(try #require(mean.value?.parts[0][1]) - rules.appearanceWeight) < 1e-4)
  }

  // MARK: - Gates

  @Test("a hidden person returns within reach, of like size and not in other clothes")
  func admission() throws {
    let (tracker, key, _) = tracked(clothes: Scene.red)
    let track = try #require(tracker[key])
    func admits(
      x: Float = 0, size: Float = 100, clothes: [Float] = Scene.red, at time: Double = 0
    ) -> Bool {
      track.admits(Scene.detection(x: x, size: size, clothes: clothes), at: time)
    }
    let reach = 100 * rules.reach.at
    #expect(admits(x: reach - 1) && !admits(x: reach + 1))
    let later = reach + 100 * rules.reach.perSecond
    #expect(admits(x: later - 1, at: 1) && !admits(x: later + 1, at: 1))
    let size = exp(rules.sizeReach)
    #expect(admits(size: 100 * size - 1) && !admits(size: 100 * size + 1))
    let other = rules.otherAppearance
    #expect(admits(clothes: clothes(other - 0.01)) && !admits(clothes: clothes(other + 0.01)))
  }

  @Test("a detection elsewhere is a track's up to the likely cost, at a cost of its own")
  func gates() {
    // One person at 0; candidates so far away that they cost just less, and just more.
    let (tracker, _, time) = tracked(20)
    var moving = tracker
    moving.advance(to: time + 0.1)
    let motion = tracker.tracks[0].motion
    let spread = motion.uncertainty(at: time + 0.1) + rules.placeSpread
    func away(_ cost: Float) -> Float { 100 * spread * (2 * cost).squareRoot() }
    func keys(x: Float, owners: [Int] = []) -> [Int?] {
      moving.assign([.init(Scene.detection(x: x), owners: owners)])
    }
    #expect(keys(x: away(rules.likelyCost - 0.2)) != [nil])
    #expect(keys(x: away(rules.likelyCost + 0.2)) == [nil])
    // In its own region a detection may be less likely.
    let own = [tracker.tracks[0].key]
    #expect(keys(x: away(rules.foreignCost - 0.2), owners: own) != [nil])
    #expect(keys(x: away(rules.foreignCost + 0.2), owners: own) == [nil])
    // One elsewhere must be better by the additional cost.
    func chosen(_ own: Float) -> [Int?] {
      moving.assign([
        .init(Scene.detection(x: away(own)), owners: [moving.tracks[0].key]),
        .init(Scene.detection(x: 0)),
      ])
    }
    #expect(chosen(rules.moveCost - 0.2)[0] != nil && chosen(rules.moveCost + 0.2)[1] != nil)
  }

  @Test("an unlikely difference of clothes ends a tracklet, once they are known")
  func changedClothes() throws {
    func tracklet(_ count: Int) -> Tracklet {
      var tracklet = Tracklet(
        id: 1, Scene.detection(x: 0, clothes: Scene.red), at: 0, rules: .bodies)
      for frame in 1..<max(2, count) where count > 1 {
        tracklet.extend(Scene.detection(x: 0, clothes: Scene.red), at: Double(frame) / 10)
      }
      return tracklet
    }
    func other(_ difference: Float) -> Detection {
      Scene.detection(x: 0, clothes: clothes(difference))
    }
    let limit = rules.unlikeAppearance
    let known = tracklet(Int(rules.appearanceCount))
    #expect(!known.changesClothes(to: other(limit - 0.01)))
    #expect(known.changesClothes(to: other(limit + 0.01)))
    #expect(!tracklet(Int(rules.appearanceCount) - 1).changesClothes(to: other(1)))
  }

  // MARK: - Boxes

  @Test("boxes that share enough are near, covered or hidden")
  func boxes() throws {
    // Boxes are 40 wide and equally high: a shift of 40 · (1 − s) shares s.
    func beside(_ share: Float) -> Detection {
      Scene.detection(x: 40 * (1 - share), clothes: Scene.blue)
    }
    let first = Scene.detection(x: 0)
    let (tracker, _, _) = tracked()
    func isClear(_ share: Float) -> Bool {
      tracker.isClear(first, among: [first, beside(share)], in: .one)
    }
    #expect(isClear(rules.clearShare - 0.01) && !isClear(rules.clearShare + 0.01))
    func isApart(_ share: Float) -> Bool {
      tracker.isApart(0, among: [.init(first), .init(beside(share))])
    }
    #expect(isApart(rules.coveringShare - 0.01) && !isApart(rules.coveringShare + 0.01))
    func isCarried(_ share: Float, after seconds: Double = 0.1) throws -> Bool {
      var (tracker, key, time) = tracked(20, clothes: Scene.red)
      time += seconds
      tracker.advance(to: time)
      let other = tracker.add(beside(share), content: ())
      tracker.missOthers()
      tracker.confirm(other)
      return tracker.isCarried(try #require(tracker[key]))
    }
    #expect(try isCarried(rules.hiddenShare + 0.02, after: rules.carry - 0.01))
    #expect(try !isCarried(rules.hiddenShare - 0.02))
    #expect(try !isCarried(rules.hiddenShare + 0.02, after: rules.carry + 0.01))
  }

  // MARK: - States and re-identification

  @Test("a track is established after so many detections, and lost after so long an occlusion")
  func states() throws {
    let count = rules.establishedCount
    for (frames, isEstablished) in [(count - 1, false), (count, true)] {
      let (tracker, key, _) = tracked(frames)
      #expect(try #require(tracker[key]).isEstablished == isEstablished)
    }
    var (tracker, key, time) = tracked(count)
    tracker.advance(to: time + 0.1)
    tracker.missOthers()
    tracker.advance(to: time + rules.occlusion - 0.01)
    #expect(tracker[key] != nil)
    tracker.advance(to: time + rules.occlusion + 0.01)
    #expect(tracker[key] == nil)
  }

  @Test("a track among others is confirmed by detections that are rarely false")
  func evidence() throws {
    func isProven(_ evidence: Float, count: Int, isClear: Bool = false) throws -> Bool {
      var tracker = Tracker<Void>(rules: rules)
      var detection = Scene.detection(x: 0)
      detection.presence = 1 - exp(-evidence)
      tracker.advance(to: 0)
      let key = tracker.add(detection, content: ())
      for frame in 1..<count {
        tracker.advance(to: Double(frame) / 10)
        tracker.update(key, with: detection, isClear: isClear)
      }
      return try #require(tracker[key]).isProven
    }
    let (count, least) = (rules.confirmationCount, rules.confirmationEvidence)
    #expect(try isProven(least + 0.01, count: count))
    #expect(try !isProven(least + 0.01, count: count - 1))
    #expect(try !isProven(least - 0.01, count: count))
    // More of the same do not prove it.
    #expect(try !isProven(least - 0.01, count: 10 * count))
    #expect(try isProven(0, count: count, isClear: true))
  }

  @Test("a lost person is remembered for a time, and must be plainly more alike than all others")
  func reidentification() throws {
    var lost = Reidentification(rules: rules)
    lost.add(1, appearance: Scene.clothes(Scene.red), at: 0)
    func match(_ difference: Float, others: [[Float]] = []) throws -> Int? {
      lost.match(
        try #require(Scene.clothes(clothes(difference))), others: others.compactMap(Scene.clothes))
    }
    #expect(try match(rules.unlikeAppearance - 0.01) == 1)
    #expect(try match(rules.unlikeAppearance + 0.01) == nil)
    // Somebody in view in red is as far from these clothes as the lost person.
    #expect(try match(0.2, others: [Scene.red]) == nil)
    let away = try #require(Scene.clothes(clothes(0.2))).difference(
      from: try #require(Scene.clothes([0, 0, 1, 0])))
    #expect(away > 0.2 + rules.appearanceMargin)
    #expect(try match(0.2, others: [[0, 0, 1, 0]]) == 1)
    lost.advance(to: rules.memory - 1)
    #expect(!lost.isEmpty)
    lost.advance(to: rules.memory + 1)
    #expect(lost.isEmpty)
  }

  @Test("a hand is a lost one of its side, if no other is nearly as likely")
  func sides() {
    func match(_ sides: [Float], _ rightness: Float) -> Int? {
      var lost = Reidentification(rules: .hands)
      for (index, side) in sides.enumerated() {
        lost.add(index + 1, appearance: nil, rightness: side, at: 0)
      }
      return lost.match(rightness: rightness)
    }
    #expect(match([1], rules.sameSide + 0.01) == 1 && match([1], rules.sameSide - 0.01) == nil)
    #expect(match([1, 1 - rules.sideMargin - 0.02], 1) == 1)
    #expect(match([1, 1 - rules.sideMargin + 0.02], 1) == nil)
  }

  // MARK: - Look-ahead and seams

  @Test("a tracklet continues one that ended nearby a short time before, without clothes as well")
  func seams() {
    let linker = TrackletLinker(rules: rules)
    func link(after seconds: Double, x: Float = 0) -> [Int?] {
      let old = Tracklet(id: 1, Scene.detection(x: 0), at: 0, rules: .bodies)
      return linker.link(
        [old], to: [Tracklet(id: -2, Scene.detection(x: x), at: seconds, rules: .bodies)])
    }
    #expect(link(after: rules.seamMemory - 0.01) == [0])
    #expect(link(after: rules.seamMemory + 0.01) == [nil])
    #expect(link(after: 0.1, x: 100 * rules.reach.at + 1) == [nil])
    func pair(_ distance: Float) -> [Int: Int] {
      func detection(_ x: Float) -> Detection {
        Detection(position: SIMD2(x, 200), size: 100, shape: (0..<5).map { SIMD2(Float($0), 0) })
      }
      return linker.link([(old: (id: 7, detection(0)), new: (id: 1, detection(100 * distance)))])
    }
    #expect(pair(rules.sameness - 0.01) == [1: 7] && pair(rules.sameness + 0.01).isEmpty)
  }
}
