import Foundation
import KinemaServer
import Testing

@Suite("Challenge")
struct ChallengeTests {
  /// Updates ten times a second, from just after one time to another.
  private func run(
    _ challenge: inout Challenge, _ action: String?, from start: Double, to end: Double,
    counts: [String: Int] = [:]
  ) {
    for step in 1...Int(((end - start) * 10).rounded()) {
      challenge.update(action: action, counts: counts, at: start + Double(step) / 10)
    }
  }

  private func seconds(_ label: String, _ seconds: Double) -> ChallengeItem {
    ChallengeItem(label: label, seconds: seconds)
  }

  private func repetitions(_ label: String, _ count: Int) -> ChallengeItem {
    ChallengeItem(label: label, repetitions: count)
  }

  @Test("it waits until the action starts, and only then counts seconds")
  func waits() throws {
    var challenge = try Challenge(items: [seconds("squats", 3)])
    #expect(challenge.state == .waiting)
    run(&challenge, nil, from: 0, to: 5)
    run(&challenge, "lunges", from: 5, to: 8)
    #expect(challenge.state == .waiting)
    #expect(challenge.progress[0].doneSeconds == 0)
    challenge.update(action: "squats", counts: [:], at: 8.1)
    #expect(challenge.state == .running)
    run(&challenge, "squats", from: 8.1, to: 10.1)
    #expect(abs(challenge.progress[0].doneSeconds - 2) < 1e-9)
    run(&challenge, "squats", from: 10.1, to: 11.1)
    #expect(challenge.state == .finished)
    #expect(challenge.progress[0].state == .done)
    #expect(challenge.progress[0].doneSeconds == 3)
    #expect(challenge.index == 0)
  }

  @Test("time stands still while something else is done; only after a second it shows")
  func pauses() throws {
    var challenge = try Challenge(items: [seconds("squats", 10)])
    run(&challenge, "squats", from: 0, to: 2)
    let before = challenge.progress[0].doneSeconds
    challenge.update(action: nil, counts: [:], at: 2.1)
    challenge.update(action: nil, counts: [:], at: 2.9)
    #expect(challenge.state == .running)
    challenge.update(action: "squats", counts: [:], at: 3)
    #expect(challenge.state == .running)
    // The tenth of a second up to the update that said something else.
    #expect(abs(challenge.progress[0].doneSeconds - before - 0.1) < 1e-9)
    run(&challenge, "lunges", from: 3, to: 4.2)
    #expect(challenge.state == .paused)
    run(&challenge, "squats", from: 4.2, to: 4.3)
    #expect(challenge.state == .running)
  }

  @Test("repetitions are those since the item's turn came, done in any state")
  func countsRepetitions() throws {
    var challenge = try Challenge(items: [repetitions("squats", 3), repetitions("squats", 2)])
    challenge.update(action: "lunges", counts: ["squats": 40], at: 0)
    #expect(challenge.progress[0].doneRepetitions == 0)
    challenge.update(action: "squats", counts: ["squats": 41, "lunges": 7], at: 1)
    challenge.update(action: nil, counts: ["squats": 42, "lunges": 7], at: 2)
    #expect(challenge.progress[0].doneRepetitions == 2)
    challenge.update(action: nil, counts: ["squats": 44, "lunges": 7], at: 3)
    // One too many: it is not carried over.
    #expect(challenge.progress.map(\.doneRepetitions) == [3, 0])
    #expect(challenge.progress.map(\.state) == [.done, .active])
    #expect(challenge.state == .waiting)
    challenge.update(action: nil, counts: ["squats": 45], at: 4)
    #expect(challenge.state == .paused)
    challenge.update(action: "squats", counts: ["squats": 46], at: 5)
    #expect(challenge.state == .finished)
  }

  @Test("the next item runs at once where its action is already being done")
  func goesOn() throws {
    var challenge = try Challenge(
      items: [seconds("squats", 1), seconds("squats", 1), seconds("lunges", 1)])
    run(&challenge, "squats", from: 0, to: 1.1)
    #expect(challenge.index == 1)
    #expect(challenge.state == .running)
    run(&challenge, "squats", from: 1.1, to: 2.2)
    #expect(challenge.index == 2)
    #expect(challenge.state == .waiting)
  }

  @Test("sets take turns with rests between them, which end by time, by the next set or by a skip")
  func sets() throws {
    let item = ChallengeItem(label: "squats", repetitions: 2, sets: 4, rest: 10)
    var challenge = try Challenge(items: [item])
    #expect(challenge.progress.map(\.set) == [1, 2, 3, 4])
    challenge.update(action: "squats", counts: ["squats": 0], at: 0)
    challenge.update(action: "squats", counts: ["squats": 2], at: 1)
    #expect(challenge.state == .resting && challenge.index == 1)
    // What is still counted of the first set is not the second one's.
    challenge.update(action: "squats", counts: ["squats": 3], at: 2)
    #expect(challenge.message.rest?.left == 9)
    run(&challenge, nil, from: 2, to: 10.9, counts: ["squats": 3])
    #expect(challenge.state == .resting)
    run(&challenge, nil, from: 10.9, to: 11.2, counts: ["squats": 3])
    #expect(challenge.state == .waiting && challenge.message.rest == nil)
    challenge.update(action: "squats", counts: ["squats": 5], at: 12)
    #expect(challenge.state == .resting && challenge.index == 2)
    // The next set begins before the rest is over.
    run(&challenge, nil, from: 12, to: 14, counts: ["squats": 5])
    challenge.update(action: "squats", counts: ["squats": 6], at: 14.1)
    #expect(challenge.state == .running && challenge.progress[2].doneRepetitions == 1)
    challenge.update(action: "squats", counts: ["squats": 7], at: 15)
    challenge.skip(at: 15.5)
    #expect(challenge.state == .waiting && challenge.index == 3)
    #expect(challenge.progress[3].state == .active)
    challenge.update(action: "squats", counts: ["squats": 9], at: 16)
    // No rest after the last set.
    #expect(challenge.state == .finished)
  }

