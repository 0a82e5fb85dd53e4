import Kinema
import KinemaFiles
import KinemaReport

struct CountingReport {
  let results: SceneResults

  var summary: RepetitionSummary { results.summary }

  private var entries: [(person: Int?, repetition: Repetition)] {
    results.repetitions.flatMap { own in own.summary.repetitions.map { (own.personID, $0) } }
      .sorted { ($0.1.start, $0.1.end) < ($1.1.start, $1.1.end) }
  }

  func clip(name: String? = nil, label: String? = nil, trueCount: Int? = nil) -> CountPage.Clip {
    CountPage.Clip(
      name: name ?? results.input.name, timeRange: results.timeRange, summary: summary,
      label: label, trueCount: trueCount)
  }
}

// MARK: - JSON

extension CountingReport: SceneReport {
  /// The live count of a person's action, as a line of JSON.
  struct Count: FileReport {
    struct Key: Hashable {
      var person: Int?
      var action: String?
    }

    let time: Double
    let person: Int?
    let action: String?
    let count: Int

    var key: Key { Key(person: person, action: action) }

    var json: JSONObject { ["time": time, "person": person, "action": action, "count": count] }

    static func all(
      in scene: SceneAnalysis, _ step: SceneAnalysis.Step, at time: Double
    ) -> [Count] {
      let isOfEverybody = scene.scope == .everybody
      let ids = isOfEverybody ? scene.personIDs : [scene.prominentID].compactMap(\.self)
      return ids.flatMap { id -> [Count] in
        guard let counter = scene[id]?.counter else { return [] }
        let person = isOfEverybody ? id : nil
        guard scene.plan.classifier != nil else {
          return [Count(time: time, person: person, action: nil, count: counter.count)]
        }
        return counter.counts.sorted { $0.key < $1.key }.map {
          Count(time: time, person: person, action: $0.key, count: $0.value)
        }
      }
    }
  }

  var json: JSONObject {
    let persons = results.repetitions.map { own in
      let entries = own.summary.repetitions.map { (person: Int?.none, repetition: $0) }
      return figures(of: own.summary, entries, person: own.personID)
    }
    return figures(
      of: summary, entries, schema: 1, video: results.input.path,
      persons: results.isOfEverybody ? persons : nil)
  }

  private func figures(
    of summary: RepetitionSummary, _ entries: [(person: Int?, repetition: Repetition)],
    schema: Int? = nil, video: String? = nil, person: Int? = nil, persons: [JSONObject]? = nil
  ) -> JSONObject {
    let start = results.timeRange.map { [["time": $0.lowerBound, "count": 0] as JSONObject] } ?? []
    let points = summary.series.map { ["time": $0.time, "count": $0.count] as JSONObject }
    return [
      "schema": schema, "video": video, "person": person, "persons": persons,
      "count": summary.count, "counts": summary.counts.isEmpty ? nil : summary.counts,
      "attempts": summary.attemptCount, "tempo": JSONObject.orNull(summary.tempo),
      "repetitions": entries.map(Self.line), "series": start + points,
    ]
  }

  private static func line(_ person: Int?, _ repetition: Repetition) -> JSONObject {
    let quality = repetition.quality
    return [
      "person": person, "start": repetition.start, "end": repetition.end,
      "set": repetition.action == nil ? nil : repetition.set,
      "duration": repetition.duration, "action": repetition.action,
      "confidence": repetition.confidence, "movingJoints": quality?.movingJoints.map(\.rawValue),
      "rangeOfMotion": quality?.rangeOfMotion, "bendingJoint": quality?.bendingJoint.rawValue,
      "bend": quality?.bend, "symmetry": quality?.symmetry, "attempt": quality?.isAttempt,
    ]
  }
}

// MARK: - Comma-separated values

extension CountingReport {
  static func csvHeader(isOfEverybody: Bool) -> String {
    "video,repetition,start,end,duration,action,confidence,range,joint,bend,symmetry,attempt"
      + (isOfEverybody ? ",person\n" : "\n")
  }

