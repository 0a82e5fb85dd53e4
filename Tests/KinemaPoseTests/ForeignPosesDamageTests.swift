import Foundation
import KinemaPose
import KinemaTestSupport
import Testing

/// Files of other tools that are cut off, or say what cannot be.
@Suite("Damaged poses of other tools")
struct ForeignPosesDamageTests {
  private let files: ForeignFiles

  init() throws { files = try ForeignFiles() }

  @Test("what is cut off is refused with the file and the place, or read as far as it goes")
  func cutOff() throws {
    let list = ForeignFiles.list(ForeignFiles.coco)
    let texts = [
      ("o.json", ForeignFiles.openPose(list)),
      ("a.json", #"[{"image_id":"1.jpg","category_id":1,"keypoints":[\#(list)],"idx":1}]"#),
      (
        "c.json",
        #"{"images":[{"id":1,"width":200,"height":100,"file_name":"a"}],"annotations":[{"image_id":1,"#
          + #""keypoints":[\#(list)]}],"categories":[]}"#
      ),
    ]
    for (name, text) in texts {
      #expect(
        try PoseSequence(contentsOf: files.write(name, text), size: ForeignFiles.size).frames.count
          == 1)
      for count in stride(from: 1, to: text.utf8.count - 1, by: 7) {
        let url = try files.write(name, String(text.prefix(count)))
        let error = expectError(PoseError.self) {
          try PoseSequence(contentsOf: url, size: ForeignFiles.size)
        }
        #expect(error?.message.contains(name) == true)
      }
    }
  }

  @Test(
    "what cannot be is refused in a sentence with the place",
    arguments: [
      (#"[{"image_id":1,"keypoints":[1,2,3,4]}]"#, "has 4 values"),
      (#"[{"image_id":1,"keypoints":[1,2,"x"]}]"#, "at byte"),
      (#"[{"keypoints":[1,2,3],"image_id":null}]"#, "at byte"),
      (#"{"people":[{"pose_keypoints_2d":[1,2]}]}"#, "has 2 values"),
      (#"{"pose_keypoints_2d":[],"person":1}"#, "no list “people”"),
      (
        #"{"images":[],"categories":[],"annotations":[{"image_id":5,"keypoints":[]}]}"#,
        "is of image 5, which is not among its images"
      ),
      (
        #"{"images":[{"id":1,"file_name":"a"}],"categories":[],"annotations":[{"image_id":1,"bbox":[]}]}"#,
        "none of its annotations has keypoints"
      ),
      ("x0,y0,x11,y11,x12,y12,x23,y23,x24,y24,x32,y32\n1,a\n", "“a” in row 2 is not a number"),
      (
        "PathFileType\t4\n\n\nFrame#\tTime\tHead\n\t\tX1\n1\t0\t1\t2\t3\n",
        "no names of both shoulders"
      ),
    ])
  func damaged(text: String, sentence: String) throws {
    let url = try files.write("poses.txt", text)
    let error = expectError(PoseError.self) { try PoseSequence(contentsOf: url) }
    #expect(error?.code == .malformed)
    let message = error?.message ?? ""
    #expect(message.contains("poses.txt") && message.contains(sentence), "\(message)")
  }

  @Test("a frame cannot have more people than a pose file")
  func tooManyPeople() throws {
    let person = #"{"image_id":1,"keypoints":[\#(ForeignFiles.list(ForeignFiles.coco))]}"#
    let count = PoseFile.largestPersonCount + 1
    let url = try files.write(
      "crowd.json", "[" + Array(repeating: person, count: count).joined(separator: ",") + "]")
    let error = expectError(PoseError.self) {
      try PoseSequence(contentsOf: url, size: ForeignFiles.size)
    }
    #expect(error?.message.contains("over 65536 persons") == true)
  }

  @Test("tables and lists of other things are no poses")
  func others() throws {
    for text in [
      "file_name,label,start_time,end_time\na.mp4,squats,0,1\n", #"[{"a":1}]"#, "x,y\n1,2\n",
      #"{"database":{}}"#, "", "video,x0,y0\n",
    ] {
      #expect(!PoseFile.isReadable(try files.write("other.txt", text)), "\(text)")
    }
    #expect(!PoseFile.isReadable(files.folder.url))
  }
}
