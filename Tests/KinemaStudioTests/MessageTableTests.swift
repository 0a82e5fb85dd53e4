import Foundation
import KinemaErrors
import KinemaTestSupport
import Testing

/// The names and values that the sources give, against the table of sentences.
@Suite("The sentences of what Kinema reports")
struct MessageTableTests {
  private struct Use {
    var place: String
    var name: String
    var values: Set<String>
    /// Whether values may be added where the text is reported.
    var isPartial: Bool
  }

  private static func sources() throws -> [String: String] {
    let folder = SharedData.packageRoot.appending(path: "Sources")
    var sources: [String: String] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    where path.hasSuffix(".swift") && !path.hasPrefix("KinemaErrors/Messages/") {
      sources[path] = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }
    return sources
  }

  /// The texts that the sources make with literal names.
  private static func uses() throws -> [Use] {
    try sources().flatMap { path, source -> [Use] in
      let isPartial = source.contains(".adding(")
      return source.matches(of: /MessageText\(\s*"(\w+)"/).map { match in
        let values = arguments(in: source, from: match.range.upperBound)
          .matches(of: /"(\w+)":\s/).map { String($0.output.1) }
        return Use(
          place: path, name: String(match.output.1), values: Set(values), isPartial: isPartial)
      }
    }
  }

  /// The arguments of a call, up to its closing parenthesis.
  private static func arguments(in source: String, from start: String.Index) -> Substring {
    var depth = 1
    return source[start...].prefix { character in
      depth += character == "(" ? 1 : character == ")" ? -1 : 0
      return depth > 0
    }
  }

  /// The cases of an enumeration that is reported, with the labels of their values.
  private static func cases(in path: String, prefix: String = "") throws -> [Use] {
    let source = try #require(try sources()[path])
    let end = source.range(of: "\n}\n")?.lowerBound ?? source.endIndex
    return source[..<end].matches(of: /(?m)^  case (\w+)(?:\((.*)\))?$/).map { match in
      let labels = (match.output.2 ?? "").matches(of: /(\w+):\s/).map { String($0.output.1) }
      return Use(
        place: path, name: prefix + String(match.output.1),
        values: Set(labels).subtracting(["text"]), isPartial: false)
    }
  }

  @Test("each name has a sentence, whose values are those that are given")
  func values() throws {
    let cases =
      try Self.cases(in: "KinemaStudio/StudioMessage.swift")
      + Self.cases(in: "KinemaStudio/Runs/RunRecord.swift", prefix: "note.")
    let uses = try Self.uses()
    #expect(cases.count > 30 && uses.count > 150)
    for use in uses + cases {
      guard let template = MessageTable.templates[use.name] else {
        Issue.record("\(use.place): there is no sentence \(use.name)")
        continue
      }
      let names = MessageTable.valueNames(in: template)
      #expect(
        use.isPartial ? use.values.isSubset(of: names) : use.values == names,
        "\(use.place): \(use.name)")
    }
  }

  @Test("what the server answers has a name, by which a page puts it into words")
  func named() throws {
    // The types of other answers, such as `HTTPResponse.failure`, take nothing without one.
    for (path, source) in try Self.sources() where path.hasPrefix("KinemaServer/") {
      for error in source.matches(of: /ServerError\(/) {
        let arguments = Self.arguments(in: source, from: error.range.upperBound)
        let isNamed = arguments.contains(/MessageText\(|[ .]text(?!\w)|reporting:/)
        #expect(isNamed, "\(path): ServerError(\(arguments))")
      }
    }
  }

  @Test("each sentence is used")
  func unused() throws {
    let sources = try Self.sources().values.joined()
    let cases = try Self.cases(in: "KinemaStudio/StudioMessage.swift").map(\.name)
    for name in MessageTable.templates.keys where !name.contains(".") {
      #expect(sources.contains("\"\(name)\"") || cases.contains(name), "\(name)")
    }
  }

  @Test("values stand in a sentence, with the words of their number or meaning")
  func sentence() {
    #expect(MessageText("onlySound", ["file": "a.mp4"]).sentence.hasPrefix("a.mp4 holds sound"))
    let small = MessageText("smallClass", ["label": "run", "count": 1, "least": 5]).sentence
    #expect(small.hasPrefix("“run” has 1 video to learn from: give at least 5,"))
    let unmatched = MessageText("unmatchedClass", ["label": "run", "set": "test"]).sentence
    #expect(unmatched.hasPrefix("“run” is among the testing clips but"))
    #expect(MessageText("ofAnotherVersion").sentence == "ofAnotherVersion")
  }

  @Test("every sentence ends as one")
  func ends() {
    for (name, template) in MessageTable.templates
    where !name.contains(".") || name.hasPrefix("note.") {
      #expect(template.hasSuffix(".") || template.hasSuffix("}"), "\(name)")
    }
  }
}
