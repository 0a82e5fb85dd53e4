import Foundation
import KinemaFiles

/// A project of the VGG Image Annotator 3 (VIA), JSON: temporal segments `z` in seconds with the values `av` of
/// attributes, whose options have numbers.
struct VIAImport: AnnotationImport {
  static let format = AnnotationFormat.via
  private let context: AnnotationContext

  init(_ context: AnnotationContext) { self.context = context }

  static func recognizes(_ document: AnnotationDocument) -> Bool {
    guard case .object(let object) = document else { return false }
    return object["metadata"] is [String: Any] && object["file"] is [String: Any]
      && object["view"] is [String: Any]
  }

  func read(_ document: AnnotationDocument, into collector: inout AnnotationCollector) throws {
    guard case .object(let object) = document, Self.recognizes(document) else {
      throw Self.mismatch(context.name)
    }
    func objects(_ key: String) -> [String: [String: Any]] {
      (object[key] as? [String: Any] ?? [:]).compactMapValues { $0 as? [String: Any] }
    }
    let (files, views, attributes) = (objects("file"), objects("view"), objects("attribute"))
    // A segment has two times; one time is a frame, none a whole view.
    let segments = objects("metadata").sorted { $0.key < $1.key }.filter {
      ($0.value["z"] as? [Any])?.count == 2
    }
    let used = attributes.filter { id, _ in
      segments.contains { ($0.value["av"] as? [String: Any])?[id] != nil }
    }
    let names = used.compactMapValues { JSONText.text(of: $0["aname"]) }
    let label = try context.labelTrack(names.values.sorted())
    guard let attribute = names.first(where: { $0.value == label })?.key else {
      throw Self.mismatch(context.name)
    }
    let options = attributes[attribute]?["options"] as? [String: Any] ?? [:]
    for (id, segment) in segments {
      let place = "\(context.name), segment \(id.prefix(100))"
      let view = JSONText.text(of: segment["vid"]).flatMap { views[$0] }
      let file = (view?["fid_list"] as? [Any])?.first.flatMap { JSONText.text(of: $0) }
        .flatMap { files[$0] }
      let name = (file?["src"] ?? file?["fname"]).flatMap { JSONText.text(of: $0) }
      guard let name, !name.isEmpty else {
        collector.note(.badAnnotation, nil, MessageText("namesNoFile", ["place": place]))
        continue
      }
      let bounds = (segment["z"] as? [Any] ?? []).map { JSONText.number(of: $0) }
      guard let start = bounds[0], let end = bounds[1] else {
        collector.note(.badAnnotation, name, MessageText("segmentWithoutTimes", ["place": place]))
        continue
      }
      let value = JSONText.text(of: (segment["av"] as? [String: Any])?[attribute]) ?? ""
      collector.add(
        place: place, name: name, label: JSONText.text(of: options[value]) ?? value,
        start: .seconds(start), end: .seconds(end), isFromTool: true)
    }
  }
}