  @Test("a restarted counter takes nothing away, a correction adds nothing")
  func counterRestarts() throws {
    var challenge = try Challenge(items: [repetitions("squats", 10)])
    for (time, count) in [0, 1, 2, 3, 4, 5].enumerated() {
      challenge.update(action: "squats", counts: ["squats": count], at: Double(time))
    }
    challenge.update(action: "squats", counts: ["squats": 4], at: 6)
    challenge.update(action: "squats", counts: ["squats": 5], at: 7)
    #expect(challenge.progress[0].doneRepetitions == 5)
    // Another person, whose counts begin at nothing.
    challenge.update(action: "squats", counts: [:], at: 8)
    #expect(challenge.progress[0].doneRepetitions == 5)
    challenge.update(action: "squats", counts: ["squats": 1], at: 9)
    #expect(challenge.progress[0].doneRepetitions == 6)
  }

  @Test("gaps without pictures and time that runs backwards count nothing")
  func gaps() throws {
    var challenge = try Challenge(items: [seconds("squats", 10)])
    challenge.update(action: "squats", counts: [:], at: 0)
    challenge.update(action: "squats", counts: [:], at: 30)
    challenge.update(action: "squats", counts: [:], at: 5)
    #expect(challenge.progress[0].doneSeconds == 0)
    challenge.update(action: "squats", counts: [:], at: 5.5)
    #expect(challenge.progress[0].doneSeconds == 0.5)
    challenge.update(action: nil, counts: [:], at: 6)
    challenge.update(action: nil, counts: [:], at: 1)
    #expect(challenge.state == .running)
    challenge.update(action: nil, counts: [:], at: 2)
    #expect(challenge.state == .paused)
  }

  @Test("an item can be skipped; the last one's skip ends the challenge")
  func skips() throws {
    var challenge = try Challenge(items: [repetitions("squats", 5), repetitions("lunges", 1)])
    challenge.update(action: "squats", counts: ["squats": 1, "lunges": 3], at: 0)
    challenge.update(action: "squats", counts: ["squats": 3, "lunges": 3], at: 1)
    challenge.skip(at: 1.5)
    #expect(challenge.progress[0].state == .skipped)
    #expect(challenge.progress[0].doneRepetitions == 2)
    #expect(challenge.state == .waiting)
    challenge.update(action: "squats", counts: ["squats": 4, "lunges": 3], at: 2)
    #expect(challenge.progress[1].doneRepetitions == 0)
    challenge.skip(at: 3)
    #expect(challenge.state == .finished)
    let end = challenge.message
    challenge.skip(at: 4)
    challenge.update(action: "lunges", counts: ["lunges": 9], at: 5)
    #expect(challenge.message == end)
  }

  @Test("its message is that of the protocol")
  func message() throws {
    var item = ChallengeItem(label: "squats", text: "Squats", repetitions: 10)
    var challenge = try Challenge(items: [item])
    challenge.update(action: "squats", counts: [:], at: 0)
    challenge.update(action: "squats", counts: ["squats": 3], at: 0.75)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(
      String(decoding: try encoder.encode(challenge.message), as: UTF8.self)
        == #"{"index":0,"items":[{"doneRepetitions":3,"doneSeconds":0.7,"label":"squats","#
        + #""repetitions":10,"seconds":null,"set":1,"sets":1,"state":"active","text":"Squats","#
        + #""weight":null}],"rest":null,"state":"running","type":"challenge"}"#)
    #expect(
      String(decoding: try encoder.encode(Challenge.Message.idle), as: UTF8.self)
        == #"{"index":0,"items":[],"rest":null,"state":"idle","type":"challenge"}"#)
    item = try JSONDecoder().decode(
      ChallengeItem.self, from: Data(#"{"label":"lunges","seconds":30}"#.utf8))
    #expect(item == ChallengeItem(label: "lunges", seconds: 30))
  }

  @Test(
    "what cannot be done is refused",
    arguments: [
      [], Array(repeating: ChallengeItem(label: "a", repetitions: 1), count: 51),
      [ChallengeItem(label: "", repetitions: 1)], [ChallengeItem(label: "a")],
      [ChallengeItem(label: "a", repetitions: 1, seconds: 1)],
      [ChallengeItem(label: "a", repetitions: 0)], [ChallengeItem(label: "a", repetitions: -3)],
      [ChallengeItem(label: "a", repetitions: 10_001)], [ChallengeItem(label: "a", seconds: 0)],
      [ChallengeItem(label: "a", seconds: .nan)], [ChallengeItem(label: "a", seconds: .infinity)],
      [ChallengeItem(label: String(repeating: "a", count: 201), seconds: 1)],
      [ChallengeItem(label: "b", seconds: 1)], [ChallengeItem(label: "a", seconds: 1, sets: 0)],
      [ChallengeItem(label: "a", seconds: 1, rest: -1)],
      [ChallengeItem(label: "a", seconds: 1, weight: 0)],
      Array(repeating: ChallengeItem(label: "a", repetitions: 1, sets: 20), count: 6),
    ])
  func refusals(items: [ChallengeItem]) {
    #expect {
      try Challenge(items: items, among: ["a", String(repeating: "a", count: 201)])
    } throws: { ($0 as? ServerError)?.code == .badRequest }
  }
}
