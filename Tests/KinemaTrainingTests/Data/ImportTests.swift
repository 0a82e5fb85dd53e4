import Foundation
import KinemaTestSupport
import KinemaTraining
import Testing

@Suite("Annotation files of labelling tools and data sets")
struct ImportTests {
  private let folder: DataFolder

  init() throws {
    folder = try DataFolder(["clip.mp4", "other.mp4", "stu1_3.mp4"])
  }

  private func listing(
    _ text: String, _ name: String, _ format: AnnotationFormat = .automatic,
    frameRate: Double? = nil
  ) throws -> DataListing {
    try folder.write(text, to: name)
    return try ActionClassifierDataSource.importedAnnotation(
      at: folder.url, annotationFile: folder.file(name), format: format, frameRate: frameRate
    ).listing()
  }

  private let labelStudio = """
    [{"id": 7, "data": {"video": "/data/upload/1/0a1b2c3d-clip.mp4"}, "annotations": [
       {"was_cancelled": false, "result": [
         {"type": "timelinelabels", "value": {"ranges": [{"start": 3, "end": 5}],
          "timelinelabels": ["Moving"]}},
         {"type": "videorectangle", "value": {"sequence": [], "labels": ["Person"]}},
         {"type": "timelinelabels", "value": {"ranges": [{"start": 31, "end": 60}],
          "timelinelabels": ["Still"]}}]},
       {"was_cancelled": true, "result": [
         {"type": "timelinelabels", "value": {"ranges": [{"start": 1, "end": 2}],
          "timelinelabels": ["Wrong"]}}]}]},
     {"id": 8, "data": {"video": "/data/local-files/?d=x/other.mp4"}, "annotations": []}]
    """

  @Test("Label Studio's ranges are frames, counted from 1, both ends included")
  func labelStudioExport() throws {
    for format in [AnnotationFormat.automatic, .labelStudio] {
      let listing = try listing(labelStudio, "ls.json", format)
      let name = "/data/upload/1/0a1b2c3d-clip.mp4"
      #expect(listing.lines == ["\(name) | Moving | #2 | #5", "\(name) | Still | #30 | #60"])
      #expect(listing.annotations[0].url.lastPathComponent == "clip.mp4")
      #expect(listing.annotations[0].place == "ls.json, task 7")
      // The task without labels is reported.
      #expect(listing.findings.map(\.kind) == [.ignoredFile])
    }
    let timed = try listing(labelStudio, "ls.json", frameRate: 30)
    #expect(timed.annotations[1].start == .seconds(1) && timed.annotations[1].end == .seconds(2))
  }

  @Test("Label Studio's shorter export is read as well")
  func labelStudioMinimal() throws {
    let listing = try listing(
      """
      [{"video": "/data/upload/1/0a1b2c3d-clip.mp4", "id": 1, "annotator": 1,
        "actions": [{"ranges": [{"start": 1, "end": 30}], "timelinelabels": ["run"]}]}]
      """, "min.json")
    #expect(listing.lines == ["/data/upload/1/0a1b2c3d-clip.mp4 | run | #0 | #30"])
  }

  @Test("LabelU's segments are seconds, in JSON within JSON")
  func labelU() throws {
    let result = """
      {"duration": 20, "annotations": [
        {"toolName": "videoSegmentTool", "result": [
          {"id": "a", "type": "segment", "start": 1.25, "end": 3.5, "label": "run", "order": 1}]},
        {"toolName": "videoFrameTool", "result": [{"id": "b", "time": 2, "label": "jump"}]}]}
      """
    let text = try String(decoding: JSONEncoder().encode(result), as: UTF8.self)
    for format in [AnnotationFormat.automatic, .labelU] {
      let listing = try listing(
        "[{\"id\": 1, \"result\": \(text), \"folder\": \"/x\", \"fileName\": \"e875f554-clip.mp4\"}]",
        "u.json", format)
      #expect(listing.lines == ["e875f554-clip.mp4 | run | 1.25 | 3.5"])
      #expect(listing.findings.isEmpty)
    }
  }

  @Test("a table of repetitions gives the segment from the first to the last of them")
  func repetitions() throws {
    let text = """
      ,type,name,count,L1,L2,L3,L4
      0,squat,stu1_3.mp4,2,10,40,45,80
      1,situp,clip.mp4,0,,,,
      2,squat,other.mp4,1,x,2,,
      """
    for format in [AnnotationFormat.automatic, .repetitionCounts] {
      let listing = try listing(text, "rep.csv", format)
      #expect(listing.lines == ["stu1_3.mp4 | squat | #10 | #81", "clip.mp4 | situp | – | –"])
      #expect(listing.errorMessages.count == 1)
      #expect(listing.errorMessages.first?.hasPrefix("rep.csv, row 4 has a value") == true)
    }
  }

  @Test("a file of another format than the one that was named is refused")
  func mismatch() throws {
    for format in [AnnotationFormat.labelU] {
      let error = expectError(TrainingError.self) {
        try listing("file_name,label\nclip.mp4,run\n", "a.csv", format)
      }
      #expect(error?.message.contains("is not JSON") == true)
    }
    #expect(throws: TrainingError.self) { try listing(labelStudio, "b.json", .repetitionCounts) }
    #expect(throws: TrainingError.self) {
      try listing("a,b\nclip.mp4,run\n", "c.csv", .repetitionCounts)
    }
    #expect(throws: TrainingError.self) { try listing(labelStudio, "ls.json", frameRate: 0) }
  }
}
