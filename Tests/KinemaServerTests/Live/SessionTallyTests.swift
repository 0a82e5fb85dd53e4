import Foundation
import KinemaCounting
import KinemaServer
import Testing

@Suite("The totals of a session")
struct SessionTallyTests {
  private static let squats = moment("squats", isModelLabel: true)
  private static let nobody = moment("No Person")

  private static func moment(_ label: String, isModelLabel: Bool = false) -> SessionTally.Moment {
    var moment = SessionTally.unlabelled
    (moment.label, moment.text, moment.isModelLabel) = (label, label.capitalized, isModelLabel)
    return moment
  }

  private func seconds(of tally: SessionTally) -> [String: Double] {
    Dictionary(uniqueKeysWithValues: tally.sortedEntries.map { ($0.label, $0.seconds) })
  }

  @Test("the time between two frames counts for the action at the first; gaps do not count")
  func times() {
    var tally = SessionTally()
    tally.add(Self.squats, gains: [:], at: 10)
    tally.add(Self.squats, gains: [:], at: 10.25)
    tally.add(Self.nobody, gains: [:], at: 10.5)
    tally.add(Self.squats, gains: [:], at: 10.75)
    tally.add(Self.squats, gains: [:], at: 20)
    tally.add(Self.squats, gains: [:], at: 20.5)
    #expect(seconds(of: tally) == ["squats": 1, "No Person": 0.25])
    #expect(tally.duration == 10.5)
    #expect(tally.timeline.map(\.start) == [0, 0.5, 0.75, 10])
    #expect(tally.timeline.map(\.end) == [0.5, 0.75, 0.75, 10.5])
  }

  @Test("repetitions are added to their action and its newest stretch, also after it ended")
  func repetitions() {
    var tally = SessionTally()
    tally.add(Self.squats, gains: [Self.squats: 2], at: 0)
    tally.add(Self.nobody, gains: [Self.squats: 1], at: 0.1)
    #expect(tally.counts["squats"] == 3)
    #expect(tally.timeline.map(\.repetitions) == [3, 0])
  }

  @Test("another name of a set takes its repetitions and stretches, and totals stay")
  func revision() {
    let lunges = Self.moment("lunges", isModelLabel: true)
    var tally = SessionTally()
    tally.add(Self.squats, gains: [Self.squats: 2], at: 0)
    tally.add(lunges, gains: [:], at: 0.25)
    tally.add(lunges, gains: [lunges: 3], at: 0.5)
    tally.revise(SetRevision(set: 2, from: "lunges", to: "squats", start: 0.2, repetitions: 3))
    tally.add(Self.squats, gains: [:], at: 0.75)
    #expect(tally.counts == ["squats": 5])
    #expect(seconds(of: tally) == ["squats": 0.75])
    #expect(tally.timeline.map(\.label) == ["squats", "squats"])
    #expect(tally.timeline.map(\.repetitions) == [2, 3])
  }

  @Test("without a classifier, rest has no stretch, and repetitions have one name")
  func unlabelled() {
    var tally = SessionTally()
    tally.add(nil, gains: [:], at: 0)
    tally.add(SessionTally.unlabelled, gains: [SessionTally.unlabelled: 1], at: 0.25)
    tally.add(nil, gains: [:], at: 0.5)
    #expect(seconds(of: tally) == ["repetitions": 0.25] && tally.counts == ["repetitions": 1])
    #expect(tally.timeline.map(\.start) == [0.25])
  }

  @Test("the oldest stretches are dropped above a limit, their time is not")
  func limit() {
    var tally = SessionTally()
    for index in 0...SessionTally.maximumStretchCount {
      let moment = index.isMultiple(of: 2) ? Self.squats : Self.nobody
      tally.add(moment, gains: [:], at: Double(index) * 0.25)
    }
    #expect(tally.timeline.count == SessionTally.maximumStretchCount)
    #expect(tally.timeline.first?.start == 0.25)
    #expect(seconds(of: tally)["squats"] == Double(SessionTally.maximumStretchCount) / 8)
  }
}
