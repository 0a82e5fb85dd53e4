import Foundation
import KinemaPose
import Testing

/// A body in a box; its arms and hips move by shares of the box.
private func body(
  _ id: Int, at corner: SIMD2<Float>, size: SIMD2<Float>, arms: Float = 0, hips: Float = 0
) -> Pose {
  let places: [(JointKey, Float, Float)] = [
    (.nose, 0.5, 1), (.leftShoulder, 0.6, 0.8), (.rightShoulder, 0.4, 0.8),
    (.leftElbow, 0.8, 0.7 + arms / 2), (.rightElbow, 0.2, 0.7 + arms / 2),
    (.leftWrist, 1, 0.6 + arms), (.rightWrist, 0, 0.6 + arms),
    (.leftHip, 0.6, 0.5 - hips), (.rightHip, 0.4, 0.5 - hips), (.leftKnee, 0.6, 0.25),
    (.rightKnee, 0.4, 0.25), (.leftAnkle, 0.6, 0), (.rightAnkle, 0.4, 0),
  ]
  let points = places.map { key, x, y in
    (key, JointPoint(key, position: corner + size * SIMD2(x, y), confidence: 0.9))
  }
  return Pose(from: Dictionary(uniqueKeysWithValues: points), personID: id)
}

/// A client who repeats a movement every two seconds.
private func client(at time: Double, isResting: Bool = false) -> Pose {
  let phase = isResting ? 0 : Float(sin(time * .pi))
  return body(1, at: [0.1, 0.1], size: [0.2, 0.4], arms: 0.2 * phase, hips: 0.1 * phase)
}

@Suite("Who is meant")
struct ProminentPersonTests {
  /// The ids that are chosen of two people in so many seconds, 15 frames each.
  private func chosen(
    seconds: Range<Int>, by selector: inout ProminentPersonSelector,
    from people: (Double) -> [Pose]
  ) -> [Int?] {
    (seconds.lowerBound * 15..<seconds.upperBound * 15).map { frame in
      let time = Double(frame) / 15
      return selector.select(from: people(time), at: time)?.personID
    }
  }

  @Test("who exercises comes before a larger person who stands, once that is seen")
  func exerciser() {
    var selector = ProminentPersonSelector()
    let ids = chosen(seconds: 0..<10, by: &selector) { time in
      [client(at: time), body(2, at: [0.5, 0], size: [0.3, 0.7])]
    }
    #expect(ids.first == 2)
    #expect(ids[(15 * 4)...].allSatisfy { $0 == 1 })
  }

  @Test("a trainer who comes and crouches beside the client does not become the one who is meant")
  func trainer() {
    var selector = ProminentPersonSelector()
    let ids = chosen(seconds: 0..<20, by: &selector) { time in
      let trainer = body(
        2, at: [0.5 - 0.01 * Float(min(time, 15)), 0], size: [0.3, time < 12 ? 0.7 : 0.45],
        arms: Float(0.02 * sin(time * 7.3)), hips: Float(time > 10 && time < 12 ? 0.1 : 0))
      return [client(at: time)] + (time < 5 ? [] : [trainer])
    }
    #expect(ids.allSatisfy { $0 == 1 })
  }

  @Test("who rests between two sets stays the one who is meant, who leaves off for long does not")
  func rest() {
    var selector = ProminentPersonSelector()
    let ids = chosen(seconds: 0..<40, by: &selector) { time in
      [client(at: time, isResting: time > 10), body(2, at: [0.5, 0], size: [0.3, 0.7])]
    }
    #expect(ids[(15 * 5)..<(15 * 22)].allSatisfy { $0 == 1 })
    #expect(ids.last == 2)
  }

  @Test("who walks past does not exercise")
  func walker() {
    var selector = ProminentPersonSelector()
    let ids = chosen(seconds: 0..<8, by: &selector) { time in
      let walker = body(
        2, at: [-0.2 + 0.15 * Float(time), 0.1], size: [0.15, 0.4],
        arms: Float(0.2 * sin(time * 2 * .pi)))
      return [body(1, at: [0.4, 0.1], size: [0.2, 0.4]), walker]
    }
    #expect(ids.allSatisfy { $0 == 1 })
  }

  @Test("the jitter of who stands still is no exercise, however regular")
  func jitter() {
    var selector = ProminentPersonSelector()
    let ids = chosen(seconds: 0..<10, by: &selector) { time in
      [
        body(1, at: [0.1, 0.1], size: [0.2, 0.4], arms: Float(0.01 * sin(time * .pi))),
        body(2, at: [0.5, 0], size: [0.3, 0.7]),
      ]
    }
    #expect(ids.allSatisfy { $0 == 2 })
  }

  @Test("a person far behind is not meant, even where they exercise")
  func background() {
    var selector = ProminentPersonSelector()
    let ids = chosen(seconds: 0..<10, by: &selector) { time in
      [
        body(1, at: [0.1, 0.1], size: [0.08, 0.15], arms: Float(0.2 * sin(time * .pi))),
        body(2, at: [0.5, 0], size: [0.3, 0.7]),
      ]
    }
    #expect(ids.allSatisfy { $0 == 2 })
  }
}
