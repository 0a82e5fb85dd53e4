import Foundation
import KinemaTraining
import Testing

@Suite("Numbers of annotation files that no frame and no time can have")
struct LargeNumbersTests {
  private static let numbers = ["1e19", "-1e19", "9223372036854775807", "1e300", "1e11"]

  @Test("each is an error of its row in every format", arguments: numbers)
  func refused(number: String) throws {
    let folder = try DataFolder(["a.mp4"])
    let files = [
      ("t.csv", "file_name,label,start_time,end_time\na.mp4,x,0,\(number)\n"),
      ("f.csv", "file_name,label,start_frame,end_frame\na.mp4,x,\(number),\(number)\n"),
      ("d.csv", "file_name,label,start,duration_ms\na.mp4,x,\(number),1e300\n"),
      ("t.json", "[{\"file_name\":\"a.mp4\",\"label\":\"x\",\"start_time\":\(number)}]"),
      ("r.csv", "type,name,count,L1,L2\nx,a.mp4,1,1,\(number)\n"),
      (
        "ls.json",
        "[{\"data\":{\"video\":\"a.mp4\"},\"annotations\":[{\"result\":[{\"value\":{\"ranges\":"
          + "[{\"start\":1,\"end\":\(number)}],\"timelinelabels\":[\"x\"]}}]}]}]"
      ),
      (
        "lu.json",
        "[{\"fileName\":\"a.mp4\",\"result\":{\"annotations\":[{\"result\":[{\"start\":0,\"end\":"
          + "\(number),\"label\":\"x\"}]}]}}]"
      ),
    ]
    for (name, text) in files {
      try folder.write(text, to: name)
      let listing = try ActionClassifierDataSource.automatic(at: folder.file(name)).listing()
      #expect(listing.annotations.isEmpty, "\(name)")
      #expect(listing.findings.errors.count == 1, "\(name)")
    }
  }

  @Test("a time beyond every video is a warning of its segment")
  func beyond() throws {
    let folder = try DataFolder(["a.mp4"])
    try folder.write("file_name,label,start_time,end_time\na.mp4,x,0,9e9\n", to: "l.csv")
    let listing = try ActionClassifierDataSource.automatic(at: folder.file("l.csv")).listing()
    let early = EarlyFindings(
      training: listing, validation: DataListing(), test: DataListing(), windowSize: 60,
      frameRate: 30, seconds: { _ in 5 })
    #expect(early.training.map(\.kind).contains(.pastEnd))
  }
}
