import Foundation
import KinemaTestSupport
import KinemaTraining
import Testing

/// Files made by hand in the formats of the tools: ActivityNet 1.3 (activity-net.org), VIA 3.0.11, ELAN's EAF 3.0,
/// CVAT 2 (“CVAT for video 1.1”), BORIS 8, Kinetics-400 and Charades.
@Suite(
  "Annotation files of ActivityNet, VIA, ELAN, CVAT, BORIS, Kinetics, Charades and Label Studio's CSV"
)
struct ToolImportTests {
  private let folder: DataFolder

  init() throws {
    folder = try DataFolder([
      "clip.mp4", "other.mov", "v_QOlSCBRmfWY.mp4", "abc_000010_000020.mp4", "46GP8.mp4",
    ])
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

  private func message(_ text: String, _ name: String, label: String = "label") throws -> String {
    try folder.write(text, to: name)
    let error = expectError(TrainingError.self) {
      try ActionClassifierDataSource.directoryWithVideosAndAnnotation(
        at: folder.url, annotationFile: folder.file(name), labelColumn: label
      ).listing()
    }
    return error?.message ?? ""
  }

  @Test("ActivityNet's videos are files with the id as name, of any format")
  func activityNet() throws {
    let text = """
      {"version": "1.3", "taxonomy": [], "database": {
        "QOlSCBRmfWY": {"duration": 82.7, "subset": "training", "resolution": "1920x1080",
          "url": "https://www.youtube.com/watch?v=QOlSCBRmfWY", "annotations": [
            {"segment": [6.2, 45.5], "label": "Ballet"}, {"segment": ["x", 2], "label": "Ballet"}]},
        "other": {"subset": "validation", "annotations": [{"segment": [0, 2], "label": "Rest"}]},
        "unknown": {"subset": "testing", "annotations": []}}}
      """
    for format in [AnnotationFormat.automatic, .activityNet] {
      let listing = try listing(text, "activity_net.json", format)
      #expect(
        listing.lines == ["QOlSCBRmfWY | Ballet | 6.2 | 45.5", "other | Rest | 0.0 | 2.0"])
      #expect(
        listing.annotations.map(\.url.lastPathComponent) == ["v_QOlSCBRmfWY.mp4", "other.mov"])
      #expect(listing.errorMessages.count == 1)
    }
  }

  private let via = """
    {"project": {"pid": "__VIA_PROJECT_ID__", "data_format_version": "3.1.1", "vid_list": ["1"]},
     "config": {}, "attribute": {
       "1": {"aname": "action", "anchor_id": "FILE1_Z2_XY0", "type": 4,
             "options": {"0": "run", "1": "jump"}, "default_option_id": ""},
       "2": {"aname": "remark", "anchor_id": "FILE1_Z2_XY0", "type": 1, "options": {}}},
     "file": {"1": {"fid": "1", "fname": "clip.mp4", "type": 4, "loc": 1, "src": "clip.mp4"}},
     "view": {"1": {"fid_list": ["1"]}},
     "metadata": {
       "1_a": {"vid": "1", "flg": 0, "z": [1.25, 3.5], "xy": [], "av": {"1": "0", "2": "well"}},
       "1_b": {"vid": "1", "flg": 0, "z": [4, 5], "xy": [], "av": {"1": "1"}},
       "1_c": {"vid": "1", "flg": 0, "z": [2.2], "xy": [2, 0, 0, 5, 5], "av": {}}}}
    """

  @Test("VIA's options are named by their numbers, and its boxes are no segments")
  func viaProject() throws {
    for format in [AnnotationFormat.automatic, .via] {
      let listing = try listing(via, "via.json", format)
      #expect(listing.lines == ["clip.mp4 | run | 1.25 | 3.5", "clip.mp4 | jump | 4.0 | 5.0"])
      #expect(listing.findings.isEmpty)
    }
    let unclear = via.replacing("\"aname\": \"action\"", with: "\"aname\": \"tätigkeit\"")
    #expect(
      try message(unclear, "unclear.json").contains(
        "several tiers or attributes (remark, tätigkeit)"))
    try folder.write(unclear, to: "named.json")
    let named = try ActionClassifierDataSource.directoryWithVideosAndAnnotation(
      at: folder.url, annotationFile: folder.file("named.json"), labelColumn: "tätigkeit")
    #expect(try named.listing().lines.first == "clip.mp4 | run | 1.25 | 3.5")
  }

  private func elan(_ tiers: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <ANNOTATION_DOCUMENT AUTHOR="" DATE="2026-01-01T00:00:00+00:00" FORMAT="3.0" VERSION="3.0"
        xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
      <HEADER MEDIA_FILE="" TIME_UNITS="milliseconds">
        <MEDIA_DESCRIPTOR MEDIA_URL="file:///C:/data/clip.wav" MIME_TYPE="audio/x-wav"/>
        <MEDIA_DESCRIPTOR MEDIA_URL="file:///C:/data/clip.mp4" MIME_TYPE="video/mp4"
          RELATIVE_MEDIA_URL="./clip.mp4"/>
        <PROPERTY NAME="lastUsedAnnotationId">3</PROPERTY>
      </HEADER>
      <TIME_ORDER>
        <TIME_SLOT TIME_SLOT_ID="ts1" TIME_VALUE="1250"/>
        <TIME_SLOT TIME_SLOT_ID="ts2" TIME_VALUE="3500"/>
        <TIME_SLOT TIME_SLOT_ID="ts3"/>
      </TIME_ORDER>
      \(tiers)
      <LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="default-lt" TIME_ALIGNABLE="true"/>
    </ANNOTATION_DOCUMENT>
    """
  }

  private func tier(_ name: String, _ value: String, to end: String = "ts2") -> String {
    """
    <TIER LINGUISTIC_TYPE_REF="default-lt" PARTICIPANT="Anna" TIER_ID="\(name)"><ANNOTATION>
      <ALIGNABLE_ANNOTATION ANNOTATION_ID="a1" TIME_SLOT_REF1="ts1" TIME_SLOT_REF2="\(end)">
        <ANNOTATION_VALUE>\(value)</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION></TIER>
    """
  }

  @Test("ELAN's tier of labels is the only one, one that is called so, or the one that is named")
  func elanDocument() throws {
    for format in [AnnotationFormat.automatic, .elan] {
      let listing = try listing(elan(tier("default", "run &amp; jump &#x1F3C3;")), "a.eaf", format)
      #expect(listing.lines == ["./clip.mp4 | run & jump 🏃 | 1.25 | 3.5"])
      #expect(listing.annotations.first?.person == "Anna")
    }
    let several = elan(tier("speech", "hello") + tier("Action", "run"))
    #expect(try listing(several, "b.eaf").lines == ["./clip.mp4 | run | 1.25 | 3.5"])
    let unclear = elan(tier("speech", "hello") + tier("hands", "wave"))
    #expect(try message(unclear, "c.eaf").contains("(speech, hands)"))
    try folder.write(unclear, to: "c.eaf")
    let named = ActionClassifierDataSource.directoryWithVideosAndAnnotation(
      at: folder.url, annotationFile: folder.file("c.eaf"), labelColumn: "hands")
    #expect(try named.listing().lines == ["./clip.mp4 | wave | 1.25 | 3.5"])
    let untimed = try listing(elan(tier("x", "run", to: "ts3")), "d.eaf")
    #expect(untimed.annotations.isEmpty && untimed.errorMessages.count == 1)
  }

  @Test("several documents of ELAN in a folder are data together, several tables are not")
  func severalDocuments() throws {
    try folder.write(elan(tier("x", "run")), to: "a.eaf")
    try folder.write(
      elan(tier("x", "jump")).replacing("./clip.mp4", with: "./other.mov"), to: "b.eaf")
    let listing = try ActionClassifierDataSource.automatic(at: folder.url).listing()
    #expect(
      Set(listing.lines) == ["./clip.mp4 | run | 1.25 | 3.5", "./other.mov | jump | 1.25 | 3.5"])
    try folder.write("file_name,label\nclip.mp4,run\n", to: "table.csv")
    #expect(throws: TrainingError.self) {
      try ActionClassifierDataSource.automatic(at: folder.url).listing()
    }
  }

  @Test(
    "XML that is cut off, nested too deeply, or defines entities is refused in a sentence",
    arguments: [
      "<ANNOTATION_DOCUMENT><HEADER>", "<ANNOTATION_DOCUMENT a=b></ANNOTATION_DOCUMENT>",
      "<ANNOTATION_DOCUMENT></HEADER>", "<ANNOTATION_DOCUMENT>&undefined;</ANNOTATION_DOCUMENT>",
      "<!DOCTYPE x [<!ENTITY a \"b\">]><ANNOTATION_DOCUMENT>&a;</ANNOTATION_DOCUMENT>",
      "<ANNOTATION_DOCUMENT>" + String(repeating: "<a>", count: 100_000), "<", "<!--",
      "<a &#xFFFFFFFF;",
    ])
  func badMarkup(text: String) throws {
    #expect(try message(text, "bad.eaf").contains("bad.eaf"))
  }

  @Test(
    "CVAT's tracks are segments for as long as they are in view, by their label or an attribute")
  func cvat() throws {
    func box(_ frame: Int, _ action: String?, outside: Int = 0) -> String {
      let attribute = action.map { "<attribute name=\"action\">\($0)</attribute>" } ?? ""
      return "<box frame=\"\(frame)\" keyframe=\"1\" outside=\"\(outside)\" occluded=\"0\" "
        + "xtl=\"1\" ytl=\"1\" xbr=\"2\" ybr=\"2\" z_order=\"0\">\(attribute)</box>"
    }
    func file(_ tracks: String) -> String {
      """
      <?xml version="1.0" encoding="utf-8"?>
      <annotations><version>1.1</version>
        <meta><task><id>1</id><name>x</name><source>clip.mp4</source></task></meta>
        \(tracks)
      </annotations>
      """
    }
    let plain = file(
      "<track id=\"0\" label=\"run\" source=\"manual\">"
        + [box(0, nil), box(1, nil), box(2, nil, outside: 1), box(9, nil), box(10, nil)].joined()
        + "</track>")
    #expect(
      try listing(plain, "cvat.xml").lines
        == ["clip.mp4 | run | #0 | #2", "clip.mp4 | run | #9 | #11"])
    #expect(
      try listing(plain, "cvat.xml", .cvat, frameRate: 10).annotations[0].end == .seconds(0.2))
    let byAttribute = file(
      "<track id=\"0\" label=\"person\">"
        + [box(0, "walk"), box(5, "walk"), box(8, "run"), box(10, nil, outside: 1)].joined()
        + "</track>")
    #expect(
      try listing(byAttribute, "cvat.xml").lines
        == ["clip.mp4 | walk | #0 | #8", "clip.mp4 | run | #8 | #10"])
    let images = file("<image id=\"0\" name=\"a.png\"><tag label=\"run\"/></image>")
    #expect(try message(images, "images.xml").contains("CVAT for video 1.1"))
  }

  @Test("BORIS's states are segments, in the table of aggregated events and in the project")
  func boris() throws {
    let table = """
      Observation id,Observation date,Media file name,Subject,Behavior,Behavior type,Start (s),Stop (s),Duration (s)
      one,2026-01-01,videos/clip.mp4,Anna,run,STATE,1.25,3.5,2.25
      one,2026-01-01,videos/clip.mp4,No focal subject,blink,POINT,2,2,0
      one,2026-01-01,videos/clip.mp4,No focal subject,jump,STATE,4,5,1
      """
    for format in [AnnotationFormat.automatic, .boris] {
      let listing = try listing(table, "events.csv", format)
      #expect(
        listing.lines == [
          "videos/clip.mp4 | run | 1.25 | 3.5", "videos/clip.mp4 | jump | 4.0 | 5.0",
        ])
      #expect(listing.annotations.map(\.person) == ["Anna", nil])
      #expect(listing.findings.map(\.severity) == [.warning])
    }
    let project = """
      {"time_format": "hh:mm:ss", "project_name": "x", "project_format_version": "7.0",
       "subjects_conf": {"0": {"key": "a", "name": "Anna"}},
       "behaviors_conf": {"0": {"type": "State event", "key": "r", "code": "run"},
                          "1": {"type": "Point event", "key": "b", "code": "blink"}},
       "observations": {"one": {"file": {"1": ["/data/clip.mp4"], "2": []}, "type": "MEDIA",
         "events": [[1.25, "Anna", "run", "", "", 37], [2, "", "blink", "", ""],
                    [3.5, "Anna", "run", "", "", 105], [4, "", "run", "", ""]]}}}
      """
    let listing = try listing(project, "project.boris")
    #expect(listing.lines == ["/data/clip.mp4 | run | 1.25 | 3.5"])
    #expect(listing.errorMessages.first?.contains("start of “run” without a stop") == true)
  }

  @Test("Kinetics' clips are whole where they were cut, else seconds of the video")
  func kinetics() throws {
    let text = """
      label,youtube_id,time_start,time_end,split
      abseiling,abc,10,20,train
      juggling,other,30,40,val
      """
    for format in [AnnotationFormat.automatic, .kinetics] {
      let listing = try listing(text, "kinetics.csv", format)
      #expect(
        listing.lines == [
          "abc_000010_000020 | abseiling | – | –", "other | juggling | 30.0 | 40.0",
        ])
    }
  }

  private func sets(_ text: String, _ name: String) throws -> DataSets {
    try folder.write(text, to: name)
    return try DataSets(
      .importedAnnotation(at: folder.url, annotationFile: folder.file(name)))
  }

  @Test("Kinetics' rows with an unknown set are errors and never trained on")
  func setsOfKinetics() throws {
    let text = """
      label,youtube_id,time_start,time_end,split
      abseiling,abc,10,20,train
      juggling,other,30,40,validate
      juggling,clip,1,2,extra
      """
    let sets = try sets(text, "kinetics.csv")
    #expect(sets.training?.lines == ["abc_000010_000020 | abseiling | – | –"])
    #expect(sets.validation?.lines == ["other | juggling | 30.0 | 40.0"])
    let errors = try #require(sets.training).errorMessages
    #expect(errors.count == 1)
    #expect(errors.first?.hasPrefix("kinetics.csv, row 4 names the set “extra”") == true)
  }

  @Test("ActivityNet's videos with an unknown set, or none beside others, are errors")
  func setsOfActivityNet() throws {
    let text = """
      {"database": {
        "clip": {"subset": "training", "annotations": [{"segment": [0, 2], "label": "Run"}]},
        "other": {"subset": "extra", "annotations": [{"segment": [0, 2], "label": "Rest"}]},
        "46GP8": {"annotations": [{"segment": [0, 2], "label": "Rest"}]}}}
      """
    let listing = try #require(try sets(text, "activity_net.json").training)
    #expect(listing.lines == ["clip | Run | 0.0 | 2.0"])
    #expect(listing.errorMessages.count == 2)
    #expect(listing.errorMessages.first?.contains("46GP8 names no set") == true)
    #expect(listing.errorMessages.last?.contains("other names the set “extra”") == true)
    let undivided = text.replacing("training", with: "extra")
    let whole = try #require(try sets(undivided, "other.json").training)
    #expect(whole.lines.count == 3 && whole.errorMessages.isEmpty)
  }

  @Test("Charades' actions are segments of one video")
  func charades() throws {
    let text = """
      id,subject,scene,quality,actions,length
      46GP8,HR43,Kitchen,6,c092 11.90 21.20;c147 0.00 12.60,24.83
      clip,HR43,Kitchen,6,,3
      other,HR43,Kitchen,6,c092 x 3,3
      """
    for format in [AnnotationFormat.automatic, .charades] {
      let listing = try listing(text, "charades.csv", format)
      #expect(listing.lines == ["46GP8 | c092 | 11.9 | 21.2", "46GP8 | c147 | 0.0 | 12.6"])
      #expect(listing.annotations.first?.person == "HR43")
      #expect(listing.errorMessages.count == 1)
    }
  }

  @Test("Label Studio's CSV has its regions as JSON in a cell")
  func labelStudioTable() throws {
    let text = #"""
      annotation_id,annotator,created_at,id,lead_time,updated_at,video,videoLabels
      1,1,2026-01-01,7,3.2,2026-01-01,/data/upload/1/0a1b2c3d-clip.mp4,"[{""ranges"":[{""start"":3,""end"":5}],""timelinelabels"":[""run""]}]"
      """#
    for format in [AnnotationFormat.automatic, .labelStudio] {
      let listing = try listing(text, "ls.csv", format)
      #expect(listing.lines == ["/data/upload/1/0a1b2c3d-clip.mp4 | run | #2 | #5"])
    }
  }

  private static let formatsOfTools = AnnotationFormat.allCases.filter {
    $0 != .automatic && $0 != .table
  }

  @Test("a file of another format than the one that is named is refused", arguments: formatsOfTools)
  func mismatch(format: AnnotationFormat) throws {
    #expect(throws: TrainingError.self) {
      try listing("file_name,label\nclip.mp4,run\n", "a.csv", format)
    }
    // Those are lists as well, whose entries are reported one by one.
    guard ![.labelStudio, .labelU].contains(format) else { return }
    #expect(throws: TrainingError.self) {
      try listing("[{\"file_name\": \"clip.mp4\", \"label\": \"run\"}]", "a.json", format)
    }
  }

  @Test("a pose file of another tool is a file of a label as a video is")
  func foreignPoses() throws {
    let points = (0..<17).map { _ in "[10,20]" }.joined(separator: ",")
    let scores = (0..<17).map { _ in "0.9" }.joined(separator: ",")
    let text =
      "{\"meta_info\": {}, \"instance_info\": [{\"frame_id\": 1, \"instances\": "
      + "[{\"keypoints\": [\(points)], \"keypoint_scores\": [\(scores)]}]}]}"
    let data = try DataFolder()
    try data.write(text, to: "run/anna.json")
    try data.write("{\"note\": 1}", to: "run/notes.json")
    let listing = try ActionClassifierDataSource.labeledDirectories(at: data.url).listing()
    #expect(listing.annotations.map(\.url.lastPathComponent) == ["anna.json"])
  }
}
