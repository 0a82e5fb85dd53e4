import Foundation

/// Label Studio's export of `TimelineLabels`, as JSON or JSON-MIN.
///
/// A range holds its first and last frame, numbered from 1 at the `frameRate` of the labelling
/// configuration; without a rate, the video's own is used. Other kinds of labels are ignored.
struct LabelStudioExport {
  let name: String
  let frameRate: Double?

  static func recognizes(_ entries: [[String: Any]]) -> Bool {
    entries.contains { entry in
      entry["data"] is [String: Any] && (entry["annotations"] ?? entry["completions"]) is [Any]
        || !regions(ofMinimal: entry).isEmpty
    }
  }

  func read(_ entries: [[String: Any]], into collector: inout AnnotationCollector) {
    for (index, entry) in entries.enumerated() {
      let place = "\(name), task \(JSONText.text(of: entry["id"]) ?? "\(index + 1)")"
      let data = entry["data"] as? [String: Any] ?? entry
      guard let video = Self.video(in: data) else {
        collector.note(.badAnnotation, nil, MessageText("namesNoFile", ["place": place]))
        continue
      }
      let regions = Self.regions(of: entry) + Self.regions(ofMinimal: entry)
      if regions.isEmpty {
        collector.note(
          .ignoredFile, severity: .warning, video,
          MessageText("entryWithoutLabels", ["place": place, "file": video]))
      }
      for region in regions {
        let ranges = region["ranges"] as? [[String: Any]] ?? []
        for label in region["timelinelabels"] as? [String] ?? [] {
          for range in ranges {
            guard let first = JSONText.number(of: range["start"]),
              let last = JSONText.number(of: range["end"]),
              let start = ActionAnnotation.Moment.frame(first - 1, at: frameRate),
              let end = ActionAnnotation.Moment.frame(last, at: frameRate)
            else {
              collector.note(
                .badAnnotation, video,
                MessageText("segmentWithoutTimes", ["place": place]))
              continue
            }
            collector.add(
              place: place, name: video, label: label, start: start, end: end, isFromTool: true)
          }
        }
      }
    }
  }

  /// The regions of a task, without cancelled annotations.
  private static func regions(of entry: [String: Any]) -> [[String: Any]] {
    let annotations = (entry["annotations"] ?? entry["completions"]) as? [[String: Any]] ?? []
    return annotations.filter { ($0["was_cancelled"] as? Bool) != true }
      .flatMap { $0["result"] as? [[String: Any]] ?? [] }
      .compactMap { $0["value"] as? [String: Any] }
      .filter { $0["timelinelabels"] != nil }
  }

  /// The regions of a JSON-MIN entry, which are under the name of their control.
  private static func regions(ofMinimal entry: [String: Any]) -> [[String: Any]] {
    entry.keys.sorted().compactMap { entry[$0] as? [[String: Any]] }.flatMap { $0 }
      .filter { $0["timelinelabels"] != nil && $0["ranges"] != nil }
  }

  private static func video(in data: [String: Any]) -> String? {
    let texts = data.keys.sorted().compactMap { key in (data[key] as? String).map { (key, $0) } }
    let named = texts.first { $0.0.lowercased().contains("video") }
    return (named ?? texts.first { isMedia($0.1) })?.1
  }

  private static func isMedia(_ text: String) -> Bool {
    text.split(whereSeparator: { "/?=".contains($0) }).last.map {
      MediaFolder.isMedia(URL(filePath: String($0)))
    } ?? false
  }
}
