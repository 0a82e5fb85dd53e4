import Foundation
import KinemaFiles

/// ActivityNet's JSON, which THUMOS, HACS, FineAction and temporal detectors (MMAction2, OpenTAD) use as well:
/// `{"database": {ID: {"subset": "training", "annotations": [{"segment": [1.2, 3.4], "label": "run"}]}}}`.
///
/// A video is the file with its id as name, also after `v_`.
struct ActivityNetImport: AnnotationImport {
  static let format = AnnotationFormat.activityNet
  private let context: AnnotationContext

  init(_ context: AnnotationContext) { self.context = context }

  static func recognizes(_ document: AnnotationDocument) -> Bool {
    guard case .object(let object) = document else { return false }
    return object["database"] is [String: Any]
  }

  func read(_ document: AnnotationDocument, into collector: inout AnnotationCollector) throws {
    guard case .object(let object) = document,
      let videos = object["database"] as? [String: Any]
    else { throw Self.mismatch(context.name) }
    let isDivided = videos.values.contains { DataSets.Name(word: Self.subset(of: $0)) != nil }
    for (id, value) in videos.sorted(by: { $0.key < $1.key }) {
      let place = "\(context.name), \(id.prefix(100))"
      guard let video = value as? [String: Any] else {
        collector.note(.badAnnotation, id, MessageText("segmentWithoutTimes", ["place": place]))
        continue
      }
      // Videos of a test set come without annotations.
      for segment in video["annotations"] as? [[String: Any]] ?? [] {
        let bounds = (segment["segment"] as? [Any] ?? []).map { JSONText.number(of: $0) }
        guard bounds.count == 2, let start = bounds[0], let end = bounds[1] else {
          collector.note(.badAnnotation, id, MessageText("segmentWithoutTimes", ["place": place]))
          continue
        }
        collector.add(
          place: place, name: id, label: JSONText.text(of: segment["label"]) ?? "",
          start: .seconds(start), end: .seconds(end),
          setWord: isDivided ? Self.subset(of: video) : nil, isStem: true)
      }
    }
  }

  /// The word for a video's set; empty where there is none.
  private static func subset(of video: Any) -> String {
    JSONText.text(of: (video as? [String: Any])?["subset"]) ?? ""
  }
}
