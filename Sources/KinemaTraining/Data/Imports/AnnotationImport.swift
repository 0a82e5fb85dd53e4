import Foundation
import KinemaFiles

/// What an annotation file holds, before anything is known of its tool.
enum AnnotationDocument {
  /// CSV.
  case rows(AnnotationTable)
  /// A list of JSON objects.
  case entries([[String: Any]])
  /// A JSON object that is no such list.
  case object([String: Any])
  /// XML.
  case markup(MarkupElement)
}

/// A reader of the annotation files of a tool or data set.
protocol AnnotationImport: Sendable {
  static var format: AnnotationFormat { get }

  /// Whether a file is of this format, by its content.
  static func recognizes(_ document: AnnotationDocument) -> Bool

  /// - Parameter context: What is known beside the file.
  init(_ context: AnnotationContext)

  /// Reads the segments; throws ``TrainingError`` where the file is of another format, or cannot be understood
  /// as a whole.
  func read(_ document: AnnotationDocument, into collector: inout AnnotationCollector) throws
}

/// What is known beside an annotation file.
struct AnnotationContext {
  /// The file's name.
  let name: String
  /// The rate of its frame numbers; `nil` for the videos' own.
  let frameRate: Double?
  /// The name of the tier, attribute or column with the labels, where it is given.
  let label: String?
}

/// The formats of other tools and data sets, in the order in which a file is tried.
enum AnnotationImports {
  static let all: [any AnnotationImport.Type] = [
    ActivityNetImport.self, VIAImport.self, ELANImport.self, CVATImport.self, BORISImport.self,
    KineticsImport.self, CharadesImport.self, LabelStudioTableImport.self,
  ]

  static func format(of document: AnnotationDocument) -> AnnotationFormat? {
    all.first { $0.recognizes(document) }?.format
  }

  /// The reader of a format; `nil` for one that is no import.
  static func reader(
    of format: AnnotationFormat, _ document: AnnotationDocument, _ context: AnnotationContext
  ) -> (any AnnotationImport)? {
    let types = all.filter { $0.format == format }
    return (types.first { $0.recognizes(document) } ?? types.first).map { $0.init(context) }
  }
}

extension AnnotationImport {
  /// The error of a file that is of another format than the one that was named.
  static func mismatch(_ name: String) -> TrainingError {
    TrainingError(
      .badData, MessageText("notOfFormat", ["file": name, "layout": Self.format.rawValue]))
  }
}

extension AnnotationContext {
  /// The track of labels among several (tiers, attributes): the one that is named, else one that is called like
  /// labels, else the only one.
  func labelTrack(_ names: [String]) throws -> String {
    if let label {
      if let found = names.first(where: { ColumnName($0).key == ColumnName(label).key }) {
        return found
      }
      throw unclear(names)
    }
    if names.count == 1 { return names[0] }
    let usual = AnnotationColumns().labelNames + ["behavior", "activity", "exercise"]
    if let found = AnnotationColumns.index(of: usual, in: names) { return names[found] }
    throw unclear(names)
  }

  private func unclear(_ names: [String]) -> TrainingError {
    guard !names.isEmpty else {
      return TrainingError(.badData, MessageText("noAnnotations", ["file": name]))
    }
    return TrainingError(
      .badData,
      MessageText(
        "severalTracks", ["file": name, "names": names.prefix(10).joined(separator: ", ")]))
  }

  /// The moment of a frame, counted from 0.
  func moment(_ frame: Double) -> ActionAnnotation.Moment? { .frame(frame, at: frameRate) }
}
