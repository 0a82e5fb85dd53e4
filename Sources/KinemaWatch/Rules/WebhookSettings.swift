import Foundation

extension WatchConfiguration.Webhook {
  /// The names of headers that can be given: none that the request needs for itself.
  private static let ownHeaders: Set<String> = [
    "content-length", "transfer-encoding", "host", "connection", "expect", "content-type",
  ]

  init(_ value: Any, at place: String) throws(WatchError) {
    let object = try CheckedObject(
      value, at: place, known: ["url", "secret", "ca", "format", "headers"])
    let text = try object.required("url")
    guard let address = URL(string: text), ["http", "https"].contains(address.scheme),
      address.host?.isEmpty == false
    else { throw object.error("url", "an address such as https://example.org/kinema") }
    self.init(
      address: address, form: try Self.form(object), headers: try Self.headers(object),
      secret: try object.text("secret"), authorities: try object.authorities("ca"))
  }

  private static func form(_ webhook: CheckedObject) throws(WatchError) -> WebhookForm {
    guard let value = webhook.value("format") else { return .kinema }
    switch value as? String {
    case "kinema": return .kinema
    case "ntfy": return .ntfy
    case "slack": return .slack
    default: break
    }
    guard value is [String: Any],
      let data = try? JSONSerialization.data(withJSONObject: value)  // An object always can.
    else {
      throw webhook.error(
        "format", "“kinema”, “ntfy”, “slack”, or an object whose texts hold {sentence} and the like"
      )
    }
    return .template(data)
  }

  private static func headers(
    _ webhook: CheckedObject
  ) throws(WatchError) -> [String: String] {
    guard let value = webhook.value("headers") else { return [:] }
    guard let names = (value as? [String: Any])?.keys.sorted() else {
      throw webhook.error("headers", "an object of names and texts")
    }
    let object = try CheckedObject(value, at: "\(webhook.place), headers", known: names)
    var headers: [String: String] = [:]
    for name in names {
      let text = try object.required(name)
      guard name.wholeMatch(of: /[A-Za-z0-9-]+/) != nil, !ownHeaders.contains(name.lowercased()),
        !text.unicodeScalars.contains(where: { $0.value < 32 || $0.value > 126 })
      else {
        throw object.error(name, "a header of letters, digits and -, and a text of ASCII")
      }
      headers[name] = text
    }
    return headers
  }
}

extension WatchConfiguration {
  /// Refuses pictures and clips for receivers whose form has no place for them.
  func checkForms() throws(WatchError) {
    for rule in rules {
      for receiver in rule.receivers.sorted(by: { $0.name < $1.name }) {
        guard let form = webhooks[receiver]?.form else { continue }
        for (name, isGiven, isTaken) in [
          ("picture", rule.hasPicture, form.takesPictures),
          ("clip", rule.clipLength != nil, form.takesClips),
        ] where isGiven && !isTaken {
          throw WatchError(
            .malformed,
            "\(rule.place): the format of “\(receiver.name)” has no place for a \(name); give it a rule "
              + "without one.")
        }
      }
    }
  }
}
