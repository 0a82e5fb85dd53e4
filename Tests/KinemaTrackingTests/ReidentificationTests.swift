import KinemaTracking
import Testing

@Suite struct ReidentificationTests {
  private static func gallery(_ clothes: [[Float]]) -> Reidentification {
    var lost = Reidentification(rules: .bodies)
    for (index, shares) in clothes.enumerated() {
      lost.add(index + 1, appearance: Scene.clothes(shares), at: 10)
    }
    return lost
  }

  @Test("who returns in the same clothes within two minutes has the old id")
  func returns() throws {
    var lost = Self.gallery([Scene.red, Scene.blue])
    let pink = try #require(Scene.clothes(Scene.pink))
    #expect(lost.match(pink) == 1)
    lost.advance(to: 10 + TrackingRules.bodies.memory + 1)
    #expect(lost.match(pink) == nil)
  }

  @Test("who wears other clothes, or the same as somebody else, is new")
  func doubt() throws {
    let pink = try #require(Scene.clothes(Scene.pink))
    let red = try #require(Scene.clothes(Scene.red))
    #expect(Self.gallery([Scene.blue]).match(pink) == nil)
    #expect(Self.gallery([Scene.red, Scene.red]).match(pink) == nil)
    #expect(Self.gallery([Scene.red]).match(pink, others: [red]) == nil)
  }

  @Test("a lost track without an appearance is nobody's")
  func unknown() throws {
    var lost = Reidentification(rules: .bodies)
    lost.add(1, appearance: nil, at: 0)
    #expect(lost.match(try #require(Scene.clothes(Scene.red))) == nil)
  }

  @Test("a hand is the only lost one of its side")
  func hands() {
    var lost = Reidentification(rules: .hands)
    lost.add(1, appearance: nil, rightness: 0.1, at: 0)
    lost.add(2, appearance: nil, rightness: 0.9, at: 0)
    #expect(lost.match(rightness: 0.8) == 2)
    #expect(lost.match(rightness: 0.2) == 1)
    lost.add(3, appearance: nil, rightness: 0.95, at: 0)
    #expect(lost.match(rightness: 0.8) == nil)
    lost.remove(3)
    #expect(lost.match(rightness: 0.8) == 2)
  }

  @Test("a plainly more prominent person takes the place of the least prominent one")
  func places() {
    func replaced(_ newcomer: Float) -> Int? {
      ProminentPlaces.replaced(by: newcomer, among: [5, 3, 4], ratio: 1.4)
    }
    #expect(replaced(4) == nil)
    #expect(replaced(4.3) == 1)
    #expect(ProminentPlaces.replaced(by: 1, among: [], ratio: 1.4) == nil)
    let beyond = Scene.detection(x: 0, y: 50)
    #expect(beyond.area(width: 1000, height: 1000) == 20 * 100)
  }
}
