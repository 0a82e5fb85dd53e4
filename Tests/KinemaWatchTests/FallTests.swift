import Foundation
import KinemaAction
import KinemaNetwork
import KinemaPose
import KinemaTestSupport
import KinemaWatch
import Synchronization
import Testing

@Suite("Falls")
struct FallTests {
  /// How far somebody has gone down, from 0 to 1, who starts at a time and needs some seconds.
  private static func way(_ time: Double, from start: Double, in seconds: Double) -> Double {
    min(max(time - start, 0) / seconds, 1)
  }

  private static func person(_ id: Int, _ pose: Pose) -> SceneMoment.Person {
    .init(id: id, pose: pose)
  }

  /// The falls, at 20 frames a second.
  private static func falls(
    seconds: Double, isFall: SceneEvents.FallClassifier? = nil,
    _ persons: (Double) -> [SceneMoment.Person]
  ) throws -> [WatchEvent] {
    let model = try FallModel.builtIn
    let postures = try PostureModel.installed
    var timelines: [Int: PostureTimeline] = [:]
    var scene = SceneEvents(isFall: isFall ?? { model.isFall($0) })
    let events = (0..<Int(seconds * 20)).flatMap { index in
      let time = Double(index) / 20
      let persons = persons(time).map { person in
        var person = person
        var timeline = timelines[person.id] ?? PostureTimeline(postures)
        timeline.add(person.pose, at: time, aspectRatio: 1)
        timelines[person.id] = timeline
        person.posture = person.posture ?? timeline.latest
        return person
      }
      return scene.add(SceneMoment(time: time, persons: persons))
    }
    return events.filter { $0.kind == .fall }
  }

  // MARK: - The built-in model

  @Test("who goes down in 0.7 seconds and stays there has fallen, once")
  func fall() throws {
    let falls = try Self.falls(seconds: 16) { time in
      [Self.person(1, pose(tilt: Self.way(time, from: 3, in: 0.7) * 88))]
    }
    #expect(falls.count == 1)
    #expect(falls.allSatisfy { (3...4.2).contains($0.time) && $0.person == 1 })
  }

  @Test("who lies down in five seconds has not fallen")
  func lyingDown() throws {
    let falls = try Self.falls(seconds: 14) { time in
      [Self.person(1, pose(tilt: Self.way(time, from: 3, in: 5) * 88))]
    }
    #expect(falls.isEmpty)
  }

  @Test("two people who fall are two events")
  func two() throws {
    let falls = try Self.falls(seconds: 14) { time in
      [
        Self.person(
          1, pose(tilt: Self.way(time, from: 3, in: 0.6) * 88, feet: SIMD2(0.05, 0.1), stature: 0.4)
        ),
        Self.person(
          2, pose(tilt: Self.way(time, from: 4, in: 0.7) * 88, feet: SIMD2(0.55, 0.1), stature: 0.4)
        ),
      ]
    }
    #expect(falls.map(\.person) == [1, 2])
  }

  @Test("the course of a person who is lost on the way down goes on with who is found on the floor")
  func foundAgain() throws {
    let falls = try Self.falls(seconds: 12, isFall: { $0[.shoulderDrop] > 0.5 }) { time in
      if (3.4..<4).contains(time) { return [] }
      return [Self.person(time < 3.7 ? 1 : 2, pose(tilt: Self.way(time, from: 3, in: 0.7) * 88))]
    }
    #expect(falls.map(\.person) == [2])
  }

  @Test("who is found seconds later, or only for a moment, is not the person who was lost")
  func somebodyElse() throws {
    let lying = pose(tilt: 88)
    let standing = pose(tilt: 0)
    for (found, id) in [(4.0...8, 1), (6.5...10, 2), (4.8...4.85, 1)] {
      let falls = try Self.falls(seconds: 10, isFall: { $0[.shoulderDrop] > 0.4 }) { time in
        if time < 4 { return [Self.person(1, standing)] }
        return found.contains(time) ? [Self.person(id, lying)] : []
      }
      #expect(falls.map(\.person) == (found.lowerBound == 4 ? [1] : []), "found in \(found)")
    }
  }

  @Test("nobody falls who stands, walks out of the picture, or is found late")
  func nothing() throws {
    #expect(try Self.falls(seconds: 10) { _ in [Self.person(1, pose(tilt: 0))] }.isEmpty)
    let leaving = try Self.falls(seconds: 10) { time in
      time > 5
        ? [] : [Self.person(1, pose(tilt: 0, feet: SIMD2(Float(time) / 5, 0.1)))]
    }
    #expect(leaving.isEmpty)
    #expect(try Self.falls(seconds: 10) { _ in [Self.person(1, pose(tilt: 88))] }.isEmpty)
  }

  // MARK: - Signs

  /// The signs of somebody's course, the newest last.
  private static func signs(
    seconds: Double, _ persons: (Double) -> [SceneMoment.Person]
  ) throws -> [FallSigns] {
    let seen = Mutex<[FallSigns]>([])
    _ = try falls(
      seconds: seconds,
      isFall: { signs in
        seen.withLock { $0.append(signs) }
        return false
      }, persons)
    return seen.withLock { $0 }
  }

  @Test("the postures before and after the way down are signs")
  func postures() throws {
    let signs = try Self.signs(seconds: 6) { time in
      let tilt = Self.way(time, from: 3, in: 0.7) * 88
      return [
        .init(id: 1, posture: .init(time < 3.4 ? .standing : .lyingSupine), pose: pose(tilt: tilt))
      ]
    }
    let last = try #require(signs.last { $0.now < 5.5 })
    #expect(last[.uprightBefore] == 1 && last[.seatedBefore] == 0 && last[.lyingBefore] == 0)
    #expect(last[.lying] == 1 && last[.upright] == 0 && last[.seated] == 0)
    #expect(last[.lyingNow] == 1 && last[.uprightNow] == 0)
  }

