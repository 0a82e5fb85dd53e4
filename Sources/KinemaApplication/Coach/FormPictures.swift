import Foundation
import Kinema
import KinemaCoach
import KinemaReport

/// The page of `kinema coach`: pictures are decoded again, those of turning points only.
enum FormPictures {
  private static let quality = 70

  static func page(of reports: [CoachReport]) async throws -> FormPage {
    var clips: [FormPage.Clip] = []
    for report in reports {
      let pictures = try await pictures(of: report)
      clips.append(
        FormPage.Clip(
          name: report.input.name,
          repetitions: report.entries.enumerated().map { index, entry in
            repetition(
              index + 1, entry, in: report, picture: entry.form.flatMap { pictures[$0.turn] })
          }))
    }
    let rules = reports.flatMap(\.entries).compactMap(\.form).flatMap(\.findings).map(\.rule)
    return FormPage(clips, sources: Set(rules.compactMap(\.source)).sorted())
  }

  private static func repetition(
    _ number: Int, _ entry: CoachReport.Entry, in report: CoachReport, picture: Data?
  ) -> FormPage.Repetition {
    let turn = entry.form?.turn ?? (entry.start + entry.end) / 2
    let pose = report.frames.min { abs($0.time - turn) < abs($1.time - turn) }?.pose
    let values = entry.form?.findings.map { finding in
      FormPage.Value(
        name: entry.form?.title(of: finding) ?? finding.rule.measure.name,
        value: finding.reading.estimate.map { finding.rule.measure.unit.text($0.value) } ?? "–",
        limit: finding.rule.limit, verdict: verdict(finding.verdict))
    }
    let differences = entry.differences?.map {
      FormPage.Value(name: $0.text, value: "", limit: "", verdict: .fault)
    }
    return FormPage.Repetition(
      title: "\(number). \(ActionPrediction.displayName(of: entry.label))",
      times: entry.start...max(entry.start, entry.end),
      cue: entry.cue ?? (entry.isGood ? nil : entry.words),
      verdict: entry.verdict == .good && !entry.isGood ? .partly : verdict(entry.verdict),
      values: (values ?? []) + (differences ?? []),
      picture: SkeletonPicture(
        jpeg: picture, aspectRatio: Double(report.aspectRatio), pose: pose))
  }

  private static func verdict(_ verdict: RepetitionForm.Verdict) -> FormPage.Value.Verdict {
    switch verdict {
    case .good: .good
    case .fault: .fault
    case .borderline: .borderline
    case .unseen, .uncertain: .unseen
    }
  }

  /// The pictures at turning points, by their times.
  private static func pictures(of report: CoachReport) async throws -> [Double: Data] {
    guard report.input.kind == .video else { return [:] }
    let turns = report.entries.compactMap { $0.form?.turn }
    let found = try await VideoPictures.pictures(
      of: URL(filePath: report.input.path), at: turns, quality: quality)
    return Dictionary(zip(turns, found)) { first, _ in first }.compactMapValues { $0?.jpeg }
  }
}
