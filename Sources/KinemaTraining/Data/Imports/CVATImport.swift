import Foundation
import KinemaFiles

/// CVAT's XML for video (version 1.1): tracks of boxes or skeletons, in frames.
///
/// A segment is as long as a track is in view. Its label is that of the track, or, where its shapes have an
/// attribute for labels, the value of that, which may change within the track.
struct CVATImport: AnnotationImport {
  static let format = AnnotationFormat.cvat
  private let context: AnnotationContext

  init(_ context: AnnotationContext) { self.context = context }

  static func recognizes(_ document: AnnotationDocument) -> Bool {
    guard case .markup(let root) = document, root.name == "annotations" else { return false }
    return root.element("track") != nil || root.element("image") != nil
      || root.element("meta") != nil
  }

  func read(_ document: AnnotationDocument, into collector: inout AnnotationCollector) throws {
    guard case .markup(let root) = document, Self.recognizes(document) else {
      throw Self.mismatch(context.name)
    }
    guard root.element("image") == nil else {
      throw TrainingError(.badData, MessageText("cvatImages", ["file": context.name]))
    }
    let meta = root.element("meta")
    let task = meta?.element("task") ?? meta?.element("job")
    let name = task?.element("source")?.text ?? meta?.element("source")?.text ?? ""
    let attributes = root.elements("track").flatMap { track in
      Self.shapes(of: track).flatMap { $0.elements("attribute") }
    }
    let names = Set(attributes.compactMap { $0.attributes["name"] })
    let sorted = names.sorted()
    let usual = AnnotationColumns().labelNames + ["activity", "exercise"]
    let label =
      context.label == nil
      ? AnnotationColumns.index(of: usual, in: sorted).map { sorted[$0] }
      : try context.labelTrack(sorted)
    for track in root.elements("track") {
      let id = track.attributes["id"] ?? "?"
      let place = "\(context.name), track \(id.prefix(100))"
      for segment in segments(of: track, by: label) {
        guard let start = context.moment(segment.start), let end = context.moment(segment.end)
        else {
          collector.note(
            .badAnnotation, name, MessageText("segmentWithoutTimes", ["place": place]))
          continue
        }
        collector.add(
          place: place, name: name, label: segment.label, start: start, end: end, isFromTool: true)
      }
    }
  }

  private typealias Segment = (label: String, start: Double, end: Double)

  private static func shapes(of track: MarkupElement) -> [MarkupElement] {
    track.children.filter { $0.attributes["frame"] != nil }
  }

  /// The stretches of a track: a shape holds until the next one, and what is `outside` ends it.
  private func segments(of track: MarkupElement, by attribute: String?) -> [Segment] {
    var segments: [Segment] = []
    let shapes = Self.shapes(of: track)
      .compactMap { shape in Double(shape.attributes["frame"] ?? "").map { ($0, shape) } }
      .sorted { $0.0 < $1.0 }
    for (index, (frame, shape)) in shapes.enumerated() where shape.attributes["outside"] != "1" {
      let value = attribute.flatMap { name in
        shape.elements("attribute").first { $0.attributes["name"] == name }?.text
      }
      let label = value ?? track.attributes["label"] ?? ""
      let end = index + 1 < shapes.count ? shapes[index + 1].0 : frame + 1
      if let last = segments.last, last.label == label, last.end == frame {
        segments[segments.count - 1].end = end
      } else {
        segments.append((label, frame, end))
      }
    }
    return segments
  }
}
