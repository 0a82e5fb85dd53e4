import Foundation
import KinemaFiles

/// An annotation document of ELAN (`.eaf`, format 3.0 and earlier ones): the annotations of a tier with times.
///
/// The tier is the only one that has some, one that is called like labels, or the one that
/// `--columns label=TIER` names. A tier's participant is the person.
struct ELANImport: AnnotationImport {
  static let format = AnnotationFormat.elan
  private let context: AnnotationContext

  init(_ context: AnnotationContext) { self.context = context }

  static func recognizes(_ document: AnnotationDocument) -> Bool {
    guard case .markup(let root) = document else { return false }
    return root.name == "ANNOTATION_DOCUMENT"
  }

  func read(_ document: AnnotationDocument, into collector: inout AnnotationCollector) throws {
    guard case .markup(let root) = document, Self.recognizes(document) else {
      throw Self.mismatch(context.name)
    }
    let header = root.element("HEADER")
    let media = header?.elements("MEDIA_DESCRIPTOR") ?? []
    // A recording may have its sound in a file of its own.
    let video =
      media.first { $0.attributes["MIME_TYPE"]?.hasPrefix("video") == true } ?? media.first
    let name = (video?.attributes["RELATIVE_MEDIA_URL"] ?? video?.attributes["MEDIA_URL"]).map {
      $0.hasPrefix("file://") ? String($0.dropFirst(7)) : $0
    }
    guard let name, !name.isEmpty else {
      throw TrainingError(.badData, MessageText("namesNoFile", ["place": context.name]))
    }
    // The schema has other units, which ELAN does not write.
    guard ["milliseconds", nil].contains(header?.attributes["TIME_UNITS"]) else {
      throw Self.mismatch(context.name)
    }
    var times: [String: Double] = [:]
    for slot in root.element("TIME_ORDER")?.elements("TIME_SLOT") ?? [] {
      guard let id = slot.attributes["TIME_SLOT_ID"] else { continue }
      times[id] = slot.attributes["TIME_VALUE"].flatMap { AnnotationTime.seconds($0) }
    }
    let tiers = root.elements("TIER").filter { !Self.annotations(of: $0).isEmpty }
    let label = try context.labelTrack(tiers.compactMap { $0.attributes["TIER_ID"] })
    // Each participant may have a tier of this name, such as `action@Anna`.
    for tier in tiers where tier.attributes["TIER_ID"] == label {
      for annotation in Self.annotations(of: tier) {
        let id = annotation.attributes["ANNOTATION_ID"] ?? "?"
        let place = "\(context.name), \(id.prefix(100))"
        // A slot without a time is one that lies between others.
        guard let start = annotation.attributes["TIME_SLOT_REF1"].flatMap({ times[$0] }),
          let end = annotation.attributes["TIME_SLOT_REF2"].flatMap({ times[$0] })
        else {
          collector.note(
            .badAnnotation, name, MessageText("segmentWithoutTimes", ["place": place]))
          continue
        }
        collector.add(
          place: place, name: name, label: annotation.element("ANNOTATION_VALUE")?.text ?? "",
          start: .seconds(start / 1000), end: .seconds(end / 1000),
          person: tier.attributes["PARTICIPANT"], isFromTool: true)
      }
    }
  }

  private static func annotations(of tier: MarkupElement) -> [MarkupElement] {
    tier.elements("ANNOTATION").flatMap { $0.elements("ALIGNABLE_ANNOTATION") }
  }
}
