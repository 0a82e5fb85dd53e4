import Foundation

/// A JSON object whose members are read one by one; what is wrong with it is one sentence.
struct CheckedObject {
  /// Where it is in its file, such as `watch.json, sources[0]`.
  let place: String
  private let members: [String: Any]

  /// - Parameter known: The names of all members that there can be.
  init(_ value: Any, at place: String, known: [String]) throws(WatchError) {
    guard let members = value as? [String: Any] else {
      throw WatchError(.malformed, "\(place): write an object with \(Self.list(known)).")
    }
    self.place = place
    self.members = members
    if let other = members.keys.sorted().first(where: { !known.contains($0) }) {
      throw WatchError(
        .malformed, "\(place): there is no “\(other)”; there are \(Self.list(known)).")
    }
  }

  var names: Set<String> { Set(members.keys) }

  func error(_ name: String, _ expectation: String) -> WatchError {
    WatchError(.malformed, "\(place): “\(name)” takes \(expectation).")
  }

  func value(_ name: String) -> Any? {
    members[name].flatMap { $0 is NSNull ? nil : $0 }
  }

  /// A text; `$NAME` is the value of an environment variable.
  func text(
    _ name: String, _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(WatchError) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value as? String, !text.isEmpty else { throw error(name, "a text") }
    guard text.hasPrefix("$") else { return text }
    guard let content = environment[String(text.dropFirst())], !content.isEmpty else {
      throw WatchError(
        .malformed, "\(place): “\(name)” is \(text), which is not in the environment; set it.")
    }
    return content
  }

  func required(_ name: String) throws(WatchError) -> String {
    guard let text = try text(name) else { throw error(name, "a text, and is missing") }
    return text
  }

  /// A name as sources, zones and lines have one.
  func name(_ member: String = "name") throws(WatchError) -> String {
    let name = try required(member)
    guard name.count <= 64, name.allSatisfy({ $0.isLetter || $0.isNumber || "-_ ".contains($0) })
    else { throw error(member, "up to 64 letters, digits, spaces, - and _") }
    return name
  }

  /// A readable file of certificates, PEM.
  func authorities(_ name: String) throws(WatchError) -> String? {
    guard let path = try text(name) else { return nil }
    guard let content = try? WatchFile.data(of: URL(filePath: path)),
      content.range(of: Data("-----BEGIN ".utf8)) != nil
    else { throw error(name, "a readable file of certificates in PEM, which \(path) is not") }
    return path
  }

  func flag(_ name: String) throws(WatchError) -> Bool? {
    guard let value = value(name) else { return nil }
    guard let number = value as? NSNumber, Self.isBoolean(number) else {
      throw error(name, "true or false")
    }
    return number.boolValue
  }

  func number(
    _ name: String, within limits: ClosedRange<Double>
  ) throws(WatchError) -> Double? {
    guard let value = value(name) else { return nil }
    guard let number = value as? NSNumber, !Self.isBoolean(number),
      limits.contains(number.doubleValue)
    else {
      throw error(
        name,
        "a number from \(Self.text(limits.lowerBound)) to \(Self.text(limits.upperBound))")
    }
    return number.doubleValue
  }

  func integer(_ name: String, within limits: ClosedRange<Int>) throws(WatchError) -> Int? {
    let range = Double(limits.lowerBound)...Double(limits.upperBound)
    guard let number = try number(name, within: range) else { return nil }
    guard let integer = Int(exactly: number) else { throw error(name, "a whole number") }
    return integer
  }

  func list(_ name: String) throws(WatchError) -> [Any]? {
    guard let value = value(name) else { return nil }
    guard let list = value as? [Any] else { throw error(name, "a list") }
    return list
  }

  /// A finite number of JSON; `nil` for anything else.
  static func number(_ value: Any) -> Double? {
    guard let number = value as? NSNumber, !isBoolean(number), number.doubleValue.isFinite
    else { return nil }
    return number.doubleValue
  }

  static func list(_ names: [String]) -> String {
    names.map { "“\($0)”" }.joined(separator: ", ")
  }

  private static func isBoolean(_ number: NSNumber) -> Bool {
    String(cString: number.objCType) == "c"
  }

  private static func text(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? String(number)
  }
}
