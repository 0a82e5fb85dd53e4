import Foundation

/// LabelU's JSON export: for each file a `result`, JSON as text, with video segments in seconds.
struct LabelUExport {
  let name: String

  static func recognizes(_ entries: [[String: Any]]) -> Bool {
    entries.contains { entry in
      (entry["fileName"] ?? entry["url"]) is String
        && (result(of: entry)?["annotations"] is [Any] || entry["label"] == nil)
        && entry["result"] != nil
    }
  }

  func read(_ entries: [[String: Any]], into collector: inout AnnotationCollector) {
    for (index, entry) in entries.enumerated() {
      let place = "\(name), sample \(JSONText.text(of: entry["id"]) ?? "\(index + 1)")"
      guard let video = (entry["fileName"] ?? entry["url"]) as? String else {
        collector.note(.badAnnotation, nil, MessageText("namesNoFile", ["place": place]))
        continue
      }
      guard let result = Self.result(of: entry) else {
        collector.note(.badAnnotation, video, MessageText("resultNotJSON", ["place": place]))
        continue
      }
      let segments = Self.segments(in: result)
      if segments.isEmpty {
        collector.note(
          .ignoredFile, severity: .warning, video,
          MessageText("entryWithoutLabels", ["place": place, "file": video]))
      }
      for segment in segments {
        guard let start = JSONText.number(of: segment["start"]),
          let end = JSONText.number(of: segment["end"])
        else {
          collector.note(
            .badAnnotation, video,
            MessageText("segmentWithoutTimes", ["place": place]))
          continue
        }
        collector.add(
          place: place, name: video, label: JSONText.text(of: segment["label"]) ?? "",
          start: .seconds(start), end: .seconds(end), isFromTool: true)
      }
    }
  }

  private static func result(of entry: [String: Any]) -> [String: Any]? {
    if let result = entry["result"] as? [String: Any] { return result }
    guard let text = entry["result"] as? String else { return nil }
    return (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]
  }

  /// The segments of all tools, without single frames.
  private static func segments(in result: [String: Any]) -> [[String: Any]] {
    (result["annotations"] as? [[String: Any]] ?? [])
      .flatMap { $0["result"] as? [[String: Any]] ?? [] }
      .filter { $0["start"] != nil || $0["end"] != nil }
  }
}
