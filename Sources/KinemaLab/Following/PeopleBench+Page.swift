package import KinemaReport

extension PeopleBench.Report {
  /// Who had which id over time, scene by scene.
  package var page: TrackPage {
    let (metrics, returns) = (overall.tracking, overall.returns)
    var tiles = [
      ("HOTA", metrics.hota.percent, "detection and association"),
      ("IDF1", metrics.idf1.percent, "identities over whole scenes"),
      ("MOTA", metrics.mota.percent, "ID switches: \(metrics.idSwitches)"),
      ("Recall", overall.found.percent, "of people at least half visible"),
      ("Switches", "\(overall.swaps)", overall.splits.counted("fragmentation")),
    ]
    if returns.returns > 0 {
      tiles.append(
        (
          "Regained", "\(returns.regained)",
          "of \(returns.returns) who returned; \(returns.taken) "
            + "got another’s id"
        ))
    }
    return TrackPage(
      scenes.enumerated().map { index, scene in scene.drawn(number: index + 1) }, tiles: tiles)
  }
}

extension FollowingBenchmark.Scene {
  fileprivate func drawn(number: Int) -> TrackPage.Scene {
    let note =
      "HOTA \(tracking.hota.percent) · IDF1 \(tracking.idf1.percent) · switches: \(score.count(.swap)) · "
      + "fragmentations: \(score.count(.split))"
    return TrackPage.Scene(
      name: "Scene \(number): \(kind == "hands" ? kind : "\(kind), \(personCount) people")",
      note: note,
      times: (record.frames.first?.time ?? 0)...(record.frames.last?.time ?? 0),
      rows: Set(record.frames.flatMap(\.people)).sorted().map(row))
  }

  private func row(_ person: Int) -> TrackPage.Row {
    /// The longest time between two frames of a span.
    let step = 1.5 / frameRate
    var spans: [TrackPage.Span] = []
    for frame in record.frames {
      guard let index = frame.people.firstIndex(of: person) else { continue }
      let kind: TrackPage.Span.Kind =
        frame.found[index].map { .found(id: $0) } ?? (frame.isVisible[index] ? .missed : .occluded)
      if let last = spans.last, frame.time - last.times.upperBound <= step {
        spans[spans.count - 1].times = last.times.lowerBound...frame.time
        if last.kind == kind { continue }
      }
      spans.append(.init(kind, frame.time...frame.time))
    }
    return TrackPage.Row(
      name: "\(person)", spans: spans,
      marks: score.mishaps.filter { $0.person == person }.map {
        .init(time: $0.time, isSwap: $0.kind == .swap)
      })
  }
}
