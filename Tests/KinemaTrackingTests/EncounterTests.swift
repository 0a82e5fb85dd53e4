import Foundation
import KinemaTracking
import Testing

/// The ids of two people after an encounter.
@Suite struct EncounterTests {
  private let rules = TrackingRules.bodies

  /// The state of a person who walks from a position at a speed in pixels a second, after half a
  /// second at 20 frames a second.
  private func state(
    at place: Float, speed: Float, from time: Double, appearance: Appearance? = nil,
    size: Float = 100
  ) -> Encounter.State {
    func detection(_ frame: Int) -> Detection {
      Detection(
        position: SIMD2(place + speed * Float(frame) / 20, 0), size: size, appearance: appearance)
    }
    var state = Encounter.State(detection(0), at: time, rules: rules)
    for frame in 1...10 { state.add(detection(frame), at: time + Double(frame) / 20) }
    return state
  }

  /// Two people who walk towards each other and meet at 0.
  private func meeting(_ appearances: [Appearance?] = [nil, nil]) -> Encounter {
    Encounter(
      state(at: -150, speed: 100, from: 0, appearance: appearances[0]),
      state(at: 150, speed: -100, from: 0, appearance: appearances[1]))
  }

  @Test("people who walk past each other keep their ids")
  func keepsIDs() {
    let (first, second) = (
      state(at: 50, speed: 100, from: 2), state(at: -50, speed: -100, from: 2)
    )
    #expect(!meeting().isExchanged(first, second))
  }

  @Test("tracks that turn round together have exchanged their people")
  func exchangesAfterTurn() {
    let (first, second) = (
      state(at: -50, speed: -100, from: 2), state(at: 50, speed: 100, from: 2)
    )
    #expect(meeting().isExchanged(first, second))
  }

  @Test("without plain evidence tracks keep their people")
  func needsEvidence() {
    let standing = Encounter(
      state(at: -10, speed: 0, from: 0), state(at: 10, speed: 0, from: 0))
    #expect(
      !standing.isExchanged(state(at: 5, speed: 0, from: 3), state(at: -5, speed: 0, from: 3)))
  }

  @Test("clothes say that people have turned round")
  func believesClothes() throws {
    let red = try #require(Appearance(parts: [[1, 0]], weights: [1]))
    let blue = try #require(Appearance(parts: [[0, 1]], weights: [1]))
    let (first, second) = (
      state(at: -50, speed: -100, from: 2, appearance: red),
      state(at: 50, speed: 100, from: 2, appearance: blue)
    )
    #expect(!meeting([red, blue]).isExchanged(first, second))
  }

  @Test("people of unlike size are distinguished where neither way nor clothes say anything")
  func believesSize() {
    func isExchanged(spreads: Float) -> Bool {
      let size = 100 * exp(spreads * rules.meanSizeSpread)
      let standing = Encounter(
        state(at: 0, speed: 0, from: 0), state(at: 0, speed: 0, from: 0, size: size))
      return standing.isExchanged(
        state(at: 0, speed: 0, from: 3, size: size), state(at: 0, speed: 0, from: 3))
    }
    // Both are so many standard deviations off, which costs half the square each.
    let least = rules.exchangeCost.squareRoot()
    #expect(!isExchanged(spreads: least - 0.05) && isExchanged(spreads: least + 0.05))
  }

  @Test("people in the same clothes are distinguished by their heads")
  func believesHeads() throws {
    let people = try [[1, 0], [0, 1]].map { hair in
      try #require(Appearance(parts: [[1, 0], hair], weights: [1, 0]))
    }
    #expect(people[0].difference(from: people[1]) == 0)
    #expect(people[0].differences(from: people[1]) == [0, 1])
    func states(from time: Double) -> [Encounter.State] {
      people.map { state(at: 0, speed: 0, from: time, appearance: $0) }
    }
    let (before, after) = (states(from: 0), states(from: 3))
    let standing = Encounter(before[0], before[1])
    #expect(standing.isExchanged(after[1], after[0]))
    #expect(!standing.isExchanged(after[0], after[1]))
  }

  @Test("tracks that have exchanged their people did so where these move smoothly")
  func findsExchange() {
    let (first, second) = (
      state(at: 50, speed: 100, from: 2), state(at: -50, speed: -100, from: 2)
    )
    let frames = (11..<40).map { number -> Encounter.Places in
      let time = Double(number) / 20
      let places = (SIMD2(Float(-150 + 100 * time), 0), SIMD2(Float(150 - 100 * time), 0))
      return number < 25 ? (places.0, places.1, time) : (places.1, places.0, time)
    }
    #expect(meeting().exchange(in: frames, after: (first, second)) == 25 - 11)
    #expect(meeting().exchange(in: [], after: (first, second)) == 0)
  }
}
