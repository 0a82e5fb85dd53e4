import Foundation
import KinemaErrors
import KinemaStudio
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

  @Test("an error has the kind and the sentence of its message")
  func sentences() {
    let error = StudioError(.wrongState(number: 3, state: .done, order: .more))
    #expect(error.code == .conflict)
    #expect(error.message == "Run 3: done. It cannot be trained for longer.")
    #expect("\(error)" == error.message)
    #expect(
      StudioError(.mediumInUse(file: "a.mp4", items: 1)).message
        == "a.mp4 is used by 1 clip: remove it first.")
    #expect(
      StudioError(.mediumInUse(file: "a.mp4", items: 2)).message
        == "a.mp4 is used by 2 clips: remove them first.")
    #expect(
      StudioError(.notStored(part: .items, reason: "the disk is full.")).message
        == "The clips cannot be stored: the disk is full.")
    #expect(
      RunNote.takesRight(right: 3, takes: 4).sentence.hasPrefix("3 of 4 takes were classified"))
    #expect(StudioMessage.quoted(String(repeating: "x", count: 500)).count == 200)
  }
}
