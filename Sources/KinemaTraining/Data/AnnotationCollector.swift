import Foundation

struct AnnotationCollector {
  let folder: MediaFolder
  private(set) var listing = DataListing()
  private let finder: FileFinder
  /// The files by the bytes of their names; names that look alike can be two files.
  private var found: [Data: URL?] = [:]

  init(folder: MediaFolder) {
    self.folder = folder
    finder = FileFinder(folder.url)
  }

  /// Adds an annotation.
  ///
  /// - Parameters:
  ///   - place: Its location, such as `annotations.csv, row 7`.
  ///   - name: The file name as written there.
  ///   - setWord: The word for its set, where the file divides its rows into sets.
  ///   - isFromTool: Whether a labelling tool may have changed the name.
  ///   - isStem: Whether the name is the id of a video, to which the file adds an extension.
  mutating func add(
    place: String, name: String, label: String, start: ActionAnnotation.Moment? = nil,
    end: ActionAnnotation.Moment? = nil, person: String? = nil, setWord: String? = nil,
    isFromTool: Bool = false, isStem: Bool = false
  ) {
    // One without spaces stays the string that other rows share.
    let isTrimmed = [label.first, label.last].allSatisfy { $0.map { !$0.isWhitespace } ?? true }
    let label = isTrimmed ? label : label.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !name.isEmpty else {
      return note(.badAnnotation, nil, MessageText("namesNoFile", ["place": place]))
    }
    guard !label.isEmpty else {
      return note(
        .badAnnotation, name, MessageText("namesNoLabel", ["place": place, "file": name]))
    }
    guard !label.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }) else {
      return note(.badAnnotation, name, MessageText("controlCharacter", ["place": place]))
    }
    if let text = Self.problem(start, end) {
      return note(.badTimes, name, text.adding(["place": place, "file": name]))
    }
    let set = setWord.flatMap { DataSets.Name(word: $0) }
    // Without a set it would be trained on.
    if let setWord, set == nil {
      let text =
        setWord.isEmpty
        ? MessageText("namesNoSet", ["place": place, "file": name])
        : MessageText("unknownSet", ["place": place, "word": setWord.prefix(100)])
      return note(.badAnnotation, name, text)
    }
    let found = file(named: name, isFromTool: isFromTool, isStem: isStem, place: place)
    guard let url = found else { return }
    var annotation = ActionAnnotation(
      url: url, file: name, label: label, start: start, end: end, place: place)
    if let person, !person.isEmpty { annotation.person = person }
    annotation.set = set
    listing.annotations.append(annotation)
  }

  mutating func note(
    _ kind: DataFinding.Kind, severity: DataFinding.Severity = .error, _ file: String?,
    _ text: MessageText
  ) {
    listing.findings.append(DataFinding(severity, kind, file: file, text))
  }

  mutating func note(_ findings: [DataFinding]) { listing.findings += findings }

  /// Whether the folder has a video of an id.
  func hasFile(stem: String) -> Bool {
    if case .file = finder.file(stem: stem) { true } else { false }
  }

  /// The file of a name; a missing or ambiguous one is reported once.
  private mutating func file(
    named name: String, isFromTool: Bool, isStem: Bool, place: String
  ) -> URL? {
    let key = Data(name.utf8)
    if let file = found[key] { return file }
    let match =
      isStem ? finder.file(stem: name) : finder.file(named: name, isFromTool: isFromTool)
    var values = ["place": place, "file": name, "folder": folder.url.path]
    found[key] = .some(nil)
    switch match {
    case .file(let url): found[key] = url
    case .missing: note(.missingFile, name, MessageText("notInFolder", values))
    case .several(let names):
      values["names"] = names.joined(separator: ", ")
      note(.missingFile, name, MessageText("severalFiles", values))
    case .shared(let url, let other):
      values["found"] = url.lastPathComponent
      values["other"] = other
      note(.missingFile, name, MessageText("sharedFile", values))
    }
    return found[key] ?? nil
  }

  /// The problem of a segment, as the end of a sentence, and by name with values.
  private static func problem(
    _ start: ActionAnnotation.Moment?, _ end: ActionAnnotation.Moment?
  ) -> MessageText? {
    switch (start, end) {
    case (.seconds(let start), _) where start < 0:
      MessageText("startsBeforeVideo", ["start": start])
    case (.frame(let start), _) where start < 0:
      MessageText("startsBeforeFrame", ["start": start])
    case (.seconds(let start), .seconds(let end)) where end < start:
      MessageText("endsBeforeStart", ["start": start, "end": end])
    case (.seconds(let start), .seconds(let end)) where end == start:
      MessageText("emptySegment", ["start": start])
    case (nil, .seconds(let end)) where end <= 0:
      MessageText("endsBeforeVideo", ["end": end])
    case (.frame(let start), .frame(let end)) where end <= start:
      MessageText("endsBeforeFrame", ["start": start, "end": end])
    default: nil
    }
  }
}
