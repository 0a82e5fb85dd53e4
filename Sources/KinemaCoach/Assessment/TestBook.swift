package import Foundation

/// The definitions of tests, as JSON that people can read and change: `Resources/Tests.json`.
package struct TestBook: Sendable {
  /// The tests by their names, such as `chair-stand-30s`.
  package private(set) var tests: [String: MotionTest] = [:]

  /// Reads definitions; throws ``CoachError``.
  package init(contentsOf url: URL) throws(CoachError) {
    try self.init(CoachFile.tests.data(at: url), name: url.lastPathComponent)
  }

  /// Reads definitions; `name` is what errors call the file.
  package init(_ data: Data, name: String) throws(CoachError) {
    let value = try CoachFile.value(of: data, name: name)
    guard let entries = value as? [String: [String: Any]], !entries.isEmpty else {
      throw CoachError(
        .malformed, "\(name) should be an object with the definition of each test by its name.")
    }
    for (id, entry) in entries.sorted(by: { $0.key < $1.key }) {
      tests[id] = try MotionTest(TestEntry(entry, at: "\(name), \(id)"), id: id)
    }
  }

  /// The test of a name.
  package func test(_ id: String) throws(CoachError) -> MotionTest {
    guard let test = tests[id] else {
      throw CoachError(
        .noRules,
        "There is no test \(id); there are \(tests.keys.sorted().joined(separator: ", ")).")
    }
    return test
  }
}

/// The members of a definition that have not been read yet.
private struct TestEntry {
  private var members: [String: Any]
  let place: String

  init(_ members: [String: Any], at place: String) { (self.members, self.place) = (members, place) }

  mutating func text(_ name: String) throws(CoachError) -> String {
    guard let text = members.removeValue(forKey: name) as? String, !text.isEmpty else {
      throw CoachError(.malformed, "\(place): “\(name)” is a text and is missing.")
    }
    return text
  }

  mutating func number(
    _ name: String, _ limits: ClosedRange<Double>
  ) throws(CoachError) -> Double? {
    guard let value = members.removeValue(forKey: name) else { return nil }
    guard let number = value as? Double, limits.contains(number) else {
      throw CoachError(
        .malformed,
        "\(place): “\(name)” is a number from \(limits.lowerBound) to \(limits.upperBound).")
    }
    return number
  }

  mutating func word<Word: RawRepresentable & CaseIterable>(
    _ name: String, _: Word.Type
  ) throws(CoachError) -> Word? where Word.RawValue == String {
    guard let value = members.removeValue(forKey: name) else { return nil }
    guard let word = (value as? String).flatMap(Word.init(rawValue:)) else {
      let known = Word.allCases.map { "“\($0.rawValue)”" }.joined(separator: ", ")
      throw CoachError(.malformed, "\(place): “\(name)” is one of \(known).")
    }
    return word
  }

  mutating func object(_ name: String) throws(CoachError) -> [String: Any] {
    guard let value = members.removeValue(forKey: name) else { return [:] }
    guard let object = value as? [String: Any] else {
      throw CoachError(.malformed, "\(place): “\(name)” is an object.")
    }
    return object
  }

  mutating func entries(_ name: String) throws(CoachError) -> [TestEntry] {
    guard let value = members.removeValue(forKey: name) else { return [] }
    guard let objects = value as? [[String: Any]] else {
      throw CoachError(.malformed, "\(place): “\(name)” is a list of objects.")
    }
    return objects.map { TestEntry($0, at: "\(place), \(name)") }
  }

  /// Refuses what nobody has read.
  func finish() throws(CoachError) {
    guard members.isEmpty else {
      throw CoachError(
        .malformed,
        "\(place): \(members.keys.sorted().map { "“\($0)”" }.joined(separator: ", ")) "
          + "means nothing here; see docs/assess.md.")
    }
  }
}

extension MotionTest {
  fileprivate init(_ entry: TestEntry, id: String) throws(CoachError) {
    var entry = entry
    self.id = id
    name = try entry.text("name")
    guard let measure = try entry.word("measure", Measure.self) else {
      throw CoachError(.malformed, "\(entry.place): “measure” is missing.")
    }
    self.measure = measure
    instructions = try entry.text("do")
    film = try entry.text("film")
    source = try entry.text("source")
    stands = try entry.number("stands", 1...100).flatMap { Int(exactly: $0) }
    seconds = try entry.number("seconds", 1...3600)
    metres = try entry.number("metres", 1...1000)
    joint = try entry.word("joint", JointAngle.self)
    plane = try entry.word("plane", Plane.self)
    // Knees at right angles put the hips at about half of the length of the legs, a high stool at two
    // thirds; knees bent by 45° at 0.92.
    standing = try entry.number("standing", 50...100).map { $0 / 100 } ?? 0.92
    seated = try entry.number("seated", 10...90).map { $0 / 100 } ?? 0.75
    lift = try entry.number("lift", 1...50).map { $0 / 100 } ?? 0.08
    var (checks, limits): ([String: Rule.Limits], [String: String]) = ([:], [:])
    for (name, text) in try entry.object("checks") {
      guard let text = text as? String,
        let limit = Rule.Limits(text, in: .degrees) ?? Rule.Limits(text, in: .percent)
      else {
        throw CoachError(
          .malformed, "\(entry.place), \(name): write a limit such as “below 90°” or “above 80 %”.")
      }
      (checks[name], limits[name]) = (limit, text)
    }
    (self.checks, self.limits) = (checks, limits)
    var references: [Reference] = []
    for reference in try entry.entries("references") { references.append(try Reference(reference)) }
    self.references = references
    try entry.finish()
    guard seated < standing else {
      throw CoachError(.malformed, "\(entry.place): “seated” is below “standing”.")
    }
    guard measure != .chairStands || stands != nil || seconds != nil else {
      throw CoachError(.malformed, "\(entry.place): write “stands” or “seconds”.")
    }
    guard measure != .range || joint != nil else {
      throw CoachError(.malformed, "\(entry.place): “joint” is missing.")
    }
  }
}

extension MotionTest.Reference {
  fileprivate init(_ entry: TestEntry) throws(CoachError) {
    var entry = entry
    of = try entry.text("of")
    note = try entry.text("note")
    everybody = try entry.number("value", 0...1e6)
    var bySex: [MotionTest.Sex: [(ages: ClosedRange<Int>, value: Double)]] = [:]
    for sex in MotionTest.Sex.allCases {
      for (text, value) in try entry.object(sex.rawValue) {
        let ages = text.split(separator: "-").compactMap { Int($0) }
        guard ages.count == 2, ages[0] <= ages[1], let value = value as? Double else {
          throw CoachError(
            .malformed, "\(entry.place): write ages with a number, such as \"60-64\": 12.")
        }
        bySex[sex, default: []].append((ages[0]...ages[1], value))
      }
    }
    self.bySex = bySex
    try entry.finish()
  }
}
