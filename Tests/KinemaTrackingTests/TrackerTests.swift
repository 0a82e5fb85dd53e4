import KinemaTracking
import Testing

@Suite struct TrackerTests {
  private static let step = 1.0 / 30

  /// A tracker with confirmed tracks of people who stand at places for half a second, and the time of
  /// the next frame.
  private static func tracker(
    _ people: [Detection], rules: TrackingRules = .bodies
  ) -> (tracker: Tracker<Void>, time: Double) {
    var tracker = Tracker<Void>(rules: rules)
    var time = 0.0
    for _ in 0..<15 {
      _ = tracker.follow(people, at: time)
      time += step
    }
    return (tracker, time)
  }

  @Test("a track is tentative, confirmed, occluded and lost in turn")
  func states() {
    var tracker = Tracker<Void>(rules: .bodies)
    tracker.advance(to: 0)
    let key = tracker.add(Scene.detection(x: 100), content: ())
    #expect(tracker[key]?.state == .tentative)
    #expect(tracker[key]?.id == nil)
    tracker.confirm(key)
    #expect(tracker[key]?.state == .confirmed)
    #expect(tracker[key]?.id == 1)
    tracker.advance(to: 0.1)
    tracker.missOthers()
    #expect(tracker[key]?.state == .occluded)
    tracker.advance(to: 0.2)
    tracker.update(key, with: Scene.detection(x: 101))
    #expect(tracker[key]?.state == .confirmed)
    tracker.missOthers()
    tracker.advance(to: 0.3)
    tracker.missOthers()
    tracker.advance(to: 0.2 + TrackingRules.bodies.occlusion + 0.01)
    #expect(tracker.tracks.isEmpty)
    #expect(!tracker.lost.isEmpty)
  }

  @Test("a track that was never confirmed ends with its first missing detection")
  func tentative() {
    var tracker = Tracker<Void>(rules: .bodies)
    tracker.advance(to: 0)
    tracker.add(Scene.detection(x: 100), content: ())
    tracker.advance(to: 0.1)
    tracker.missOthers()
    #expect(tracker.tracks.isEmpty)
    #expect(tracker.lost.isEmpty)
  }

  @Test("people who cross keep their ids by their speed")
  func crossing() {
    var tracker = Tracker<Void>(rules: .bodies)
    for frame in 0..<60 {
      let way = Float(frame) * 4
      let ids = tracker.follow(
        [Scene.detection(x: 100 + way), Scene.detection(x: 340 - way)],
        at: Double(frame) * Self.step)
      #expect(ids == [1, 2])
    }
  }

  @Test("people who change places while they cover each other are distinguished by their clothes")
  func clothes() {
    let people = [
      Scene.detection(x: 100, clothes: Scene.red), Scene.detection(x: 130, clothes: Scene.blue),
    ]
    var (tracker, time) = Self.tracker(people)
    let changed = [
      Scene.detection(x: 128, clothes: Scene.red), Scene.detection(x: 103, clothes: Scene.blue),
    ]
    #expect(tracker.follow(changed, at: time) == [1, 2])
  }

  @Test("an occluded person returns near the prediction under the old id, another place is new")
  func returning() {
    var (tracker, time) = Self.tracker([Scene.detection(x: 100), Scene.detection(x: 600)])
    for _ in 0..<15 {
      #expect(tracker.follow([Scene.detection(x: 600)], at: time) == [2])
      time += Self.step
    }
    var other = tracker
    let back = [Scene.detection(x: 110), Scene.detection(x: 600)]
    #expect(tracker.follow(back, at: time) == [1, 2])
    let stranger = [Scene.detection(x: 350), Scene.detection(x: 600)]
    #expect(other.follow(stranger, at: time) == [3, 2])
  }

  @Test("two tracks with one detection: the better one has it, the other one is occluded")
  func contested() {
    var (tracker, time) = Self.tracker([Scene.detection(x: 100), Scene.detection(x: 150)])
    tracker.advance(to: time)
    let keys = tracker.assign([
      Tracker<Void>.Candidate(Scene.detection(x: 149), owners: tracker.tracks.map(\.key))
    ])
    #expect(keys == [tracker.tracks[1].key])
  }

