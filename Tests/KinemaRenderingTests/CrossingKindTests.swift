import KinemaPose
import KinemaRendering
import KinemaSynth
import Testing

@Suite("Kinds of crossings")
struct CrossingKindTests {
  private static let inFrame: [SyntheticCrossing.Kind] = [.groups, .occluders, .movingCamera]
  /// One of each kind: the search for one that is suitable takes seconds.
  private static let crossings = Dictionary(
    uniqueKeysWithValues: inFrame.map {
      ($0, SyntheticCrossing($0, personCount: 2, seed: 8, duration: 4))
    })

  @Test("nobody is occluded for longer than the kind says, and somebody is", arguments: inFrame)
  func occlusions(_ kind: SyntheticCrossing.Kind) throws {
    let crossing = try #require(Self.crossings[kind])
    var (hidden, longest, occlusions) = ([0, 0], 0, 0)
    for frame in 0..<40 {
      for (index, share) in crossing.scene.visibleShares(
        at: Double(frame) / 10, width: 96, height: 54
      ).enumerated() {
        if share >= SyntheticCrossing.hiddenShare {
          hidden[index] = 0
        } else {
          if hidden[index] == 0 { occlusions += 1 }
          hidden[index] += 1
          longest = max(longest, hidden[index])
        }
      }
    }
    #expect(occlusions > 0)
    // Evaluated in smaller pictures, a frame more or less.
    #expect(Double(longest) / 10 <= kind.longestOcclusion + 0.2)
    #expect(crossing.scene.visibleShares(at: 0).allSatisfy { $0 >= 0.45 })
  }

  @Test("people do not walk through each other", arguments: inFrame)
  func distances(_ kind: SyntheticCrossing.Kind) throws {
    let crossing = try #require(Self.crossings[kind])
    for frame in 0..<40 {
      let roots = crossing.scene.figures.map { $0.skeleton(at: Double(frame) / 10).root }
      let way = roots[0] - roots[1]
      #expect((way.x * way.x + way.z * way.z).squareRoot() > 0.25, "\(frame)")
    }
  }

  @Test("the joints of a person move steadily from frame to frame", arguments: inFrame)
  func steadiness(_ kind: SyntheticCrossing.Kind) throws {
    let figures = try #require(Self.crossings[kind]).scene.figures
    for figure in figures {
      var last = figure.skeleton(at: 0).root
      for frame in 1..<200 {
        let root = figure.skeleton(at: Double(frame) / 50).root
        // Three metres in a second are more than anybody walks here.
        #expect((root - last).length < 0.06)
        last = root
      }
    }
  }

  @Test("where nobody is left in the room, no joint is in the frame")
  func emptyRoom() {
    for seed in 1...6 as ClosedRange<UInt64> {
      let crossing = SyntheticCrossing(.returns, personCount: 2, seed: seed)
      guard let empty = crossing.emptyTime else { continue }
      #expect(empty.lowerBound > 0 && empty.upperBound < crossing.duration)
      for share in stride(from: 0, through: 1, by: 0.25) {
        let time = empty.lowerBound + share * (empty.upperBound - empty.lowerBound)
        let poses = crossing.scene.poses(at: time, aspectRatio: 16 / 9)
        #expect(poses.allSatisfy { $0.shareInside == 0 }, "seed \(seed), \(time) s")
      }
    }
  }

  @Test("a way goes from stop to stop in time, and turns evenly")
  func path() {
    let path = FloorPath([
      .init(time: 2, position: SIMD2(1, 0), headingDegrees: 0),
      .init(time: 4, position: SIMD2(1, 0), headingDegrees: 90),
      .init(time: 8, position: SIMD2(5, 2), headingDegrees: 90),
    ])
    let expected: [(Double, SIMD2<Float>, Float)] = [
      (-1, SIMD2(1, 0), 0), (3, SIMD2(1, 0), 45), (5, SIMD2(2, 0.5), 90), (6, SIMD2(3, 1), 90),
      (8, SIMD2(5, 2), 90), (20, SIMD2(5, 2), 90),
    ]
    for (time, position, heading) in expected {
      let place = path.place(at: time)
      #expect(place.position == position && place.headingDegrees == heading, "\(time) s")
    }
  }
}
