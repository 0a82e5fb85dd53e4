import KinemaTracking
import Testing

@Suite struct TrackletLinkerTests {
  private let linker = TrackletLinker(rules: .bodies)

  private static func tracklet(
    _ id: Int, after previous: Int? = nil, x: Float, from start: Double, to end: Double,
    clothes: [Float]? = nil
  ) -> Tracklet {
    let detection = Scene.detection(x: x, clothes: clothes)
    var tracklet = Tracklet(id: id, after: previous, detection, at: start, rules: .bodies)
    tracklet.extend(detection, at: end)
    return tracklet
  }

  @Test("who returns elsewhere in the same clothes is linked, who wears others is new")
  func clothes() {
    let known = [
      Self.tracklet(1, x: 100, from: 0, to: 5, clothes: Scene.red),
      Self.tracklet(2, x: 300, from: 0, to: 20, clothes: Scene.blue),
    ]
    let back = Self.tracklet(7, x: 800, from: 15, to: 16, clothes: Scene.pink)
    #expect(linker.link(known, to: [back]) == [0])
    let green = Self.tracklet(7, x: 800, from: 15, to: 16, clothes: [0, 0, 0, 1])
    #expect(linker.link(known, to: [green]) == [nil])
    let late = Self.tracklet(7, x: 800, from: 130, to: 131, clothes: Scene.red)
    #expect(linker.link(known, to: [late]) == [nil])
  }

  @Test("two who return at the same time are decided together")
  func together() {
    let known = [
      Self.tracklet(1, x: 100, from: 0, to: 5, clothes: [0.8, 0.2, 0, 0]),
      Self.tracklet(2, x: 300, from: 0, to: 5, clothes: [0.7, 0.3, 0, 0]),
    ]
    let new = [
      Self.tracklet(7, x: 800, from: 15, to: 16, clothes: [0.72, 0.28, 0, 0]),
      Self.tracklet(8, x: 500, from: 15, to: 16, clothes: [0.82, 0.18, 0, 0]),
    ]
    #expect(linker.link(known, to: new) == [1, 0])
    // One of them alone may be either.
    #expect(linker.link(known, to: [new[0]]) == [nil])
  }

  @Test("who is still in view is not somebody else, even in the same clothes")
  func visible() {
    let known = [Self.tracklet(1, x: 100, from: 0, to: 16, clothes: Scene.red)]
    let new = Self.tracklet(7, x: 800, from: 15, to: 16, clothes: Scene.red)
    #expect(linker.link(known, to: [new]) == [nil])
  }

  @Test("without clothes, who soon starts where somebody ended is linked")
  func near() {
    let known = [Self.tracklet(1, x: 100, from: 0, to: 5)]
    #expect(linker.link(known, to: [Self.tracklet(7, x: 120, from: 5.5, to: 6)]) == [0])
    #expect(linker.link(known, to: [Self.tracklet(7, x: 180, from: 5.5, to: 6)]) == [nil])
    #expect(linker.link(known, to: [Self.tracklet(7, x: 120, from: 9, to: 10)]) == [nil])
  }

  @Test("new tracklets continue each other")
  func chain() {
    let known = [Self.tracklet(1, x: 100, from: 0, to: 5)]
    let new = [
      Self.tracklet(-7, x: 105, from: 5.2, to: 5.4), Self.tracklet(-8, x: 105, from: 5.6, to: 6),
    ]
    #expect(linker.link(known, to: new) == [0, 1])
  }

  @Test("the rest of a cut track is its person's, unless another tracklet is")
  func cut() {
    let known = [Self.tracklet(1, x: 100, from: 0, to: 5, clothes: Scene.red)]
    let rest = Self.tracklet(-7, after: 1, x: 180, from: 5.1, to: 6, clothes: Scene.blue)
    let far = Self.tracklet(-7, after: 1, x: 180, from: 5.1, to: 6)
    #expect(linker.link(known, to: [far]) == [0])
    #expect(linker.link(known, to: [rest]) == [nil])
    let found = Self.tracklet(-8, x: 105, from: 5.3, to: 6, clothes: Scene.red)
    #expect(linker.link(known, to: [rest, found]) == [nil, 0])
  }

