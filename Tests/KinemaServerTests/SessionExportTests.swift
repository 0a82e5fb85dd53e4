import Foundation
import KinemaServer
import KinemaTestSupport
import Testing

@Suite("Exported sessions")
struct SessionExportTests {
  private func export(
    _ labels: [String], _ format: SessionExport.Format
  ) throws -> SessionExport {
    let folder = try TemporaryFolder()
    let history = try History(at: folder.url)
    let id = try history.begin(model: "Exercise", at: HistoryTests.start)
    try history.rename(id, to: "Monday")
    try history.save(
      id, duration: 93.2, model: "Exercise",
      entries: labels.map {
        SummaryEntry(label: $0, text: $0, isModelLabel: true, seconds: 31.5, repetitions: 12)
      },
      timeline: labels.map {
        Stretch(
          start: 3, end: 34.50049, label: $0, text: $0, isModelLabel: true, person: 1,
          repetitions: 12)
      })
    try history.end(id)
    return try history.export(id, as: format)
  }

  @Test("the table has a row for each stretch and one for each total")
  func table() throws {
    let export = try export(["squats"], .csv)
    #expect(export.fileName == "kinema-session-1.csv")
    #expect(export.contentType == "text/csv; charset=utf-8")
    #expect(
      String(decoding: export.data, as: UTF8.self)
        == "row,start,end,seconds,label,person,repetitions,weight,targetRepetitions,targetSeconds,"
        + "isDone,joint,bottom,top,range,down,hold,up,difference,cues\r\n"
        + "stretch,3.0,34.5,31.5,squats,1,12,,,,,,,,,,,,,\r\n"
        + "total,,,31.5,squats,,12,,,,,,,,,,,,,\r\n")
  }

  @Test("cells are quoted, and none is interpreted as a formula")
  func cells() throws {
    let text = String(
      decoding: try export(["a,\"b\"", "=1+1", "@x", "-y\nz"], .csv).data, as: UTF8.self)
    let labels = ["\"a,\"\"b\"\"\"", "'=1+1", "'@x", "\"'-y\nz\""]
    for label in labels { #expect(text.contains("total,,,31.5,\(label),,12,")) }
  }

  @Test("a byte order mark precedes non-ASCII text")
  func mark() throws {
    #expect(try export(["Kniebeugen für zwei"], .csv).data.starts(with: [0xEF, 0xBB, 0xBF]))
  }

  @Test("the JSON is the session of the interface")
  func json() throws {
    let export = try export(["squats"], .json)
    let session = try JSONSerialization.jsonObject(with: export.data) as? [String: Any]
    #expect(session?["name"] as? String == "Monday")
    #expect((session?["timeline"] as? [Any])?.count == 1)
    #expect(
      String(decoding: export.data, as: UTF8.self).contains(
        #""startedAt" : "2026-11-20T14:05:11Z""#))
    #expect(export.fileName == "kinema-session-1.json")
  }
}
