import Foundation
import KinemaTestSupport
import KinemaTraining
import Testing

@Suite("Columns of times in tables")
struct TableTimesTests {
  private let folder: DataFolder

  init() throws {
    folder = try DataFolder(["a.mp4", "b.mp4"])
  }

  private func listing(_ text: String, _ name: String = "labels.csv") throws -> DataListing {
    try folder.write(text, to: name)
    return try ActionClassifierDataSource.automatic(at: folder.file(name)).listing()
  }

  @Test(
    "times are understood by what their columns are called",
    arguments: [
      ("start_time,end_time", "1.5,3", "1.5 | 3.0"), ("start_sec,end_sec", "1.5,3", "1.5 | 3.0"),
      ("Start (s),End (s)", "1.5,3", "1.5 | 3.0"), ("from,to", "1.5,3", "1.5 | 3.0"),
      ("FROM,Until", "0:01.5,0:03", "1.5 | 3.0"), ("begin,end", "1.5,3", "1.5 | 3.0"),
      ("Begin Time - ss.msec,End Time - ss.msec", "1.5,3", "1.5 | 3.0"),
      ("startSeconds,endSeconds", "1.5,3", "1.5 | 3.0"), ("t_start,t_end", "1.5,3", "1.5 | 3.0"),
      ("tstart,tend", "1.5,3", "1.5 | 3.0"), ("start-ms,stop-ms", "1500,3000", "1.5 | 3.0"),
      ("start minutes,end minutes", "0.025,0.05", "1.5 | 3.0"),
      ("onset,duration", "1.5,1.5", "1.5 | 3.0"), ("onset,offset", "1.5,3", "1.5 | 3.0"),
      ("start_ms,duration_ms", "1500,1500", "1.5 | 3.0"),
      ("start,length_ms", "1.5,1500", "1.5 | 3.0"),
      ("von,bis", "1.5,3", "1.5 | 3.0"), ("segment_start,segment_end", "1.5,3", "1.5 | 3.0"),
      ("start_frame,end_frame", "10,40", "#10 | #40"),
      ("StartFrame,StopFrame", "10,40", "#10 | #40"), ("startframe,endframe", "10,40", "#10 | #40"),
      ("frame start,frame end", "10,40", "#10 | #40"),
      ("First Frame,Last Frame", "10,40", "#10 | #40"),
      ("begin_frame_number,duration_frames", "10,30", "#10 | #40"),
      // Beside times of both kinds, seconds count; a length is not needed beside an end.
      ("start_frame,end_frame,start_time,end_time", "10,40,1.5,3", "1.5 | 3.0"),
      ("start,end,duration", "1.5,3,20", "1.5 | 3.0"),
      ("start,end,n_frames,fps,video_duration,person_id", "1.5,3,900,30,30,x", "1.5 | 3.0"),
    ])
  func understood(columns: String, times: String, expected: String) throws {
    let listing = try listing("file_name,label,\(columns)\na.mp4,squats,\(times)\n")
    #expect(listing.lines == ["a.mp4 | squats | \(expected)"])
    #expect(listing.findings.isEmpty)
  }

  @Test(
    "a column that looks like a time and is not understood refuses the file",
    arguments: [
      "time", "Timestamp", "frame", "offset", "duration", "start_h", "rep_start", "time1",
      "segment", "out_point", "frame_index", "Start (unknown)", "length",
    ])
  func refused(column: String) throws {
    let error = expectError(TrainingError.self) {
      try listing("file_name,label,\(column)\na.mp4,squats,3\nb.mp4,other,4\n")
    }
    #expect(error?.code == .badData)
    #expect(
      error?.message.hasPrefix("labels.csv has the column “\(column)”, which looks like a time")
        == true, "\(error?.message ?? "")")
    let json = expectError(TrainingError.self) {
      try listing(
        "[{\"file_name\":\"a.mp4\",\"label\":\"squats\",\"\(column)\":[1,3]}]", "labels.json")
    }
    #expect(json?.message.contains("“\(column)”") == true)
  }

  @Test("columns that are no times are ignored")
  func ignored() throws {
    let listing = try listing(
      "file_name,label,id,note,frame_rate,num_frames,frame_count,frame_width,upload_time,camera,"
        + "first_name,body_length,video_duration,segment_id,count,date\n"
        + "a.mp4,squats,1,x,30,900,900,640,12:00,left,Anna,1.8,30,7,3,2026-01-01\n")
    #expect(listing.lines == ["a.mp4 | squats | – | –"])
    #expect(listing.findings.isEmpty)
  }

  @Test("names of columns are read in any spelling")
  func spelling() throws {
    for header in ["File Name, Label ", "FILENAME,LABEL", "fileName,Class", "Video-Path,ACTION"] {
      #expect(try listing("\(header)\na.mp4,squats\n").lines == ["a.mp4 | squats | – | –"])
    }
  }

  @Test("a frame that is no number, or too large a one, is an error of its row")
  func badFrames() throws {
    let listing = try listing(
      "file_name,label,start_frame,end_frame\na.mp4,x,1.5,3\na.mp4,x,1,1e300\na.mp4,x,1,9e18\n"
        + "a.mp4,x,soon,3\n")
    #expect(listing.annotations.isEmpty)
    #expect(listing.findings.map(\.kind) == Array(repeating: .badAnnotation, count: 4))
  }

  @Test("two labels for one whole video are an error")
  func conflict() throws {
    let listing = try listing("file_name,label,phase\na.mp4,squats,1\na.mp4,lunges,2\n")
    let data = DataListing(annotations: listing.annotations)
    let early = EarlyFindings(
      training: data, validation: DataListing(), test: DataListing(), windowSize: 60,
      frameRate: 30, seconds: { _ in nil })
    #expect(early.training.errors.map(\.kind).contains(.overlap))
  }

  @Test("a folder in place of a table is an error that says so")
  func folderAsTable() throws {
    let error = expectError(TrainingError.self) {
      try ActionClassifierDataSource.directoryWithVideosAndAnnotation(
        at: folder.url, annotationFile: folder.url, videoColumn: "clip"
      ).listing()
    }
    #expect(error?.message.contains("is a folder, not an annotation file") == true)
  }
}
