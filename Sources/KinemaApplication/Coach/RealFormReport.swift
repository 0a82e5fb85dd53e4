import Foundation
import KinemaCoach
import KinemaLab
import KinemaReport

/// What `kinema coach` says about real clips with labels.
struct RealFormReport: BenchReport {
  struct Cue: Encodable {
    var file, exercise, cue: String
    var start: Double
    /// What is labelled at the time; empty where nothing is.
    var labels: [String]
  }

  var schema = 1
  /// Clips with a fault that their maker marks, of an exercise that has rules, and those of them in which it
  /// got a cue.
  var markedFaults = 0
  var cuedFaults = 0
  /// Repetitions of exercises with rules under the right name, and those of them that were evaluated.
  var repetitions = 0
  var evaluated = 0
  /// Cues where no fault is marked, and cues for another movement.
  var cuesOfUnmarked: [Cue] = []
  var cuesUnderWrongNames: [Cue] = []

  mutating func add(_ clip: LabelledClips.Clip, _ report: CoachReport, _ rulebook: Rulebook) {
    var isCued = false
    for entry in report.entries where entry.hasRules {
      let middle = (entry.start + entry.end) / 2
      let segments = clip.segments.filter { $0.timeRange.contains(middle) }
      let own = segments.filter { $0.label == entry.label }
      if !own.isEmpty {
        repetitions += 1
        evaluated += [.good, .fault, .borderline].contains(entry.verdict) ? 1 : 0
      }
      guard let text = entry.cue else { continue }
      let cue = Cue(
        file: clip.file, exercise: entry.label, cue: text, start: entry.start,
        labels: segments.map(\.label))
      if own.isEmpty, !segments.isEmpty {
        cuesUnderWrongNames.append(cue)
      } else if own.contains(where: \.hasMarkedFault) {
        isCued = true
      } else {
        cuesOfUnmarked.append(cue)
      }
    }
    let isMarked = clip.segments.contains {
      $0.hasMarkedFault && rulebook.exercises[$0.label] != nil
    }
    markedFaults += isMarked ? 1 : 0
    cuedFaults += isCued ? 1 : 0
  }

  var table: String {
    var table = TextTable([("", .left), ("", .right)])
    table.add(["clips with a marked fault", "\(markedFaults)"])
    table.add(["… in which it gets a cue", "\(cuedFaults)"])
    table.add(["repetitions under the right name", "\(repetitions)"])
    table.add(["… evaluated", "\(evaluated)"])
    table.add(["cues where no fault is marked", "\(cuesOfUnmarked.count)"])
    table.add(["cues for another movement", "\(cuesUnderWrongNames.count)"])
    return table.text + Self.list("No fault is marked", cuesOfUnmarked)
      + Self.list("Another movement", cuesUnderWrongNames)
  }

  private static func list(_ title: String, _ cues: [Cue]) -> String {
    cues.map { cue in
      "  \(title): \(cue.file), \(cue.start.fixed(1)) s, \(cue.exercise)"
        + "\(cue.labels.isEmpty ? "" : " (\(cue.labels.joined(separator: ", ")))"): \(cue.cue)\n"
    }.joined()
  }
}