  @Test("signs are lengths in statures, speeds in statures a second, and angles in degrees")
  func values() throws {
    // Sinks by half of the stature in a second, then stays.
    let signs = try Self.signs(seconds: 6) { time in
      let low = 0.1 + Float(0.4 * (1 - Self.way(time, from: 3, in: 1)))
      return [Self.person(1, pose(tilt: 0, feet: SIMD2(0.5, low)))]
    }
    let last = try #require(signs.last { $0.now < 5.5 })
    #expect(abs(last[.steadySpeed] - 0.5) < 0.03 && abs(last[.slowSpeed] - 0.5) < 0.06)
    #expect(abs(last[.shoulderDrop] - 0.5) < 0.05 && abs(last[.hipDrop] - 0.5) < 0.05)
    #expect(last[.tilt] < 1 && last[.tiltBefore] < 1)
    #expect(abs(last[.extent] - 0.89) < 0.05 && abs(last[.extentBefore] - 0.89) < 0.05)
    #expect(abs(last.time - 3.75) < 0.6)
    #expect(last[.lost] < 0.01 && last[.seenAfter] > 0.9 && last[.aside] < 0.01)
    #expect(last[.unrest] < 0.01 && last[.rise] < 0.01)
    #expect(abs(last[.headSpeed] - 0.5) < 0.03 && last[.slant] < 0.01)
  }

  @Test("who falls over goes to the side as far as down, the head fastest")
  func fallingOver() throws {
    let signs = try Self.signs(seconds: 6) { time in
      [Self.person(1, pose(tilt: Self.way(time, from: 3, in: 0.8) * 88))]
    }
    let last = try #require(signs.last { $0.now < 5.5 })
    #expect((0.7...1.4).contains(last[.slant]) && last[.headSpeed] > 1.2 * last[.speed])
  }

  @Test("signs do not depend on the rate of the frames, nor on the size of the person")
  func invariance() throws {
    func signs(_ stature: Float, every step: Int) throws -> FallSigns {
      var frame = -1
      let seen = try Self.signs(seconds: 8) { time in
        frame += 1
        let tilt = Self.way(time, from: 3, in: 0.7) * 88
        return frame % step == 0
          ? [Self.person(1, pose(tilt: tilt, feet: SIMD2(0.1, 0.1), stature: stature))] : []
      }
      return try #require(seen.last { $0.now < 5.5 })
    }
    let one = try signs(0.8, every: 1)
    for other in [try signs(0.3, every: 1), try signs(0.8, every: 2)] {
      for sign in [
        FallSigns.Sign.steadySpeed, .slowSpeed, .shoulderDrop, .hipDrop, .shoulderHeight, .extent,
      ] {
        #expect(abs(one[sign] - other[sign]) < 0.12, "\(sign)")
      }
    }
  }

  @Test("nothing is known of a person with few readings, or who does not go down")
  func unknown() throws {
    #expect(
      try Self.signs(seconds: 3) { $0 < 0.1 ? [Self.person(1, pose(tilt: 0))] : [] }.isEmpty)
    #expect(try Self.signs(seconds: 5) { _ in [Self.person(1, pose(tilt: 0))] }.isEmpty)
  }

  @Test("while a person is lost after going down, the signs go on")
  func lost() throws {
    let signs = try Self.signs(seconds: 8) { time in
      time > 3.8 ? [] : [Self.person(1, pose(tilt: Self.way(time, from: 3, in: 0.7) * 88))]
    }
    let last = try #require(signs.last)
    #expect(last[.lost] > 1 && last[.shoulderDrop] > 0.4)
  }

  // MARK: - The file

  @Test("a model of falls is read as it was written, and says what is wrong with another file")
  func file() throws {
    let folder = try TemporaryFolder()
    let signs: [FallSigns.Sign] = [.speed, .gap, .tilt]
    let tree = DecisionForest.Tree(
      signs: signs.map(\.index), limits: [0.5, 0.3, 45], leaves: [-1, -0.5, 0.25, 2])
    func forest(_ tree: DecisionForest.Tree) -> DecisionForest {
      DecisionForest(signs: FallSigns.names, bias: [-0.5], trees: [tree])
    }
    let model = FallModel(forest(tree))
    try model.forest.stableJSON.write(to: folder.url("falls.json"))
    #expect(try FallModel(contentsOf: folder.url("falls.json")) == model)
    func score(_ speed: Float, _ gap: Float, _ tilt: Float) -> Float {
      model.score(FallSigns(time: 0, now: 0, [.speed: speed, .gap: gap, .tilt: tilt]))
    }
    #expect(score(0, 0, 90) == -1.5 && score(0, 1, 0) == -1)
    #expect(score(1, 0, 0) == -0.25 && score(0.5, 0, 45) == 1.5)

    try Data("{".utf8).write(to: folder.url("bad.json"))
    let bad = expectError(WatchError.self) {
      try FallModel(contentsOf: folder.url("bad.json"))
    }
    #expect(bad?.code == .malformed && bad?.message.contains("bad.json is not a model") == true)
    var short = tree
    short.leaves.removeLast()
    try forest(short).stableJSON.write(to: folder.url("short.json"))
    let cut = expectError(WatchError.self) {
      try FallModel(contentsOf: folder.url("short.json"))
    }
    #expect(cut?.message.contains("a tree that is not whole") == true)
  }
}
