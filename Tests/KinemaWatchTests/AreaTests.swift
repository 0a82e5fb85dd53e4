import Foundation
import KinemaAction
import KinemaPose
import KinemaVideo
import KinemaWatch
import Testing

/// Zones, lines, masks and sizes, by poses made by hand in a square picture.
@Suite("Areas of a picture")
struct AreaTests {
  /// The left half, in places of poses.
  private static let left = PicturePolygon([
    SIMD2(0, 0), SIMD2(0.5, 0), SIMD2(0.5, 1), SIMD2(0, 1),
  ])

  private func events(
    seconds: Double, rules: SceneEvents.Rules, _ persons: (Double) -> [SceneMoment.Person]
  ) -> [WatchEvent] {
    var scene = SceneEvents(rules)
    return (0..<Int(seconds * 20)).flatMap { index in
      let time = Double(index) / 20
      return scene.add(SceneMoment(time: time, persons: persons(time)))
    }
  }

  private func person(
    at x: Float, posture: HumanBodyPosture.Kind = .standing
  ) -> [SceneMoment.Person] {
    [.init(id: 1, posture: .init(posture), pose: pose(tilt: 0, feet: SIMD2(x, 0.1)))]
  }

  private func rules(_ zones: [SourceAreas.Zone], _ lines: [SourceAreas.Line] = [])
    -> SceneEvents.Rules
  {
    var rules = SceneEvents.Rules()
    (rules.areas.zones, rules.areas.lines) = (zones, lines)
    return rules
  }

  @Test("a person enters a zone, stays in it and leaves it; their events carry it")
  func zone() throws {
    var rules = rules([.init(name: "Stove", polygon: Self.left)])
    rules.stayTimes = ["Stove": [3]]
    let events = events(seconds: 14, rules: rules) { time in
      person(at: (2..<8).contains(time) ? 0.3 : 0.8)
    }
    let kinds: [WatchEvent.Kind] = [.entersZone, .staysInZone, .leavesZone]
    let ofZone = events.filter { kinds.contains($0.kind) }
    #expect(ofZone.map(\.kind) == kinds && ofZone.allSatisfy { $0.zone == "Stove" })
    #expect(ofZone[0].zones == ["Stove"] && ofZone[1].seconds == 3)
    #expect(abs((ofZone[2].seconds ?? 0) - 5.95) < 0.2)
    #expect(events.first { $0.kind == .personEnters }?.zones.isEmpty == true)
  }

  @Test("a step of a moment out of a zone is no leaving")
  func waver() {
    let rules = rules([.init(name: "Desk", polygon: Self.left)])
    let events = events(seconds: 10, rules: rules) { time in
      person(at: (4..<5).contains(time) ? 0.8 : 0.3)
    }
    #expect(events.filter { $0.zone == "Desk" }.map(\.kind) == [.entersZone])
  }

  @Test("a line is crossed in and out by its way, and not beside its ends")
  func line() {
    // Upwards: its right side is inside.
    let door = SourceAreas.Line(name: "Door", start: SIMD2(0.5, 0), end: SIMD2(0.5, 0.6))
    let short = SourceAreas.Line(name: "High", start: SIMD2(0.5, 0.5), end: SIMD2(0.5, 0.6))
    let events = events(seconds: 12, rules: rules([], [door, short])) { time in
      person(at: time < 5 ? 0.2 + 0.12 * Float(time) : 0.8 - 0.12 * Float(time - 5))
    }.filter { $0.kind == .crossesLine }
    #expect(events.map(\.isInward) == [true, false])
    #expect(events.allSatisfy { $0.line == "Door" })
  }

  @Test("who stands on a line and sways does not cross it")
  func sway() {
    let line = SourceAreas.Line(name: "Door", start: SIMD2(0.5, 0), end: SIMD2(0.5, 1))
    let events = events(seconds: 10, rules: rules([], [line])) { time in
      person(at: 0.5 + (Int(time * 4) % 2 == 0 ? 0.03 : -0.03))
    }
    #expect(!events.contains { $0.kind == .crossesLine })
  }

  @Test("lying is sleep in a bed, and an alarm beside it")
  func bed() {
    let bed = rules([.init(name: "Bed", polygon: Self.left, isBed: true)])
    func postures(at x: Float) -> (events: [WatchEvent], postures: [WatchPosture]) {
      let events = events(seconds: 14, rules: bed) { time in
        let body = pose(tilt: time < 2 ? 0 : 88, feet: SIMD2(x, 0.1), stature: 0.3)
        return [.init(id: 1, posture: .init(time < 2 ? .standing : .lyingSupine), pose: body)]
      }
      return (events, events.filter { $0.kind == .postureBegins }.compactMap(\.posture))
    }
    let (inBed, outside) = (postures(at: 0.1), postures(at: 0.6))
    #expect(inBed.postures == [.standing, .sleeping] && outside.postures == [.standing, .lying])
    #expect(!inBed.events.contains { $0.kind == .lying })
    #expect(outside.events.contains { $0.kind == .lying })
  }

