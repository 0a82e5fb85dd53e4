import Foundation
import KinemaCoach
import Testing

@Suite("Rulebooks")
struct RulebookTests {
  private func rulebook(_ text: String) throws -> Rulebook {
    try Rulebook(Data(text.utf8), name: "my.json")
  }

  private func message(_ text: String) -> String {
    do {
      _ = try rulebook(text)
      return ""
    } catch {
      return (error as? CoachError)?.message ?? "\(error)"
    }
  }

  @Test("a rule is a measure with its limit, a cue and the views")
  func rule() throws {
    let book = try rulebook(
      """
      {"squats": {"follow": "hips", "depth": {"Knee angle at the bottom": "below 100°",
       "say": "Go lower.", "from": "side", "source": "me"}}}
      """)
    let rule = try #require(book.exercise("squats").rules.first)
    #expect(rule.name == "depth")
    #expect(rule.measure == .angle(.knee, .bottom))
    #expect(rule.limits == Rule.Limits(most: 100))
    #expect(rule.say == "Go lower.")
    #expect(rule.views == [.side])
    #expect(rule.source == "me")
  }

  @Test("an exercise may name the joint that bends, and that its sides do different things")
  func range() throws {
    let rules = #""depth": {"knee angle at the bottom": "below 100°", "say": "Go."}"#
    func exercise(_ entries: String) throws -> Rulebook.Exercise {
      try rulebook("{\"lunges\": {\"follow\": \"hips\", \(entries) \(rules)}}").exercise("lunges")
    }
    let plain = try exercise("")
    #expect(plain.joint == nil && !plain.isOneSided && plain.rules.count == 1)
    let full = try exercise(#""range": "knee", "sides": "one at a time","#)
    #expect(full.joint == .knee && full.isOneSided && full.rules.count == 1)
    #expect(try !exercise(#""sides": "together","#).isOneSided)
    #expect(
      message(#"{"a": {"follow": "hips", "range": "neck"}}"#)
        == "my.json, a: “range” names the joint that bends in a repetition, one of “knee”, “hip”, "
        + "“elbow”, “shoulder”.")
    #expect(
      message(#"{"a": {"follow": "hips", "sides": 2}}"#)
        == "my.json, a: “sides” says whether left and right do the same, one of “together”, "
        + "“one at a time”.")
  }

  @Test("a rule may decide, and a posture that is held follows nothing")
  func decidesAndHolds() throws {
    let depth =
      #""depth": {"knee angle at the bottom": "below 100°", "say": "Go lower.", "decides": TRUE}"#
    func squats(_ word: String) -> String {
      "{\"squats\": {\"follow\": \"hips\", \(depth.replacing("TRUE", with: word))}}"
    }
    #expect(try rulebook(squats("true")).exercise("squats").rules.first?.decides == true)
    #expect(try rulebook(squats("false")).exercise("squats").rules.first?.decides == false)
    #expect(message(squats("\"yes\"")).contains("“decides” is true or false"))
    func plank(_ measure: String) -> String {
      "{\"plank\": {\"follow\": \"nothing\", \"hips\": {\"\(measure)\": \"above 0 %\", \"say\": \"Up.\"}}}"
    }
    #expect(try rulebook(plank("hips above the line throughout")).exercise("plank").lead == nil)
    #expect(message(plank("hips above the line at the top")).contains("a posture that is held"))
    #expect(message(#"{"plank": {"follow": "everything"}}"#).contains("or is “nothing”"))
  }

  @Test(
    "limits are below, above or from … to, with or without the unit",
    arguments: [
      ("below 100°", Rule.Limits(most: 100)), ("at most 100", Rule.Limits(most: 100)),
      ("Above -10 °", Rule.Limits(least: -10)), ("at least 0.5", Rule.Limits(least: 0.5)),
      ("from 70° to 110°", Rule.Limits(least: 70, most: 110)),
    ])
  func limits(_ text: String, _ limits: Rule.Limits) {
    #expect(Rule.Limits(text, in: .degrees) == limits)
  }

  @Test(
    "what is no limit in the unit is refused",
    arguments: ["100°", "below", "below 2 s", "from 110° to 70°", "below nan", ""])
  func badLimits(_ text: String) { #expect(Rule.Limits(text, in: .degrees) == nil) }

  @Test("an unknown measure is refused with its place and the known ones")
  func unknownMeasure() {
    let message = message(
      #"{"squats": {"follow": "hips", "depth": {"knee depth": "below 100°", "say": "Go."}}}"#)
    #expect(message.hasPrefix("my.json, squats, depth: “knee depth” is not measured; there are: "))
    #expect(message.contains("knee angle at the bottom, knee angle at the top"))
  }

  @Test("errors say where and what is expected")
  func errors() {
    #expect(message("{").hasPrefix("my.json is not valid JSON"))
    #expect(message("[]").contains("an object with the rules of each exercise"))
    #expect(message(#"{"squats": {}}"#).contains("one of “hips”, “shoulders”, “hands”"))
    #expect(
      message(#"{"squats": {"follow": "hips", "depth": {"trunk lean at the top": "below 9"}}}"#)
        .contains("my.json, squats, depth: “say” is the cue and is missing"))
    #expect(
      message(
        #"{"squats": {"follow": "hips", "d": {"trunk lean at the top": "much", "say": "x"}}}"#
      ).contains("takes a limit such as “below 90°”"))
    #expect(
      message(
        #"{"s": {"follow": "hips", "d": {"seconds up": "above 1", "say": "x", "from": "above"}}}"#
      ).contains("“from” takes one or several of “front”, “oblique”, “side”"))
  }

  @Test(
    "the built-in rulebook covers thirteen exercises and ten movements of rehabilitation, each rule with its source"
  )
  func builtIn() throws {
    let book = try Rulebook(contentsOf: CoachFile.form.url)
    #expect(book.exercises.count == 23)
    for (label, exercise) in book.exercises {
      #expect(!exercise.rules.isEmpty, "\(label)")
      #expect(exercise.rules.allSatisfy { $0.source != nil }, "\(label)")
    }
  }

  @Test("burpees have a rule for each view")
  func burpees() throws {
    let rules = try Rulebook(contentsOf: CoachFile.form.url).exercise("burpees").rules
    for view in CameraView.allCases {
      #expect(rules.contains { $0.views?.contains(view) ?? true }, "\(view)")
    }
  }

  @Test("every measure is found by its name")
  func names() {
    for measure in Measure.all { #expect(Measure(named: measure.name) == measure) }
  }
}