  @Test("with one person, the detection in the region is the person's however unlikely it is")
  func alone() {
    var (tracker, time) = Self.tracker([Scene.detection(x: 100, clothes: Scene.red)])
    tracker.advance(to: time)
    let far = Tracker<Void>.Candidate(
      Scene.detection(x: 400, clothes: Scene.blue), owners: [tracker.tracks[0].key])
    #expect(tracker.assign([far], in: .one) == [tracker.tracks[0].key])
    #expect(tracker.assign([far], in: .several) == [nil])
  }

  @Test("a body that may be of either of two occluded people is of neither")
  func ambiguous() {
    let people = [
      Scene.detection(x: 100, clothes: Scene.red), Scene.detection(x: 120, clothes: Scene.red),
    ]
    var (tracker, time) = Self.tracker(people)
    tracker.advance(to: time)
    tracker.missOthers()
    let between = Scene.detection(x: 110, clothes: Scene.red)
    let key = tracker.returning(between)
    #expect(key != nil)
    #expect(!tracker.isLikely(key ?? 0, between))
  }

  @Test("a body elsewhere without visible colours is not the track's")
  func colourless() {
    var (tracker, time) = Self.tracker([
      Scene.detection(x: 100, clothes: Scene.red), Scene.detection(x: 600, clothes: Scene.blue),
    ])
    tracker.advance(to: time)
    let (bare, red) = (
      Scene.detection(x: 110), Scene.detection(x: 110, clothes: Scene.red)
    )
    #expect(tracker.assign([Tracker<Void>.Candidate(bare)]) == [nil])
    #expect(tracker.assign([Tracker<Void>.Candidate(red)]) == [tracker.tracks[0].key])
  }

  @Test(
    "a body elsewhere among others without visible colours may be a mixture of two people",
    arguments: [(100, Scene.red, false), (170, Scene.red, true), (170, nil, false)]
      as [(Float, [Float]?, Bool)])
  func doubtful(x: Float, clothes: [Float]?, isDoubtful: Bool) {
    var (tracker, time) = Self.tracker([Scene.detection(x: 100, clothes: clothes)])
    let key = tracker.tracks[0].key
    tracker.advance(to: time)
    tracker.update(key, with: Scene.detection(x: x), isClear: false)
    #expect(tracker.isDoubtful(tracker.tracks[0], in: .several) == isDoubtful)
    #expect(!tracker.isDoubtful(tracker.tracks[0], in: .one))
  }

  @Test("an occluded person is reported at the prediction only behind a visible one")
  func carried() {
    var (tracker, time) = Self.tracker([Scene.detection(x: 100), Scene.detection(x: 130)])
    _ = tracker.follow([Scene.detection(x: 110)], at: time)
    #expect(tracker.missed.filter(tracker.isCarried).map(\.id) == [2])
    var (apart, later) = Self.tracker([Scene.detection(x: 100), Scene.detection(x: 500)])
    _ = apart.follow([Scene.detection(x: 100)], at: later)
    #expect(apart.missed.count == 1)
    #expect(apart.missed.filter(apart.isCarried).isEmpty)
  }

  @Test("a hand that returns elsewhere has its id by its side")
  func hands() {
    var (tracker, time) = Self.tracker(
      [Scene.detection(x: 100, rightness: 0.1), Scene.detection(x: 400, rightness: 0.9)],
      rules: .hands)
    time += 0.4
    #expect(tracker.follow([Scene.detection(x: 400, rightness: 0.9)], at: time) == [2])
    time += 0.1
    let both = [
      Scene.detection(x: 400, rightness: 0.9), Scene.detection(x: 900, rightness: 0.2),
    ]
    #expect(tracker.follow(both, at: time) == [2, 1])
  }

  @Test("after a long pause without frames, tracks are lost")
  func pause() {
    var (tracker, time) = Self.tracker([Scene.detection(x: 100)])
    time += TrackingRules.bodies.occlusion + 0.1
    #expect(tracker.follow([Scene.detection(x: 100)], at: time) == [2])
  }

  @Test("ids are not used again in another clip")
  func reset() {
    var (tracker, _) = Self.tracker([Scene.detection(x: 100)])
    tracker.reset()
    #expect(tracker.follow([Scene.detection(x: 100)], at: 0) == [2])
  }
}
