import Foundation
import KinemaTestSupport
import KinemaWatch
import Testing

struct WatchConfigurationTests {
  private func message(_ text: String) -> String {
    do {
      let source = #"[{"name": "A", "address": "pattern:testsrc2"}]"#
      let text = text.replacingOccurrences(of: "[A]", with: source)
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
      (#"{"sources": [A], "rule": []}"#, "watch.json: there is no “rule”; there are"),
      (
        #"{"sources": [{"name": "a", "address": "b", "rotate": 45}]}"#,
        "watch.json, sources[0]: “rotate” takes 0, 90, 180 or 270 degrees."
      ),
      (
        #"{"sources": [A], "rules": [{"when": {"event": "falls"}, "then": []}]}"#,
        "watch.json, rules[0], when: “event” takes one of “actionBegins”"
      ),
      (
        #"{"sources": [A], "rules": [{"when": {"event": "fall", "for": 3}, "then": []}]}"#,
        "watch.json, rules[0], when: “for” does not go with the event “fall”."
      ),
      (
        #"{"sources": [A], "rules": [{"when": {"event": "fall"}, "then": [], "clip": 31}]}"#,
        "watch.json, rules[0]: “clip” takes a number from 1 to 30."
      ),
      (
        #"{"sources": [A], "rules": [{"when": {"event": "fall"}, "then": [], "clip": true}]}"#,
        "watch.json, rules[0]: “clip” takes a number from 1 to 30."
      ),
      (
        #"{"sources": [A], "rules": [{"when": {"event": "sourceStale"}, "then": [], "clip": 5}]}"#,
        "watch.json, rules[0]: “clip” does not go with the event “sourceStale”."
      ),
      (
        #"{"sources": [{"name": "B", "address": "pattern:testsrc2", "zones": [{"name": "Bed", "polygon": [[0, 0], [1.2, 0], [0, 1]]}]}]}"#,
        "watch.json, sources[0], zones[0]: “polygon” takes the corners of an area: 3 to 64 places [x, y] from 0 to 1"
      ),
      (
        #"{"sources": [{"name": "B", "address": "pattern:testsrc2", "masks": [[[0, 0], [0.5, 0.5], [1, 1]]]}]}"#,
        "watch.json, sources[0]: “masks[0]” encloses nothing"
      ),
      (
        #"{"sources": [A], "rules": [{"when": {"zone": "Bed"}, "then": []}]}"#,
        "watch.json, rules[0]: there is no zone “Bed” in any source; there are none."
      ),
      (
        #"{"sources": [{"name": "B", "address": "pattern:testsrc2", "lines": [{"name": "Door", "from": [0, 0], "to": [0, 1]}]}], "rules": [{"when": {"line": "Gate"}, "then": []}]}"#,
        "watch.json, rules[0]: there is no line “Gate” in any source; there are “Door”."
      ),
      (
        #"{"sources": [{"name": "B", "address": "pattern:testsrc2", "zones": [{"name": "Bed", "polygon": [[0, 0], [0.5, 0], [0.5, 1]]}], "masks": [[[0, 0], [1, 0], [1, 1], [0, 1]]]}], "rules": [{"when": {"zone": "Bed"}, "then": []}]}"#,
        "watch.json, rules[0]: the zone “Bed” is masked"
      ),
      (
        #"{"sources": [{"name": "B", "address": "pattern:testsrc2", "zones": [{"name": "Bed", "bed": true, "polygon": [[0, 0], [0.5, 0], [0.5, 1]]}]}], "rules": [{"when": {"action": "lying", "zone": "Bed"}, "then": []}]}"#,
        "watch.json, rules[0]: who lies in the bed “Bed” sleeps"
      ),
      (
        #"{"sources": [A], "rules": [{"when": {"posture": "sleeping"}, "then": []}]}"#,
        "watch.json, rules[0]: a person sleeps who lies in a bed"
      ),
      (
        #"{"sources": [A], "rules": [{"when": {"posture": "flying"}, "then": []}]}"#,
        "watch.json, rules[0], when: “posture” takes one of “standing”"
      ),
      (
        #"{"sources": [A], "rules": [{"when": {"posture": "lying", "count": 2}, "then": []}]}"#,
        "watch.json, rules[0], when: “posture” does not go with the event “countReached”."
      ),
      (
        #"{"sources": [A], "log": {"days": 0}}"#, "watch.json, log: “days” takes a number from 0.01"
      ),
      (
        #"{"sources": [A], "rules": [{"when": {"event": "fall"}, "then": ["mqtt"]}]}"#,
        "watch.json: rules name “mqtt”; add"
      ),
      (
        #"{"sources": [A], "rules": [{"when": {"event": "fall"}, "then": ["nurse"]}]}"#,
        "watch.json: rules name “nurse”; add \"webhooks\": {\"nurse\": {\"url\":"
      ),
      (
        #"{"sources": [A], "webhooks": {"mqtt": {"url": "https://example.org"}}}"#,
        "watch.json, webhooks: “mqtt” is no name of a webhook"
      ),
      (
        #"{"sources": [A], "webhooks": {"nurse": {"url": "example.org"}}}"#,
        "watch.json, webhooks, nurse: “url” takes an address such as"
      ),
      (
        #"{"sources": [A], "webhook": {"url": "$NOT_SET_ANYWHERE"}}"#,
        "watch.json, webhook: “url” is $NOT_SET_ANYWHERE, which is not in the environment; set it."
      ),
    ])
  func messages(text: String, expected: String) {
    #expect(message(text).hasPrefix(expected))
  }

  @Test(
    "an address is parsed as it will be opened, and a mistake names the source",
    arguments: [
      ("ftp://h/x", "starts with ftp"), ("rtsp://", "no host"), ("rtsp:///x", "no host"),
      ("http://:80/", "no host"), ("http://h:99999/x", "port"), ("udp://", "no port"),
      ("tcp://h", "no port"), ("pipe:", "no path"), ("pattern:nope", "no test pattern"),
      ("pattern:", "no test pattern"), ("-", "not a readable file"), ("/", "not a readable file"),
      ("/dev/vide0", "not a readable file"), ("file:///missing.mp4", "not a readable file"),
      ("missing.mp4", "not a readable file"), ("http://a b/", "invalid"), ("://", "starts with"),
    ])
  func addresses(address: String, words: String) {
    let message = message(#"{"sources": [{"name": "Gym", "address": "\#(address)"}]}"#)
    #expect(message.hasPrefix("watch.json, sources[0]: the address of “Gym” cannot be used. "))
    #expect(message.contains(words), "\(message)")
  }

  @Test(
    "addresses that can be opened later are valid",
    arguments: [
      "rtsp://h/x", "rtsp://user:word@h:554/x?y", "https://h/x.m3u8", "srt://:9000", "udp://@:1234",
      "/dev/video7", "pattern:testsrc2=size=64x64:rate=1", "/dev/null",
    ])
  func validAddresses(address: String) {
    #expect(message(#"{"sources": [{"name": "Gym", "address": "\#(address)"}]}"#).isEmpty)
  }

  @Test("without sources, and with other authorities than a file of PEM, a file is refused")
  func emptiness() {
    #expect(message(#"{"sources": []}"#).hasPrefix("watch.json: “sources” is empty; add"))
    for path in ["/missing.pem", "/dev/zero", "/etc/hosts"] {
      for receiver in [
        #""mqtt": {"host": "h", "ca": "\#(path)"}"#,
        #""webhook": {"url": "https://h/", "ca": "\#(path)"}"#,
      ] {
        #expect(message(#"{"sources": [A], \#(receiver)}"#).contains("“ca” takes a readable file"))
      }
    }
  }

  @Test("a file has a size limit, at the start and when it is read again")
  func size() throws {
    let folder = try TemporaryFolder()
    let url = folder.url("watch.json")
    let text = #"{"sources": [{"name": "A", "address": "pattern:testsrc2"}]}"#
    try Data(text.utf8).write(to: url)
    var file = try WatchFile(url)
    try Data((text + String(repeating: " ", count: 2 << 20)).utf8).write(to: url)
    let expected = "watch.json has more than 1 MiB: check the name."
    #expect(throws: WatchError(.malformed, expected)) { try file.changed() }
    #expect(try file.changed() == nil)
    #expect(throws: WatchError(.malformed, expected)) { try WatchFile(url) }
    #expect(throws: WatchError.self) { try WatchFile(URL(filePath: "/dev/zero")) }
  }
}
