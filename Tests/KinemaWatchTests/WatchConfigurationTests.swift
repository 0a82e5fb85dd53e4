import Foundation
import KinemaWatch
import Testing

struct WatchConfigurationTests {
  private func message(_ text: String) -> String {
    do {
      _ = try WatchConfiguration(Data(text.utf8), name: "watch.json")
      return ""
    } catch {
      return error.message
    }
  }

  @Test("rules match their events")
  func rules() throws {
    let text = """
      {"sources": [{"name": "Gym", "address": "pattern:testsrc2", "rotate": 90,
                    "rules": [{"when": {"event": "fall"}, "then": ["mqtt"], "picture": true,
                               "clip": 12}]}],
       "rules": [{"when": {"action": "lying", "for": 10}, "then": ["mqtt", "webhook"]},
                 {"when": {"action": "squats", "count": 10}, "then": ["webhook", "nurse"]}],
       "mqtt": {"host": "broker", "tls": true},
       "webhook": {"url": "https://example.org/kinema"},
       "webhooks": {"nurse": {"url": "https://example.org/nurse"}}}
      """
    let configuration = try WatchConfiguration(Data(text.utf8), name: "watch.json")
    let rules = configuration.rules
    #expect(configuration.broker?.port == 8883 && rules.count == 3)
    #expect(rules[0].matches(WatchEvent(.fall, at: 1), of: "Gym") && rules[0].hasPicture)
    #expect(!rules[0].matches(WatchEvent(.fall, at: 1), of: "Hall"))
    #expect(rules[0].clipLength == 12 && rules[0].needsPictures(of: "Gym"))
    #expect(!rules[0].needsPictures(of: "Hall") && !rules[1].needsPictures(of: "Gym"))
    #expect(rules[1].matches(WatchEvent(.lying, at: 1, seconds: 10), of: "Hall"))
    #expect(!rules[1].matches(WatchEvent(.lying, at: 1, seconds: 60), of: "Hall"))
    let count = WatchEvent(.countReached, at: 1, action: "squats", count: 10)
    #expect(rules[2].matches(count, of: "Gym"))
    #expect(rules[2].receivers == [.webhook, .init("nurse")])
    #expect(configuration.webhooks[.init("nurse")]?.address.path == "/nurse")
    #expect(SceneEvents.Rules(for: rules, of: "Gym").counts == [10])
  }

  @Test(
    "what is wrong with a file is one sentence that names the place",
    arguments: [
      ("{", "watch.json is not valid JSON"),
      ("{}", "watch.json: “sources” takes a list of sources, and is missing."),
      (#"{"sources": [], "rule": []}"#, "watch.json: there is no “rule”; there are"),
      (
        #"{"sources": [{"name": "a", "address": "b", "rotate": 45}]}"#,
        "watch.json, sources[0]: “rotate” takes 0, 90, 180 or 270 degrees."
      ),
      (
        #"{"sources": [], "rules": [{"when": {"event": "falls"}, "then": []}]}"#,
        "watch.json, rules[0], when: “event” takes one of “actionBegins”"
      ),
      (
        #"{"sources": [], "rules": [{"when": {"event": "fall", "for": 3}, "then": []}]}"#,
        "watch.json, rules[0], when: “for” does not go with the event “fall”."
      ),
      (
        #"{"sources": [], "rules": [{"when": {"event": "fall"}, "then": [], "clip": 31}]}"#,
        "watch.json, rules[0]: “clip” takes a number from 1 to 30."
      ),
      (
        #"{"sources": [], "rules": [{"when": {"event": "fall"}, "then": [], "clip": true}]}"#,
        "watch.json, rules[0]: “clip” takes a number from 1 to 30."
      ),
      (
        #"{"sources": [], "rules": [{"when": {"event": "sourceStale"}, "then": [], "clip": 5}]}"#,
        "watch.json, rules[0]: “clip” does not go with the event “sourceStale”."
      ),
      (
        #"{"sources": [], "rules": [{"when": {"event": "fall"}, "then": ["mqtt"]}]}"#,
        "watch.json: rules name “mqtt”; add"
      ),
      (
        #"{"sources": [], "rules": [{"when": {"event": "fall"}, "then": ["nurse"]}]}"#,
        "watch.json: rules name “nurse”; add \"webhooks\": {\"nurse\": {\"url\":"
      ),
      (
        #"{"sources": [], "webhooks": {"mqtt": {"url": "https://example.org"}}}"#,
        "watch.json, webhooks: “mqtt” is no name of a webhook"
      ),
      (
        #"{"sources": [], "webhooks": {"nurse": {"url": "example.org"}}}"#,
        "watch.json, webhooks, nurse: “url” takes an address such as"
      ),
      (
        #"{"sources": [], "webhook": {"url": "$NOT_SET_ANYWHERE"}}"#,
        "watch.json, webhook: “url” is $NOT_SET_ANYWHERE, which is not in the environment; set it."
      ),
    ])
  func messages(text: String, expected: String) {
    #expect(message(text).hasPrefix(expected))
  }
}
