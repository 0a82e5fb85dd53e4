import Foundation
import KinemaAction
import KinemaModelFiles
import KinemaWatch
import Testing

/// Which events rules match, and what can never happen.
struct RuleTests {
  private func configuration(_ rules: String, _ members: String = "") throws -> WatchConfiguration {
    let zones = #""zones": [{"name": "Hall", "polygon": [[0, 0], [1, 0], [1, 1]]}]"#
    let text = """
      {"sources": [{"name": "A", "address": "pattern:testsrc2", \(zones)\(members)}], \
      "rules": [\(rules)]}
      """
    return try WatchConfiguration(Data(text.utf8), name: "watch.json")
  }

  private func rule(_ when: String) throws -> WatchRule {
    try #require(try configuration(#"{"when": \#(when), "then": ["log"]}"#).rules.first)
  }

  @Test("rules match by posture, zone, line and direction")
  func places() throws {
    var event = WatchEvent(.postureLasts, at: 1, seconds: 5)
    event.posture = .lying
    event.zones = ["Hall"]
    #expect(try rule(#"{"posture": "lying", "for": 5, "zone": "Hall"}"#).matches(event, of: "A"))
    #expect(
      try !rule(#"{"posture": "lying", "for": 5, "outside": "Hall"}"#).matches(event, of: "A"))
    #expect(try !rule(#"{"posture": "sitting", "for": 5}"#).matches(event, of: "A"))
    var stay = WatchEvent(.staysInZone, at: 1, seconds: 3600)
    stay.zone = "Hall"
    #expect(try rule(#"{"zone": "Hall", "for": 3600}"#).matches(stay, of: "A"))
    #expect(try !rule(#"{"zone": "Hall"}"#).matches(stay, of: "A"))
    var empty = WatchEvent(.nobody, at: 1, seconds: 60)
    #expect(try !rule(#"{"event": "nobody", "zone": "Hall"}"#).matches(empty, of: "A"))
    empty.zone = "Hall"
    #expect(try rule(#"{"event": "nobody", "zone": "Hall"}"#).matches(empty, of: "A"))
    #expect(try !rule(#"{"event": "nobody"}"#).matches(empty, of: "A"))
  }

  @Test("exercises are named only where a rule or a model of the source asks for them")
  func actions() throws {
    func names(_ rule: String, _ members: String = "") throws -> Bool {
      let configuration = try configuration(rule, members)
      return configuration.namesActions(of: configuration.sources[0])
    }
    #expect(try !names(#"{"when": {"event": "fall"}, "then": []}"#))
    #expect(try !names(#"{"when": {"action": "lying", "for": 10}, "then": []}"#))
    #expect(try names(#"{"when": {"action": "squats", "count": 10}, "then": []}"#))
    #expect(try names(#"{"when": {"event": "setFinished"}, "then": []}"#))
    #expect(try names(#"{"when": {"event": "fall"}, "then": []}"#, #", "model": "Workout""#))
  }

  @Test("a rule about an action that no model recognises, or counts, is refused in one sentence")
  func models() throws {
    let classifier = try ActionClassifier(contentsOf: BuiltInModel.exercise.url)
    func message(_ when: String) throws -> String {
      do {
        try configuration(#"{"when": \#(when), "then": []}"#).checkModels { _ in classifier }
        return ""
      } catch let error as WatchError {
        return error.message
      }
    }
    #expect(try message(#"{"action": "squats", "count": 10}"#).isEmpty)
    #expect(
      try message(#"{"action": "squads"}"#).hasPrefix(
        "watch.json, rules[0]: the model recognises no “squads”, only “"))
    #expect(
      try message(#"{"action": "sitting", "for": 3}"#).hasSuffix(
        "for a posture write {\"posture\": \"sitting\"}."))
  }
}
