import Foundation
import KinemaAction
import KinemaCounting
import KinemaModelFiles
import KinemaPose
import KinemaTestSupport
import Testing

@Suite("What labels are")
struct LabelKindTests {
  @Test(
    "a name says what a label is, however it is written",
    arguments: [
      ("squats", LabelKind.counted), ("Jumping Jacks", .counted), ("plank", .timed),
      ("Wall-Sit", .timed), ("wall_sit", .timed), ("side plank", .timed), ("walking", .timed),
      ("Dancing", .timed), ("other", .noAction), ("Other Action", .noAction),
      ("other_actions", .noAction), ("rest", .noAction), ("Nothing", .noAction),
      ("none", .noAction), ("no action", .noAction), ("not_squats", .noAction),
      ("negative-2", .noAction), ("standing", .noAction), ("idle", .noAction),
      ("nodding", .counted), ("note", .counted), ("resting_squat", .counted),
    ])
  func names(label: String, kind: LabelKind) {
    #expect(LabelKinds()[label] == kind)
    #expect(LabelKinds().origin(of: label) == .name)
  }

  @Test("exercises are what is counted, or held, but not what people do every day")
  func exercises() {
    let kinds = LabelKinds()
    #expect(["squats", "plank"].allSatisfy(kinds.isExercise))
    #expect(!["walking", "standing", "falling", "other"].contains(where: kinds.isExercise))
    #expect(kinds.isEverythingElse("other") && kinds.isEverythingElse("nothing"))
    #expect(!kinds.isEverythingElse("standing") && !kinds.isEverythingElse("walking"))
    #expect(kinds.canBeAskedFor("walking") && kinds.canBeAskedFor("plank"))
    #expect(!["falling", "standing", "other"].contains(where: kinds.canBeAskedFor))
  }

  @Test("a model's metadata come before the names; damaged ones are left out")
  func metadata() throws {
    var metadata = ModelMetadata()
    try metadata.store(
      LabelKinds(["standing": .timed, "tree": .timed]), of: ["standing", "tree", "rest"])
    let kinds = LabelKinds(metadata)
    #expect(kinds["standing"] == .timed && kinds.origin(of: "standing") == .metadata)
    #expect(kinds["tree"] == .timed && kinds["rest"] == .noAction)
    #expect(kinds["squats"] == .counted && kinds.origin(of: "squats") == .name)
    metadata.userDefined["org.kinema.labelKinds"] = #"{"tree":"timed","rest":"perhaps"}"#
    #expect(LabelKinds(metadata)["tree"] == .timed && LabelKinds(metadata)["rest"] == .noAction)
    metadata.userDefined["org.kinema.labelKinds"] = "[1"
    #expect(LabelKinds(metadata) == LabelKinds())
  }

  @Test(
    "only actions that are counted have repetitions",
    arguments: [
      "squats", "rest", "nothing", "plank", "standing", "other",
    ])
  func counting(label: String) throws {
    func count(_ rules: RepetitionCounter.Rules) throws -> Int {
      var mover = Mover()
      var counter = try RepetitionCounter(rules: rules)
      for frame in mover.sequence([(.jacks, 1.2, 10)]).frames {
        try counter.add(frame.poses.first, at: frame.time, action: label, confidence: 0.9)
      }
      return try counter.finish().count
    }
    var rules = RepetitionCounter.Rules()
    rules.method = .signal
    #expect(try (count(rules) > 4) == (label == "squats"))
    rules.kinds = LabelKinds([label: .counted])
    #expect(try count(rules) > 4)
  }
}
