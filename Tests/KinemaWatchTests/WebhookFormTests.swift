import Foundation
import KinemaTestSupport
import KinemaWatch
import Testing

/// What webhooks of other services get.
struct WebhookFormTests {
  private func configuration(_ webhook: String, rule: String = "") throws -> WatchConfiguration {
    let text = """
      {"sources": [{"name": "A", "address": "pattern:testsrc2"}],
       "rules": [{"when": {"event": "fall"}, "then": ["webhook"]\(rule)}],
       "webhook": {"url": "https://example.org/topic"\(webhook)}}
      """
    return try WatchConfiguration(Data(text.utf8), name: "watch.json")
  }

  private func message(
    _ format: String, picture: Data? = nil, source: String = "Küche"
  ) throws -> WebhookForm.Message {
    let webhook = try #require(
      try configuration(#", "format": \#(format)"#).webhooks[.webhook])
    var event = WatchEvent(.fall, at: 1, person: 3)
    event.zones = ["Stove"]
    var announcement = Announcement(event, of: source)
    announcement.picture = picture
    return webhook.form.message(for: try announcement.json)
  }

  @Test("ntfy gets a message with title and priority, and a picture as its attachment")
  func ntfy() throws {
    let plain = try message(#""ntfy""#)
    #expect(String(decoding: plain.body, as: UTF8.self) == "A person fell in Stove")
    #expect(plain.headers["Title"] == "=?UTF-8?B?S8O8Y2hl?=" && plain.headers["Priority"] == "5")
    let picture = Data([0xff, 0xd8, 1, 2])
    let illustrated = try message(#""ntfy""#, picture: picture, source: "Hall")
    #expect(illustrated.body == picture && illustrated.headers["Filename"] == "picture.jpg")
    #expect(illustrated.headers["Message"] == "A person fell in Stove")
    #expect(illustrated.headers["Title"] == "Hall")
  }

  @Test("Slack gets one text, and a template the members of the event that it names")
  func texts() throws {
    #expect(
      try String(decoding: message(#""slack""#).body, as: UTF8.self)
        == #"{"text":"Küche: A person fell in Stove"}"#)
    let template = try message(
      #"{"title": "{source}!", "parts": ["{sentence}", "{person}", "{count}", 7], "x": "{zones}"}"#)
    #expect(
      String(decoding: template.body, as: UTF8.self)
        == #"{"parts":["A person fell in Stove","3","",7],"title":"Küche!","x":"Stove"}"#)
    #expect(template.headers["Content-Type"] == "application/json")
  }

  @Test(
    "what a format has no place for, and headers that are none, are refused",
    arguments: [
      (#", "format": "slack""#, #", "picture": true"#, "has no place for a picture"),
      (#", "format": "slack""#, #", "clip": 5"#, "has no place for a clip"),
      (#", "format": {"a": "{sentence}"}"#, #", "picture": true"#, "has no place for a picture"),
      (#", "format": "teams""#, "", "“format” takes “kinema”, “ntfy”, “slack”, or an object"),
      (#", "headers": {"Content-Length": "3"}"#, "", "“Content-Length” takes a header"),
      (#", "headers": {"X Y": "3"}"#, "", "“X Y” takes a header"),
      (#", "headers": {"X": "a\r\nB: c"}"#, "", "“X” takes a header"),
    ])
  func refused(webhook: String, rule: String, words: String) throws {
    let error = expectError(WatchError.self) { try configuration(webhook, rule: rule) }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  @Test("a template with a place for a picture, and headers, are taken")
  func taken() throws {
    let webhook = try configuration(
      #", "format": {"image": "{picture}"}, "headers": {"Authorization": "Bearer x"}"#,
      rule: #", "picture": true"#
    ).webhooks[.webhook]
    #expect(webhook?.headers == ["Authorization": "Bearer x"])
  }
}