  @Test("a track goes over to another person's place only if its own clothes are plainly others")
  func rarely() {
    let known = [
      Self.tracklet(1, x: 100, from: 0, to: 5, clothes: Scene.red),
      Self.tracklet(2, x: 110, from: 0, to: 4.5, clothes: [0.4, 0.6, 0, 0]),
    ]
    let rest = Self.tracklet(-7, after: 1, x: 105, from: 5.1, to: 6, clothes: [0.6, 0.4, 0, 0])
    #expect(linker.link(known, to: [rest]) == [0])
    let other = Self.tracklet(-7, after: 1, x: 105, from: 5.1, to: 6, clothes: [0.2, 0.8, 0, 0])
    #expect(linker.link(known, to: [other]) == [1])
  }

  @Test("a track jumps where its person cannot be")
  func jumps() {
    var walking = Self.tracklet(1, x: 0, from: 0, to: 0)
    for frame in 1...20 {
      walking.extend(Scene.detection(x: Float(5 * frame)), at: Double(frame) / 20)
    }
    #expect(!walking.jumps(to: Scene.detection(x: 105), at: 1.05))
    #expect(!walking.jumps(to: Scene.detection(x: 125), at: 1.25))
    #expect(walking.jumps(to: Scene.detection(x: 160), at: 1.05))
    #expect(walking.jumps(to: Scene.detection(x: 50), at: 1.05))
  }

  @Test("a track changes its clothes where it goes over to another person")
  func changesClothes() throws {
    var standing = Self.tracklet(1, x: 100, from: 0, to: 5, clothes: Scene.red)
    // Two detections are too few to be compared.
    #expect(!standing.changesClothes(to: Scene.detection(x: 100, clothes: Scene.blue)))
    standing.extend(Scene.detection(x: 100, clothes: Scene.red), at: 5.1)
    #expect(!standing.changesClothes(to: Scene.detection(x: 100, clothes: Scene.pink)))
    #expect(!standing.changesClothes(to: Scene.detection(x: 100)))
    var other = Scene.detection(x: 100, clothes: Scene.blue)
    #expect(standing.changesClothes(to: other))
    // The colours may be those of a person nearby.
    other.appearance?.isClear = false
    #expect(!standing.changesClothes(to: other))
    #expect(standing.isUnlike(other))
    var own = Scene.detection(x: 100, clothes: Scene.pink)
    own.appearance?.isClear = false
    #expect(!standing.isUnlike(own))
  }

  @Test("colours of a person among others are not the track's")
  func ignoresUnclearColours() throws {
    var among = Scene.detection(x: 100, clothes: Scene.blue)
    among.appearance?.isClear = false
    var tracklet = Tracklet(id: 1, among, at: 0, rules: .bodies)
    #expect(tracklet.appearance == nil)
    tracklet.extend(Scene.detection(x: 100, clothes: Scene.red), at: 0.1)
    tracklet.extend(among, at: 0.2)
    let red = try #require(Scene.clothes(Scene.red))
    #expect(try #require(tracklet.appearance).difference(from: red) == 0)
  }

  @Test("what is known of a person's clothes remains")
  func remembers() throws {
    var new = Self.tracklet(7, x: 0, from: 5, to: 6)
    new.continues(Self.tracklet(1, x: 0, from: 0, to: 1, clothes: Scene.red))
    let red = try #require(Scene.detection(x: 0, clothes: Scene.red).appearance)
    #expect(try #require(new.appearance).difference(from: red) == 0)
  }

  @Test("over the frames of two segments, tracks at the same place are one")
  func seams() {
    func detection(_ x: Float) -> Detection {
      Detection(position: SIMD2(x, 0), size: 100, shape: [SIMD2(0, 0), SIMD2(0, 1)])
    }
    let pairs = [(1, 100), (2, 300)].flatMap { old, x in
      [(8, 302), (9, 105), (10, 600)].map { new, place in
        (old: (id: old, detection: detection(x)), new: (id: new, detection: detection(place)))
      }
    }
    #expect(linker.link(pairs) == [8: 2, 9: 1])
    #expect(linker.link([]).isEmpty)
  }
}
