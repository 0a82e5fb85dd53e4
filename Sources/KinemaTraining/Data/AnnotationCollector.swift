import Foundation

struct AnnotationCollector {
  let folder: MediaFolder
  private(set) var listing = DataListing()
  private var found: [String: URL?] = [:]

  init(folder: MediaFolder) { self.folder = folder }

  /// Adds an annotation.
  ///
  /// - Parameters:
  ///   - place: Its location, such as `annotations.csv, row 7`.
  ///   - name: The file name as written there.
  ///   - isFromTool: Whether a labelling tool may have changed the name.
  mutating func add(
    place: String, name: String, label: String, start: ActionAnnotation.Moment? = nil,
    end: ActionAnnotation.Moment? = nil, person: String? = nil, isFromTool: Bool = false
  ) {
    let label = label.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !name.isEmpty else {
      return note(.badAnnotation, nil, "\(place) names no file: fill it in or remove it.")
    }
    guard !label.isEmpty else {
      return note(
        .badAnnotation, name, "\(place) has no label for \(name): fill it in or remove it.")
    }
    guard !label.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }) else {
      return note(
        .badAnnotation, name,
        "\(place) has a label with a line break or another control character: remove that.")
    }
    if let problem = Self.problem(start, end) {
      return note(.badTimes, name, "\(place) (\(name)) \(problem).")
    }
    guard let url = file(named: name, isFromTool: isFromTool, place: place) else { return }
    var annotation = ActionAnnotation(
      url: url, file: name, label: label, start: start, end: end, place: place)
    if let person, !person.isEmpty { annotation.person = person }
    listing.annotations.append(annotation)
  }

  mutating func note(
    _ kind: DataFinding.Kind, severity: DataFinding.Severity = .error, _ file: String?,
    _ message: String
  ) {
    listing.findings.append(DataFinding(severity, kind, file: file, message))
  }

  mutating func note(_ findings: [DataFinding]) { listing.findings += findings }

  /// The file of a name; a missing one is reported once.
  private mutating func file(named name: String, isFromTool: Bool, place: String) -> URL? {
    if let file = found[name] { return file }
    let url = folder.file(named: name, isFromTool: isFromTool)
    found[name] = .some(url)
    if url == nil {
      note(
        .missingFile, name,
        "\(place) names \(name), which is not in \(folder.url.path): put it there or correct the name."
      )
    }
    return url
  }

  /// The problem of a segment, as the end of a sentence.
  private static func problem(
    _ start: ActionAnnotation.Moment?, _ end: ActionAnnotation.Moment?
  ) -> String? {
    switch (start, end) {
    case (.seconds(let start), _) where start < 0:
      "starts at \(start) s, before the video: times count from its start, in seconds"
    case (.frame(let start), _) where start < 0:
      "starts at frame \(start), before the video: the first frame is number 0"
    case (.seconds(let start), .seconds(let end)) where end <= start:
      end < start
        ? "ends at \(end) s, before it starts at \(start) s: correct the times"
        : "is empty: it starts and ends at \(start) s"
    case (nil, .seconds(let end)) where end <= 0:
      "ends at \(end) s, before the video starts: correct the time"
    case (.frame(let start), .frame(let end)) where end <= start:
      "ends at frame \(end), before it starts at frame \(start): correct them"
    default: nil
    }
  }
}
