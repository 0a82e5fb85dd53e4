import Foundation
import KinemaTestSupport
import KinemaTraining
import Testing

@Suite("Annotation files in CSV and JSON")
struct AnnotationTableTests {
  private let folder: DataFolder

  init() throws {
    folder = try DataFolder(["a.mp4", "b.mov", "with, comma.mp4", "sub/c.mp4"])
  }

  private func listing(_ text: String, _ name: String = "labels.csv") throws -> DataListing {
    try folder.write(text, to: name)
    return try ActionClassifierDataSource.directoryWithVideosAndAnnotation(
      at: folder.url, annotationFile: folder.file(name)
    ).listing()
  }

  private let plain = ["a.mp4 | squats | 1.5 | 3.0", "b.mov | burpees | – | –"]

  @Test(
    "byte order mark, line ends, separators, quotes and unknown columns are understood",
    arguments: [
      "file_name,label,start_time,end_time\na.mp4,squats,1.5,3\nb.mov,burpees,,\n",
      "\u{FEFF}file_name,label,start_time,end_time\r\na.mp4,squats,1.5,3\r\nb.mov,burpees\r\n",
      "file_name;label;start_time;end_time\r\na.mp4;squats;1,5;3\r\nb.mov;burpees;;",
      "file_name\tlabel\tstart_time\tend_time\ra.mp4\tsquats\t1.5\t3\rb.mov\tburpees\t\t\r",
      "\n\"label\",\"note, or not\",\"file_name\",start_time,end_time\n"
        + "\"squats\",\"he said \"\"hi\"\",\n twice\",a.mp4,\"1.5\", 3 \n\n,,,,\nburpees,,b.mov,,,,\n",
      "File_Name,LABEL,start,end\na.mp4,squats,0:01.5,0:03\nb.mov,burpees,,\n",
    ])
  func dialects(text: String) throws {
    let listing = try listing(text)
    #expect(listing.lines == plain)
    #expect(listing.findings.isEmpty)
  }

