import Foundation
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
      ])
    for (message, text) in zip(messages, texts) {
      #expect(try JSONDecoder().decode(StudioMessage.self, from: Data(text.utf8)) == message)
    }
  }

  /// What programs sent wrongly, and reasons that are passed on.
  private static let withoutText: Set<String> = [
    "badBody", "badValue", "badParameters", "longChunk", "emptyChunk", "noLayout", "badData",
    "missingPart",
  ]

  @Test("each message that a page can show has a text there")
  func texts() throws {
    let root = SharedData.packageRoot
    let source = try String(
      contentsOf: root.appending(path: "Sources/KinemaStudio/StudioMessage.swift"), encoding: .utf8)
    let page = try String(
      contentsOf: root.appending(path: "Resources/Web/studio/messages.js"), encoding: .utf8)
    let names = source.matches(of: /\n  case (\w+)/).map { String($0.output.1) }
    #expect(names.count > 50)
    let missing = names.filter {
      !page.contains("\"error.\($0)\":") && !Self.withoutText.contains($0)
    }
    #expect(missing.isEmpty)
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
