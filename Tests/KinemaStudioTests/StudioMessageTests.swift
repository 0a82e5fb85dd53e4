import Foundation
import KinemaErrors
import KinemaStudio
import KinemaTestSupport
import Testing

@Suite("What Studio reports")
struct StudioMessageTests {
  @Test("a message is sent by its name with its values, and read again")
  func json() throws {
    let messages: [StudioMessage] = [
      .noFolders, .noRun(number: "3"), .wrongState(number: 3, state: .done, order: .more),
      .notStored(part: .items, reason: "the disk is full."),
      .noEvaluation(number: 2, well: .testing),
      .badData(
        reason: "a.mp4 holds sound but no video.",
        text: MessageText("onlySound", ["file": "a.mp4"])),
    ]
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let texts = try messages.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
    #expect(
      texts == [
        #"{"noFolders":{}}"#, #"{"noRun":{"number":"3"}}"#,
        #"{"wrongState":{"number":3,"order":"more","state":"done"}}"#,
        #"{"notStored":{"part":"items","reason":"the disk is full."}}"#,
        #"{"noEvaluation":{"number":2,"well":"testing"}}"#,
        #"{"badData":{"reason":"a.mp4 holds sound but no video.","#
          + #""text":{"onlySound":{"file":"a.mp4"}}}}"#,
      ])
    for (message, text) in zip(messages, texts) {
      #expect(try JSONDecoder().decode(StudioMessage.self, from: Data(text.utf8)) == message)
    }
    // As earlier versions stored it.
    let old = Data(#"{"failed":{"reason":"the disk is full."}}"#.utf8)
    #expect(
      try JSONDecoder().decode(StudioMessage.self, from: old)
        == .failed(reason: "the disk is full.", text: nil))
  }

  /// What programs sent wrongly.
  private static let withoutText: Set<String> = ["badBody", "badValue", "longChunk", "emptyChunk"]

  /// Of all pages, and of Studio's alone.
  private static let tables = ["shared/messages.js", "studio/messages.js"]

  private func file(_ path: String) throws -> String {
    try String(contentsOf: SharedData.packageRoot.appending(path: path), encoding: .utf8)
  }

  @Test("each message of Studio that a page can show has a text there")
  func texts() throws {
    let source = try file("Sources/KinemaStudio/StudioMessage.swift")
    let tables = try Self.tables.map { try file("Resources/Web/\($0)") }.joined()
    let names = source.matches(of: /\n  case (\w+)/).map { String($0.output.1) }
    #expect(names.count > 50)
    let missing = names.filter {
      !tables.contains("\"error.\($0)\":") && !Self.withoutText.contains($0)
    }
    #expect(missing.isEmpty)
  }

  @Test("each message that a module gives a name has a text in the pages, once")
  func namedTexts() throws {
    let sources = SharedData.packageRoot.appending(path: "Sources")
    let tables = try Self.tables.map { try file("Resources/Web/\($0)") }
    var count = 0
    for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    where path.hasSuffix(".swift") {
      // Those of data and trainings are met in Studio only.
      let isOfStudio = path.hasPrefix("KinemaTraining") || path.hasPrefix("KinemaStudio")
      for match in try file("Sources/\(path)").matches(of: /MessageText\(\s*"(\w+)"/) {
        let key = "\"error.\(match.output.1)\":"
        let places = tables.indices.filter { tables[$0].contains(key) }
        #expect(places == [0] || isOfStudio && places == [1], "\(path): \(match.output.1)")
        count += 1
      }
    }
    #expect(count > 150)
  }

  @Test("an error has the kind and the sentence of its message")
  func sentences() {
    let error = StudioError(.wrongState(number: 3, state: .done, order: .more))
    #expect(error.code == .conflict)
    #expect(error.message == "Run 3 is done: it cannot be trained for longer.")
    #expect("\(error)" == error.message)
    #expect(
      StudioError(.mediumInUse(file: "a.mp4", items: 1)).message
        == "a.mp4 is used by 1 item: remove it first.")
    #expect(StudioMessage.quoted(String(repeating: "x", count: 500)).count == 200)
  }
}
