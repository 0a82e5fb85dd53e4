import Foundation
import KinemaCoach
import KinemaPose
import Testing

/// Somebody who stands and sways from the hips, seen from the side.
private func swaying(by degrees: Double, hiding hidden: Set<JointKey> = []) -> BodyTrack {
  BodyTrack(
    (0...60).map { frame in
      let time = Double(frame) / 30
      let lean = degrees * sin(.pi * time) / 2 * .pi / 180
      func point(_ key: JointKey, _ above: Double, _ x: Double) -> JointPoint {
        // Above the hips all turns about them.
        let place =
          above > 0
          ? SIMD2(0.5 + x + above * sin(lean), 0.5 + above * cos(lean))
          : SIMD2(0.5 + x, 0.5 + above)
        return JointPoint(
          key, position: SIMD2(Float(place.x), Float(place.y)),
          confidence: hidden.contains(key) ? 0 : 1)
      }
      let points = [
        point(.nose, 0.35, 0.04), point(.neck, 0.25, 0),
        point(.rightShoulder, 0.25, 0.01), point(.leftShoulder, 0.25, -0.01),
        point(.rightElbow, 0.1, 0.01), point(.leftElbow, 0.1, -0.01),
        point(.rightWrist, 0.01, 0.01), point(.leftWrist, 0.01, -0.01),
        point(.rightHip, 0, 0.01), point(.leftHip, 0, -0.01),
        point(.rightKnee, -0.2, 0.01), point(.leftKnee, -0.2, -0.01),
        point(.rightAnkle, -0.4, 0.01), point(.leftAnkle, -0.4, -0.01),
      ]
      return (time, Pose(from: Dictionary(uniqueKeysWithValues: points.map { ($0.key, $0) })))
    })
}

@Suite("Right executions")
struct QualityModelTests {
  private static let model = QualityModel(
    bias: 1,
    terms: [.init(name: "sway of the trunk", mean: 10, deviation: 10, weight: -2)])

  private func extents(_ degrees: Double) throws -> RepetitionExtents {
    try #require(RepetitionExtents(swaying(by: degrees), 0..<61))
  }

  @Test("the sway of the trunk is an extent, in degrees, and hands and knees that rest have none")
  func sway() throws {
    let values = try extents(20).values
    #expect(abs(try #require(values["sway of the trunk"]) - 20) < 1)
    #expect(try #require(values["bending of the knee"]) < 0.1)
    #expect(abs(try #require(values["time"]) - 2) < 0.01)
  }

  @Test("what is hidden has no extent, and without a trunk there are none")
  func hidden() throws {
    let feet: Set<JointKey> = [.rightAnkle, .leftAnkle]
    let values = try #require(
      RepetitionExtents(swaying(by: 20, hiding: feet), 0..<61)
    ).values
    #expect(values["travel of the foot"] == nil && values["sway of the trunk"] != nil)
    let hips: Set<JointKey> = [.rightHip, .leftHip]
    #expect(RepetitionExtents(swaying(by: 20, hiding: hips), 0..<61) == nil)
  }

  @Test(
    "a repetition like right ones is likely right, one that sways more is not, and that is said")
  func likeness() throws {
    let (still, wild) = (try extents(10), try extents(22))
    #expect(try #require(Self.model.likeness(still)).value > 65)
    #expect(try #require(Self.model.likeness(wild)).value < 35)
    #expect(
      Self.model.deviation(of: wild) == "more sway of the trunk than in right executions")
  }

  @Test("of a movement that is like none that was learned, nothing is known")
  func unlike() throws {
    #expect(Self.model.likeness(try extents(60)) == nil)
    let others = QualityModel(
      bias: 0, terms: [.init(name: "what nobody measures", mean: 0, deviation: 1, weight: 1)])
    #expect(others.likeness(try extents(10)) == nil)
  }

  @Test("a rule of likeness gives a cue with the reason, and none where nothing was learned")
  func rule() throws {
    let rules = """
      {"swaying": {"follow": "hands", "execution": {
        "likeness to right executions": "above 50 %", "say": "Again."}}}
      """
    let book = try Rulebook(Data(rules.utf8), name: "rules")
    func form(_ coach: Coach) throws -> RepetitionForm {
      try #require(
        try coach.form(of: "swaying", from: 0, to: 2, within: 0...2, in: swaying(by: 26)))
    }
    let learned = try form(Coach(book, qualities: ["swaying": Self.model]))
    #expect(learned.cue == "Again. There is more sway of the trunk than in right executions.")
    let other = try form(Coach(book))
    #expect(other.cue == nil && other.findings.first?.reading == .unseen(.notLearned))
  }

  @Test("the models that come with Kinema are of movements that have rules")
  func builtIn() throws {
    let models = try [String: QualityModel].builtIn
    let book = try Rulebook(contentsOf: try CoachFile.form.url)
    #expect(models.count == 10)
    for (label, model) in models {
      #expect(try book.exercise(label).rules.contains { $0.measure == .likeness })
      #expect(model.terms.count > 50 && model.terms.allSatisfy { $0.deviation > 0 })
    }
    #expect(try JSONDecoder().decode([String: QualityModel].self, from: models.json) == models)
  }
}