  @Test("a file with more rows, values or bytes than are read is refused in a sentence")
  func limits() throws {
    let rows = String(repeating: "a.mp4,b\n", count: 200_001)
    let long = expectError(TrainingError.self) {
      try listing("file_name,label\n" + rows)
    }
    #expect(long?.message == "labels.csv has more than 200000 rows: split it.")
    for json in [
      "[" + String(repeating: #"{"file_name":"a.mp4"},"#, count: 200_000) + "{}]",
      "[" + String(repeating: "[],", count: 4_000_000) + "[]]",
      "[" + String(repeating: "1,", count: 4_000_000) + "1]",
    ] {
      let error = expectError(TrainingError.self) { try listing(json, "labels.json") }
      #expect(error?.message.hasPrefix("labels.json has too many values") == true)
    }
    // A file of that size takes no room on the disk.
    try folder.write("file_name,label\n", to: "large.csv")
    try FileHandle(forWritingTo: folder.file("large.csv")).truncate(atOffset: 64 << 20 | 1)
    let error = expectError(TrainingError.self) {
      try ActionClassifierDataSource.automatic(at: folder.file("large.csv")).listing()
    }
    #expect(error?.message == "large.csv is larger than 64 MiB: split it.")
  }

  @Test("a column names the people", arguments: ["person", "Subject", "participant"])
  func people(column: String) throws {
    let listing = try listing("file_name,label,\(column)\na.mp4,squats,Anna\nb.mov,burpees,\n")
    #expect(listing.annotations.map(\.person) == ["Anna", nil])
    #expect(listing.findings.isEmpty)
  }

  @Test("a table in UTF-16, as spreadsheets save it, is understood")
  func utf16() throws {
    let text = "file_name\tlabel\na.mp4\tKniebeuge, geübt\n"
    try folder.write(
      Data([0xFF, 0xFE]) + (text.data(using: .utf16LittleEndian) ?? Data()), to: "l.csv")
    let listing = try ActionClassifierDataSource.automatic(at: folder.file("l.csv")).listing()
    #expect(listing.lines == ["a.mp4 | Kniebeuge, geübt | – | –"])
  }

  @Test("lists of objects, an object with such a list, and lists as columns are understood")
  func json() throws {
    let rows = """
      {"file_name": "a.mp4", "label": "squats", "start_time": 1.5, "end_time": 3, "note": [1, 2]},
      {"file_name": "b.mov", "label": "burpees", "start_time": null}
      """
    let columns = """
      {"file_name": ["a.mp4", "b.mov"], "label": ["squats", "burpees"],
       "start_time": [1.5, null], "end_time": ["3", ""]}
      """
    for text in ["[\(rows)]", "\u{FEFF}{\"annotations\": [\(rows)]}", columns] {
      let listing = try listing(text, "labels.json")
      #expect(listing.lines == plain)
      #expect(listing.findings.isEmpty)
    }
  }

  @Test("columns of other names are chosen, and times can be left aside")
  func columns() throws {
    try folder.write("wer,was,von,bis\na.mp4,squats,1,2\n", to: "l.csv")
    let source = ActionClassifierDataSource.directoryWithVideosAndAnnotation(
      at: folder.url, annotationFile: folder.file("l.csv"), videoColumn: "wer", labelColumn: "was",
      startTimeColumn: "von", endTimeColumn: "bis")
    #expect(try source.listing().lines == ["a.mp4 | squats | 1.0 | 2.0"])
    let whole = ActionClassifierDataSource.directoryWithVideosAndAnnotation(
      at: folder.url, annotationFile: folder.file("l.csv"), videoColumn: "wer", labelColumn: "was",
      startTimeColumn: nil, endTimeColumn: nil)
    #expect(try whole.listing().lines == ["a.mp4 | squats | – | –"])
    let missing = ActionClassifierDataSource.directoryWithVideosAndAnnotation(
      at: folder.url, annotationFile: folder.file("l.csv"), videoColumn: "wer", labelColumn: "was",
      startTimeColumn: "begin", endTimeColumn: "bis")
    let error = expectError(TrainingError.self) { try missing.listing() }
    #expect(
      error?.message
        == "l.csv has no column “begin” for the times, only “wer”, “was”, “von”, “bis”: "
        + "rename a column.")
  }