  @Test("nobody in a zone is an event of the zone, while somebody is in view")
  func emptyZone() {
    var rules = rules([.init(name: "Bed", polygon: Self.left)])
    rules.emptyTimes = ["Bed": [3]]
    let events = events(seconds: 10, rules: rules) { person(at: $0 < 3 ? 0.3 : 0.8) }
      .filter { $0.kind == .nobody }
    #expect(events.map(\.zone) == ["Bed"])
    #expect((7.4...8).contains(events.first?.time ?? 0))
  }

  @Test("who holds a plank does not lie, and a fallen person is down until they stand for a while")
  func postures() {
    let plank = events(seconds: 14, rules: SceneEvents.Rules()) { time in
      [
        .init(
          id: 1, posture: .init(time < 1 ? .standing : .onAllFours),
          pose: pose(tilt: time < 1 ? 0 : 88, feet: SIMD2(0.1, 0.1)))
      ]
    }
    #expect(!plank.contains { $0.kind == .lying || $0.posture == .lying })
    var scene = SceneEvents { _ in true }
    let all = (0..<400).flatMap { index -> [WatchEvent] in
      let time = Double(index) / 20
      let isDown = (4..<12).contains(time)
      let tilt = isDown ? min(88, (time - 4) * 120) : 0
      return scene.add(
        SceneMoment(
          time: time,
          persons: [
            .init(
              id: 1, posture: .init(isDown ? .lyingProne : .standing),
              pose: pose(tilt: tilt, feet: SIMD2(0.1, 0.1)))
          ]))
    }
    let falls = all.filter { $0.kind == .fall }
    #expect(falls.count == 1 && (falls.first?.reasons?.speed ?? 0) > 0.2)
    #expect((falls.first?.reasons?.angleDegrees ?? 0) > 30)
    #expect(
      all.filter { $0.kind == .postureBegins }.compactMap(\.posture)
        == [.standing, .fallen, .standing])
  }

  // MARK: - Masks

  @Test("what is masked is black in the picture, exactly inside of the area")
  func mask() {
    var frame = Frame(width: 8, height: 4)
    frame.withUnsafeMutableBytes { for index in $0.indices { $0[index] = 200 } }
    let upperLeft = PicturePolygon([
      SIMD2(0, 0.5), SIMD2(0.5, 0.5), SIMD2(0.5, 1), SIMD2(0, 1),
    ])
    let masked = frame.masked(by: [upperLeft])
    masked.withUnsafeBytes { bytes in
      for row in 0..<4 {
        for column in 0..<8 {
          let isInside = row < 2 && column < 4
          #expect(bytes[(row * 8 + column) * 4] == (isInside ? 0 : 200), "\(row) \(column)")
        }
      }
    }
    #expect(upperLeft.contains(SIMD2(0.2, 0.8)) && !upperLeft.contains(SIMD2(0.2, 0.2)))
    #expect(abs(upperLeft.area - 0.25) < 1e-5)
  }

  @Test("people in a mask, and people who are too small, are nobody")
  func gate() throws {
    func names(_ members: String, stature: Float = 0.8, x: Float = 0.1) throws -> [WatchEvent.Kind]
    {
      let text = #"{"sources": [{"name": "A", "address": "pattern:testsrc2", \#(members)}]}"#
      let configuration = try WatchConfiguration(Data(text.utf8), name: "watch.json")
      var scene = SceneEvents()
      let gate = SceneGate(areas: try #require(configuration.areas["A"]))
      return (0..<40).flatMap { index in
        let poses = gate.visible([pose(tilt: 0, feet: SIMD2(x, 0.1), stature: stature)])
        let persons = poses.map { SceneMoment.Person(id: 1, pose: $0) }
        return scene.add(SceneMoment(time: Double(index) / 20, persons: persons))
      }.map(\.kind)
    }
    let mask = #""masks": [[[0, 0], [0.5, 0], [0.5, 1], [0, 1]]]"#
    #expect(try names(mask).isEmpty)
    #expect(try names(mask, x: 0.8) == [.personEnters])
    // From the upper left corner: a person of a tenth at the lower edge is not masked.
    let upper = #""masks": [[[0, 0], [1, 0], [1, 0.5], [0, 0.5]]]"#
    #expect(try names(upper, stature: 0.1) == [.personEnters])
    #expect(try names(#""minimumHeight": 0.2"#, stature: 0.1).isEmpty)
    #expect(try names(#""minimumHeight": 0.2"#, stature: 0.5) == [.personEnters])
  }
}