  var csv: String {
    let lines = entries.enumerated().map { index, entry -> String in
      let person = results.isOfEverybody ? [entry.person.map(String.init) ?? ""] : []
      return CSV.line(cells(of: entry.repetition, number: index + 1) + person)
    }
    return lines.joined()
  }

  private func cells(of repetition: Repetition, number: Int) -> [String] {
    let quality = repetition.quality
    var cells: [String] = [
      results.input.path, "\(number)", repetition.start.fixed(3), repetition.end.fixed(3),
      repetition.duration.fixed(3), repetition.action ?? "",
    ]
    cells.append(repetition.confidence?.fixed(4) ?? "")
    cells.append(quality?.rangeOfMotion.fixed(3) ?? "")
    cells.append(quality?.bendingJoint.rawValue ?? "")
    cells.append(quality?.bend.fixed(1) ?? "")
    cells.append(quality?.symmetry.fixed(3) ?? "")
    cells.append(quality.map { $0.isAttempt ? "yes" : "no" } ?? "")
    return cells
  }
}

// MARK: - For people

extension CountingReport {
  /// How many repetitions, how fast, and each of them.
  var table: String {
    let seconds = results.timeRange.map { $0.upperBound - $0.lowerBound } ?? 0
    var text = "\(results.input.name)  \(seconds.fixed(1)) s\n\n"
    if results.isOfEverybody {
      for own in results.repetitions {
        text += "  Person \(own.personID ?? 0): \(Self.heading(of: own.summary))\n"
      }
      if results.repetitions.isEmpty { text += "  No person is visible.\n" }
    } else {
      text += "  \(Self.heading(of: summary))\n"
    }
    for (action, count) in summary.counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      text += "  \(ActionPrediction.displayName(of: action)): \(count)\n"
    }
    return text + (summary.count > 0 ? "\n\(listing)" : "") + "\n"
  }

  private static func heading(of summary: RepetitionSummary) -> String {
    let (count, attempts) = (summary.count, summary.attemptCount)
    var text = count.counted("repetition")
    if let tempo = summary.tempo { text += ", \(tempo.fixed(0)) a minute" }
    if attempts > 0 {
      text += ", \(attempts) of them \(attempts == 1 ? "an attempt" : "attempts")"
    }
    return text
  }

  private var listing: String {
    let hasActions = !summary.counts.isEmpty
    let person: [(String, TextTable.Alignment)] =
      results.isOfEverybody ? [("person", .right)] : []
    let actionTitles: [(String, TextTable.Alignment)] = [("action", .left), ("likeness", .right)]
    var table = TextTable(
      [("", .right)] + person + [("from", .right), ("to", .right), ("seconds", .right)]
        + (hasActions ? actionTitles : [])
        + [
          ("travel, bodies", .right), ("bend in picture", .left), ("symmetry", .right), ("", .left),
        ])
    for (index, (person, repetition)) in entries.enumerated() {
      let quality = repetition.quality
      let action = [
        repetition.action.map(ActionPrediction.displayName) ?? "–",
        repetition.confidence?.percent ?? "–",
      ]
      var row = ["\(index + 1)"]
      if results.isOfEverybody { row.append(person.map(String.init) ?? "") }
      row += [repetition.start.fixed(1), repetition.end.fixed(1), repetition.duration.fixed(2)]
      if hasActions { row += action }
      row.append(quality?.rangeOfMotion.fixed(2) ?? "")
      row.append(
        quality.map { "\($0.bend.fixed(0))° \(Self.words($0.bendingJoint.rawValue))" } ?? "")
      row.append(quality?.symmetry.percent ?? "")
      row.append(quality?.isAttempt == true ? "attempt" : "")
      table.add(row)
    }
    return table.text
  }

  /// A name in camel case as words: `leftKnee` is `left knee`.
  private static func words(_ name: String) -> String {
    name.map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined()
  }
}