  @Test("labels may hold slashes, commas and emoji; paths may lead into folders")
  func labels() throws {
    let listing = try listing(
      "file_name,label\nsub/c.mp4,push/pull\n\"with, comma.mp4\",\"jump, high 🤸\"\n"
        + "\(folder.file("a.mp4").path),c\n")
    #expect(
      listing.lines == [
        "sub/c.mp4 | push/pull | – | –", "with, comma.mp4 | jump, high 🤸 | – | –",
        "\(folder.file("a.mp4").path) | c | – | –",
      ])
    #expect(listing.findings.isEmpty)
  }

  @Test("each bad row is an error that names the file and the row")
  func badRows() throws {
    let listing = try listing(
      """
      file_name,label,start_time,end_time
      a.mp4,,1,2
      ,squats,1,2
      gone.mp4,squats,1,2
      a.mp4,squats,3,2
      a.mp4,squats,2,2
      a.mp4,squats,-1,2
      a.mp4,squats,soon,2
      a.mp4,squats,1,nan
      a.mp4,squats,1,2,3
      gone.mp4,burpees,1,2
      a.mp4,"two
      lines",1,2
      a.mp4,fine,1,2
      """)
    #expect(listing.lines == ["a.mp4 | fine | 1.0 | 2.0"])
    let expected: [(DataFinding.Kind, String)] = [
      (.badAnnotation, "labels.csv, row 10 has 5 values for 4 columns"),
      (.badAnnotation, "labels.csv, row 2 has no label for a.mp4"),
      (.badAnnotation, "labels.csv, row 3 names no file"),
      (.missingFile, "labels.csv, row 4 names gone.mp4, which is not in"),
      (.badTimes, "labels.csv, row 5 (a.mp4) ends at 2.0 s, before it starts at 3.0 s"),
      (.badTimes, "labels.csv, row 6 (a.mp4) is empty"),
      (.badTimes, "labels.csv, row 7 (a.mp4) starts at -1.0 s, before the video"),
      (.badAnnotation, "labels.csv, row 8 has the time “soon”"),
      (.badAnnotation, "labels.csv, row 9 has the time “nan”"),
      (.badAnnotation, "labels.csv, row 12 has a label with a line break"),
    ]
    #expect(listing.findings.map(\.kind) == expected.map(\.0))
    for (finding, (_, text)) in zip(listing.findings, expected) {
      #expect(finding.severity == .error)
      #expect(finding.message.hasPrefix(text), "\(finding.message)")
    }
    let source = ActionClassifierDataSource.automatic(at: folder.file("labels.csv"))
    let error = expectError(TrainingError.self) {
      try source.listing().findings.throwFirstError()
    }
    #expect(error?.message.hasSuffix("(And 9 more errors.)") == true)
  }

  @Test(
    "a file that is no annotation file is an error that says what it should be",
    arguments: [
      ("l.csv", "", "l.csv is empty"),
      ("l.csv", "file_name,label\n", "l.csv has no annotation"),
      ("l.csv", "name,kind\na.mp4,squats\n", "no column “file_name” for the names of the files"),
      ("l.csv", "file_name,kind\na.mp4,squats\n", "no column “label” for the labels"),
      ("l.csv", "file_name,label\na.mp4,\"squats\n", "l.csv, row 2: a quotation mark is opened"),
      ("l.csv", "file_name,label\na.mp4,\u{0}\n", "not text in UTF-8"),
      ("l.json", "[{\"file_name\": \"a.mp4\", ", "l.json is not valid JSON"),
      ("l.json", "42", "l.json is not valid JSON|but not a list of annotations"),
      ("l.json", "{\"file\": 3}", "l.json is JSON, but not a list of annotations"),
      ("l.json", "[{\"file_name\": \"a.mp4\", \"label\": \"x\"}, 3]", "l.json, entry 2, is not an"),
      ("l.json", "[]", "l.json has no annotation"),
    ])
  func notAnnotations(name: String, text: String, message: String) throws {
    try folder.write(text, to: name)
    let source = ActionClassifierDataSource.directoryWithVideosAndAnnotation(
      at: folder.url, annotationFile: folder.file(name))
    let error = expectError(TrainingError.self) { try source.listing() }
    #expect(error?.code == .badData)
    #expect(
      message.split(separator: "|").contains { error?.message.contains($0) == true },
      "\(error?.message ?? "")")
  }

  @Test("an annotation file that is not there is missing")
  func missing() throws {
    let error = expectError(TrainingError.self) {
      try ActionClassifierDataSource.importedAnnotation(
        at: folder.url, annotationFile: folder.file("none.csv")
      ).listing()
    }
    #expect(error?.code == .missing)
  }

  @Test("ten thousand rows are read")
  func manyRows() throws {
    let rows = (0..<10_000).map { "a.mp4,label \($0 % 20),\($0),\($0 + 1)" }
    let csv = try listing("file_name,label,start_time,end_time\n" + rows.joined(separator: "\n"))
    #expect(csv.annotations.count == 10_000)
    let objects = (0..<10_000).map {
      "{\"file_name\":\"a.mp4\",\"label\":\"label \($0 % 20)\",\"start_time\":\($0),\"end_time\":\($0 + 1)}"
    }
    let json = try listing("[\(objects.joined(separator: ","))]", "labels.json")
    #expect(json.lines == csv.lines)
  }
}
