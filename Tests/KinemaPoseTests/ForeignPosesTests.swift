import Foundation
import KinemaPose
import KinemaTestSupport
import Testing

/// Files as other tools lay them out.
@Suite("Poses of other tools")
struct ForeignPosesTests {
  private let files: ForeignFiles

  init() throws { files = try ForeignFiles() }

  @Test(
    "OpenPose's folder: the numbers of the files are the frames, y is turned up, the neck is made",
    arguments: [25, 18])
  func openPoseFolder(pointCount: Int) throws {
    let keys = pointCount == 25 ? ForeignFiles.body25 : JointKey.body
    for number in [12, 3, 100] {
      let name = String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
      _ = try files.write(
        "out/clip_7_\(name)_keypoints.json",
        ForeignFiles.openPose(ForeignFiles.list(keys, count: pointCount)))
    }
    let url = files.folder.url("out")
    let sequence = try PoseSequence(contentsOf: url, size: ForeignFiles.size, frameRate: 10)
    #expect(sequence.frames.map(\.time) == [0.3, 1.2, 10])
    #expect(sequence.frames.allSatisfy { $0.size == ForeignFiles.size })
    for frame in sequence.frames {
      #expect(frame.poses.map(\.personID) == [nil])
      ForeignFiles.check(try #require(frame.poses.first))
    }
    let thirty = try PoseSequence(contentsOf: url, size: ForeignFiles.size)
    #expect(thirty.frames.map(\.time) == ForeignFiles.times([3, 12, 100]))
  }

  @Test("pixels without a size are a question, in a sentence that says how to answer")
  func question() throws {
    let url = try files.write(
      "frame.json", ForeignFiles.openPose(ForeignFiles.list(ForeignFiles.body25, count: 25)))
    let error = expectError(PoseError.self) { try PoseSequence(contentsOf: url) }
    #expect(error?.message.contains("frame.json has places in pixels") == true)
    #expect(error?.message.contains("--size 1920x1080") == true)
    let sized = try files.write(
      "sized.json",
      "[" + ForeignFiles.openPose(ForeignFiles.list(ForeignFiles.body25, count: 25)).dropLast()
        + #","canvas_width":200,"canvas_height":100}]"#)
    ForeignFiles.check(try #require(try PoseSequence(contentsOf: sized).frames.first?.poses.first))
  }

  @Test(
    "AlphaPose's results: images by the number in their names, people by idx",
    arguments: [17, 26, 136, 133])
  func alphaPose(pointCount: Int) throws {
    func person(_ image: String, _ id: Int, shift: Double = 0) -> String {
      let list = ForeignFiles.list(ForeignFiles.coco, count: pointCount, shift: shift)
      return #"{"image_id":"\#(image)","category_id":1,"keypoints":[\#(list)],"score":2.5,"#
        + #""box":[1,2,3,4],"idx":\#(id)}"#
    }
    let url = try files.write(
      "alphapose-results.json",
      "["
        + [person("10.jpg", 2), person("2.jpg", 2), person("2.jpg", 5, shift: 40)]
        .joined(separator: ",\n") + "]")
    let frames = try PoseSequence(contentsOf: url, size: ForeignFiles.size).frames
    #expect(frames.map(\.time) == ForeignFiles.times([2, 10]))
    #expect(frames.map { $0.poses.map(\.personID) } == [[2, 5], [2]])
    for frame in frames { ForeignFiles.check(try #require(frame.poses.first)) }
  }

  @Test(
    "MMPose's predictions: frames from 1, or the people of one picture, by the names of their points"
  )
  func mmPose() throws {
    let numbers = ForeignFiles.list(ForeignFiles.coco).split(separator: ",").map(String.init)
    let count = numbers.count / 3
    let points = (0..<count).map { "[\(numbers[3 * $0]),\(numbers[3 * $0 + 1])]" }
    let scores = (0..<count).map { numbers[3 * $0 + 2] }
    func person(_ points: [String], _ scores: [String]) -> String {
      "{\"keypoints\":[\(points.joined(separator: ","))],\"keypoint_scores\":"
        + "[\(scores.joined(separator: ","))],\"bbox\":[[1,2,3,4]],\"bbox_score\":0.9}"
    }
    let one = person(points, scores)
    let video = try files.write(
      "video.json",
      "{\"meta_info\":{\"dataset_name\":\"coco\"},\"instance_info\":[{\"frame_id\":1,\"instances\":[\(one)]},"
        + "{\"frame_id\":3,\"instances\":[\(one),\(one)]},{\"frame_id\":4,\"instances\":[]}]}")
    let frames = try PoseSequence(contentsOf: video, size: ForeignFiles.size).frames
    #expect(frames.map(\.time) == ForeignFiles.times([0, 2, 3]))
    #expect(frames.map(\.poses.count) == [1, 2, 0])
    for frame in frames.dropLast() { ForeignFiles.check(try #require(frame.poses.first)) }
    let picture = try files.write("picture.json", "[\(one),\(one)]")
    #expect(
      try PoseSequence(contentsOf: picture, size: ForeignFiles.size).frames.map(\.poses.count) == [
        2
      ])
    // Points in another order than their number would say.
    let names = [
      "nose", "left_eye", "right_eye", "left_ear", "right_ear", "left_shoulder", "right_shoulder",
      "left_elbow", "right_elbow", "left_wrist", "right_wrist", "left_hip", "right_hip",
      "left_knee", "right_knee", "left_ankle", "right_ankle",
    ]
    let named = names.reversed().enumerated().map { "\"\($0.offset)\":\"\($0.element)\"" }
    let reversed = try files.write(
      "named.json",
      "{\"meta_info\":{\"keypoint_id2name\":{\(named.joined(separator: ","))}},\"instance_info\":"
        + "[\(person(points.reversed(), scores.reversed()))]}")
    ForeignFiles.check(
      try #require(
        PoseSequence(contentsOf: reversed, size: ForeignFiles.size).frames.first?.poses.first))
    let damaged = try files.write(
      "damaged.json", "[{\"keypoints\":[[1,2]],\"keypoint_scores\":[1,1]}]")
    #expect(throws: PoseError.self) {
      try PoseSequence(contentsOf: damaged, size: ForeignFiles.size)
    }
  }

  @Test("equal ids in one frame are none: the people are tracked as those of files without ids")
  func sharedIDs() throws {
    let list = ForeignFiles.list(ForeignFiles.coco)
    let person = #"{"image_id":"1.jpg","keypoints":[\#(list)],"idx":0}"#
    let url = try files.write("results.json", "[\(person),\(person)]")
    let poses = try PoseSequence(contentsOf: url, size: ForeignFiles.size).frames[0].poses
    #expect(poses.map(\.personID) == [nil, nil])
  }

  @Test("COCO's keypoints: sizes and order of the file, points by their names, flags")
  func coco() throws {
    // Not in the usual order, so that names must be read.
    let keys = Array(ForeignFiles.coco.reversed())
    let names = keys.map { key in
      key.rawValue.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : "\($1)" }
    }
    let url = try files.write(
      "people.json",
      """
      {"annotations":[
      {"id":1,"image_id":9,"category_id":1,"keypoints":[\(ForeignFiles.list(keys, confidence: 2))],"track_id":3},
      {"id":2,"image_id":4,"category_id":1,"keypoints":[\(ForeignFiles.list(keys, confidence: 1))],"track_id":3},
      {"id":3,"image_id":4,"category_id":2,"bbox":[0,0,1,1]}],
      "images":[{"id":9,"file_name":"b.jpg","width":200,"height":100},
      {"id":4,"file_name":"a.jpg","width":200,"height":100},{"id":6,"width":200,"height":100}],
      "categories":[{"id":1,"name":"person","keypoints":\(names)},{"id":2,"name":"chair"}]}
      """)
    let frames = try PoseSequence(contentsOf: url).frames
    #expect(frames.map(\.time) == ForeignFiles.times([0, 1, 2]))
    #expect(frames.map { $0.poses.map(\.personID) } == [[3], [], [3]])
    #expect(frames.allSatisfy { $0.size == ForeignFiles.size })
    ForeignFiles.check(try #require(frames[0].poses.first), confidence: 0.1)
    ForeignFiles.check(try #require(frames[2].poses.first), confidence: 1)
  }

  @Test(
    "tables of MediaPipe's landmarks, as scripts name their columns",
    arguments: ["named", "numbered", "padded", "fromOne", "axisFirst", "long"])
  func mediaPipe(shape: String) throws {
    func cells(_ key: JointKey?) -> [String] {
      guard let place = key.flatMap({ ForeignFiles.pixels[$0] }) else {
        return ["0.5", "0.5", "0", "0"]
      }
      return ["\(place.x / 200)", "\(place.y / 100)", "-0.1", "0.8"]
    }
    let axes = ["x", "y", "z", "visibility"]
    var (header, row): ([String], [String]) = (["frame", "timestamp_ms"], [])
    var long = ""
    for number in 0..<33 {
      let key = ForeignFiles.mediaPipe.first { $0.value == number }?.key
      row += cells(key)
      let name = key.flatMap { ForeignFiles.mediaPipeNames[$0] } ?? "MOUTH_\(number)"
      long += "FRAME,TIME,\(number),\(cells(key).joined(separator: ","))\n"
      let columns =
        switch shape {
        case "named": axes.map { "\(name)_\($0)" }
        case "numbered": ["x\(number)", "y\(number)", "z\(number)", "v\(number)"]
        case "padded": axes.map { "landmark_\(number < 10 ? "0" : "")\(number)_\($0)" }
        case "fromOne": ["x\(number + 1)", "y\(number + 1)", "z\(number + 1)", "v\(number + 1)"]
        default: axes.map { "\($0)_\(name.lowercased())" }
        }
      header += columns
    }
    var text = header.joined(separator: ",") + "\r\n"
    let times = [0, 33.5, 70]
    if shape == "padded" { header[1] = "timestamp" }
    if shape == "long" { text = "frame,timestamp_ms,landmark_id,x,y,z,visibility\n" }
    for (index, time) in times.enumerated() {
      let isEmpty = index == 1
      if shape == "long" {
        guard !isEmpty else { continue }
        text += long.replacing("FRAME", with: "\(index)").replacing("TIME", with: "\(time)")
      } else {
        text +=
          (["\(index)", "\(time)"] + (isEmpty ? Array(repeating: "", count: 132) : row))
          .joined(separator: ",") + "\r\n"
      }
    }
    let frames = try PoseSequence(contentsOf: try files.write("landmarks.csv", text)).frames
    #expect(frames.map(\.poses.count) == (shape == "long" ? [1, 1] : [1, 0, 1]))
    #expect(abs((frames.last?.time ?? 0) - 0.07) < 1e-9)
    for pose in frames.flatMap(\.poses) { ForeignFiles.check(pose) }
    #expect(frames[0].size == nil)
    // Fractions need no size; it is known where it is named.
    let sized = try PoseSequence(
      contentsOf: files.folder.url("landmarks.csv"), size: ForeignFiles.size
    ).frames
    #expect(sized[0].size == ForeignFiles.size)
  }

  @Test("NTU RGB+D's skeletons: Kinect's joints in its colour picture")
  func kinect() throws {
    let numbers: [JointKey: Int] = [
      .neck: 2, .leftShoulder: 4, .rightShoulder: 8, .leftWrist: 6, .leftHip: 12, .rightHip: 16,
      .rightAnkle: 18,
    ]
    let joints = (0..<25).map { number -> String in
      let key = numbers.first { $0.value == number }?.key
      let place = key.flatMap { $0 == .neck ? SIMD2(100, 22) : ForeignFiles.pixels[$0] } ?? .zero
      let (x, y) = (place.x * 1920 / 200, place.y * 1080 / 100)
      let state = key == nil ? 0 : key == .leftWrist ? 1 : 2
      return "0.1 0.2 3.5 250.1 200.2 \(x) \(y) 0 0 0 0 \(state)"
    }
    let person =
      "72057594037931101 0 1 1 1 1 0 0.02 -0.1 2\n25\n" + joints.joined(separator: "\n") + "\n"
    let text = "3\n0\n1\n\(person)1\n\(person)"
    let frames = try PoseSequence(contentsOf: files.write("S001.skeleton", text)).frames
    #expect(frames.map(\.time) == ForeignFiles.times([0, 1, 2]))
    #expect(frames.map { $0.poses.map(\.personID) } == [[], [37_931_101], [37_931_101]])
    #expect(frames[0].size == CGSize(width: 1920, height: 1080))
    let pose = try #require(frames[1].poses.first)
    #expect(Set(pose.keypoints.keys) == Set(numbers.keys))
    #expect(pose.keypoints[.leftWrist]?.confidence == 0.1)
    for (key, place) in ForeignFiles.pixels where key != .nose {
      let found = pose.keypoints[key]?.position ?? .zero
      #expect(abs(Double(found.x) - place.x / 200) < 1e-4, "\(key)")
      #expect(abs(Double(found.y) - 1 + place.y / 100) < 1e-4, "\(key)")
    }
    for count in stride(from: 400, to: text.utf8.count - 2, by: 211) {
      let url = try files.write("S001.skeleton", String(text.prefix(count)))
      let error = expectError(PoseError.self) { try PoseSequence(contentsOf: url) }
      #expect(error?.message.contains("line ") == true)
    }
  }

  @Test("markers are seen from the front, whichever way the person and the axes point")
  func markers() throws {
    // Faces +x; y is up, or z.
    for isZUp in [false, true] {
      let places: [(String, SIMD3<Double>)] = [
        ("RShoulder", [0, 1.4, 0.2]), ("LShoulder", [0, 1.4, -0.2]), ("R_Hip", [0, 0.9, 0.1]),
        ("L_Hip", [0, 0.9, -0.1]), ("left_wrist", [0.3, 1.0, -0.4]), ("LBigToe", [0.2, 0, -0.1]),
        ("Neck", [0, 1.45, 0]),
      ]
      let cells = places.flatMap { _, place -> [String] in
        let axes = isZUp ? [place.x, -place.z, place.y] : [place.x, place.y, place.z]
        return axes.map { "\(1000 * $0)" }
      }
      let text = """
        PathFileType\t4\t(X/Y/Z)\ta.trc
        DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits
        50\t50\t2\t7\tmm
        Frame#\tTime\t\(places.map { "\($0.0)\t\t" }.joined(separator: "\t"))
        \t\tX1\tY1\tZ1

        1\t0.5\t\(cells.joined(separator: "\t"))
        2\t0.52\t\(Array(repeating: "", count: 21).joined(separator: "\t"))

        """
      let url = try files.write("walk.trc", text)
      let frames = try PoseSequence(contentsOf: url).frames
      #expect(frames.map(\.time) == [0.5, 0.52])
      #expect(frames.map(\.poses.count) == [1, 0])
      let pose = try #require(frames[0].poses.first)
      let size = try #require(frames[0].size)
      func place(_ key: JointKey) -> SIMD2<Double> {
        let point = pose.keypoints[key]?.position ?? .zero
        return SIMD2(Double(point.x) * size.width, Double(point.y) * size.height)
      }
      #expect(
        Set(pose.keypoints.keys) == [
          .rightShoulder, .leftShoulder, .rightHip, .leftHip, .leftWrist, .neck,
        ])
      // From the front the left is at the right of the picture; a metre has one length in both directions.
      let across = place(.leftShoulder) - place(.rightShoulder)
      let trunk =
        (place(.leftShoulder) + place(.rightShoulder) - place(.leftHip) - place(.rightHip)) / 2
      #expect(across.x > 0 && abs(across.y) < 1 && abs(trunk.x) < 1)
      #expect(abs(trunk.y / across.x - 0.5 / 0.4) < 0.02)
      #expect(place(.leftWrist).x > place(.leftShoulder).x)
    }
  }
}
