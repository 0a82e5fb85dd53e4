import Foundation
import KinemaTestSupport
import KinemaVision
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
        #"{"sources": [A], "rules": [{"when": {"event": "fall"}, "then": ["log"], "clip": 5}]}"#,
        "watch.json, rules[0]: “clip” needs a receiver in “then” beside “log”"
      ),
      (
        #"{"sources": [{"name": "玄関", "address": "pattern:testsrc2"}, {"name": "台所", "address": "pattern:testsrc2"}], "mqtt": {"host": "h"}}"#,
        "watch.json: to a broker the sources “玄関” and “台所” are one"
      ),
      (
        #"{"sources": [{"name": "Gym", "address": "pattern:testsrc2", "zones": [{"name": "Bed 1", "polygon": [[0, 0], [1, 0], [0, 1]]}, {"name": "Bed-1", "polygon": [[0, 0], [1, 0], [1, 1]]}]}], "mqtt": {"host": "h"}}"#,
        "watch.json: to a broker the zones of “Gym” “Bed 1” and “Bed-1” are one"
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

  @Test("a file that is not there any more is reported once, and read again when it is back")
  func absence() throws {
    let folder = try TemporaryFolder()
    let url = folder.url("watch.json")
    let text = #"{"sources": [{"name": "A", "address": "pattern:testsrc2"}]}"#
    try Data(text.utf8).write(to: url)
    var file = try WatchFile(url)
    for _ in 1...2 {
      try FileManager.default.removeItem(at: url)
      // An editor may be replacing it.
      #expect(try file.changed() == nil)
      #expect(throws: WatchError.self) { try file.changed() }
      #expect(try file.changed() == nil)
      try Data((text + " ").utf8).write(to: url)
      _ = try file.changed()
    }
    try Data(text.replacing("A", with: "B").utf8).write(to: url)
    #expect(try file.changed()?.sources.map(\.name) == ["B"])
  }

  private func source(_ members: String) throws -> WatchConfiguration.Source {
    let text = #"{"sources": [{"name": "A", "address": "pattern:testsrc2"\#(members)}]}"#
    return try #require(WatchConfiguration(Data(text.utf8), name: "watch.json").sources.first)
  }

  @Test("a source has a rate, a priority and a schedule")
  func care() throws {
    let usual = try source("").care
    #expect(usual == SourceCare() && usual.limits(for: []) == .init())
    #expect(try source(#", "rate": "full""#).care.limits(for: []).isFull)
    let care = try source(
      #", "rate": 10, "priority": "high", "schedule": [{"from": "22:00", "to": "06:30"}]"#
    ).care
    #expect(care.rate == .limited(10) && care.limits(for: []).rate == 10)
    #expect(care.priority.weight > usual.priority.weight)
    #expect(care.schedule.count == 1)
  }

  @Test("a source whose rules only ask who is there needs no poses")
  func presence() throws {
    func needsPoses(_ conditions: String) throws -> Bool {
      let text = """
        {"sources": [{"name": "A", "address": "pattern:testsrc2"}], "rules": [\(conditions)],
         "webhook": {"url": "https://example.org"}}
        """
      let configuration = try WatchConfiguration(Data(text.utf8), name: "watch.json")
      return configuration.sources[0].care.limits(for: configuration.rules).needsPoses
    }
    let enters = #"{"when": {"event": "personEnters"}, "then": ["webhook"]}"#
    let nobody = #"{"when": {"event": "nobody", "for": 60}, "then": ["webhook"]}"#
    let fall = #"{"when": {"event": "fall"}, "then": ["webhook"]}"#
    #expect(try !needsPoses("\(enters), \(nobody)"))
    #expect(try needsPoses("\(enters), \(fall)"))
    #expect(try needsPoses(""))
  }

  @Test("a schedule goes over midnight from the days on which it begins")
  func schedule() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    /// A moment of the week that begins on Sunday, 22 November 2026.
    func isScheduled(_ care: SourceCare, day: Int, _ hour: Int, _ minute: Int = 0) -> Bool {
      let start = 1_795_305_600.0
      let date = Date(timeIntervalSince1970: start + Double((day * 24 + hour) * 60 + minute) * 60)
      return care.isScheduled(at: date, in: calendar)
    }
    let night = try source(
      #", "schedule": [{"from": "22:00", "to": "06:30", "days": ["mon", "sat"]}]"#
    ).care
    #expect(isScheduled(night, day: 1, 22) && isScheduled(night, day: 2, 6, 29))
    #expect(!isScheduled(night, day: 2, 6, 30) && !isScheduled(night, day: 2, 22))
    #expect(!isScheduled(night, day: 1, 6) && isScheduled(night, day: 0, 6))
    let day = try source(
      #", "schedule": [{"from": "08:00", "to": "12:00"}, {"from": "13:00", "to": "24:00"}]"#
    ).care
    #expect(isScheduled(day, day: 3, 8) && !isScheduled(day, day: 3, 12))
    #expect(isScheduled(day, day: 3, 23, 59) && !isScheduled(day, day: 4, 0))
    let weekend = try source(#", "schedule": [{"days": ["sat", "sun"]}]"#).care
    #expect(isScheduled(weekend, day: 6, 0) && !isScheduled(weekend, day: 5, 23, 59))
  }

  @Test(
    "what is wrong with a rate, a priority or a schedule is one sentence",
    arguments: [
      (
        #""rate": "fast""#,
        "“rate” takes “auto”, “full”, or a number of frames a second from 0.5 to 60."
      ),
      (
        #""rate": 0"#, "“rate” takes “auto”, “full”, or a number of frames a second from 0.5 to 60."
      ),
      (
        #""rate": true"#,
        "“rate” takes “auto”, “full”, or a number of frames a second from 0.5 to 60."
      ),
      (#""priority": 3"#, "“priority” takes a text."),
      (#""priority": "urgent""#, "“priority” takes one of “low”, “normal”, “high”."),
      (#""schedule": "always""#, "“schedule” takes a list."),
      (
        #""schedule": [{"from": "25:00"}]"#,
        "watch.json, sources[0], schedule[0]: “from” takes a time of day from “00:00” to “24:00”."
      ),
      (#""schedule": [{"to": "8:00"}]"#, "“to” takes a time of day from “00:00” to “24:00”."),
      (#""schedule": [{"from": "08:00", "to": "08:00"}]"#, "“from” and “to” are the same"),
      (#""schedule": [{"days": ["Montag"]}]"#, "“days” takes a list of “sun”, “mon”"),
    ])
  func careMistakes(members: String, expected: String) {
    let text = message(
      #"{"sources": [{"name": "A", "address": "pattern:testsrc2", \#(members)}]}"#)
    #expect(text.contains(expected), "\(text)")
  }
}
