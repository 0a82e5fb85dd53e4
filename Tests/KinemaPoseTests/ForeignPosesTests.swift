import Foundation
import KinemaPose
import KinemaTestSupport
import Testing

/// Files as other tools lay them out, made by hand.
@Suite("Poses of other tools")
struct ForeignPosesTests {
  private let folder: TemporaryFolder
  private static let size = CGSize(width: 200, height: 100)

  init() throws { folder = try TemporaryFolder() }

  // MARK: - What is written

  /// Where the points of a person are, in pixels; the others are missing.
  private static let pixels: [JointKey: SIMD2<Double>] = [
    .nose: [100, 10], .rightShoulder: [90, 20], .leftShoulder: [110, 24], .rightHip: [92, 50],
    .leftHip: [108, 50], .rightAnkle: [90, 90], .leftWrist: [130, 40],
  ]
  private static let coco: [JointKey] = [
    .nose, .leftEye, .rightEye, .leftEar, .rightEar, .leftShoulder, .rightShoulder, .leftElbow,
    .rightElbow, .leftWrist, .rightWrist, .leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle,
    .rightAnkle,
  ]
  private static let body25: [JointKey] = [
    .nose, .neck, .rightShoulder, .rightElbow, .rightWrist, .leftShoulder, .leftElbow, .leftWrist,
    .root, .rightHip, .rightKnee, .rightAnkle, .leftHip, .leftKnee, .leftAnkle, .rightEye, .leftEye,
    .rightEar, .leftEar,
  ]
  /// The numbers of MediaPipe's landmarks.
  private static let mediaPipe: [JointKey: Int] = [
    .nose: 0, .leftShoulder: 11, .rightShoulder: 12, .leftWrist: 15, .leftHip: 23, .rightHip: 24,
    .rightAnkle: 28,
  ]
  private static let mediaPipeNames: [JointKey: String] = [
    .nose: "NOSE", .leftShoulder: "LEFT_SHOULDER", .rightShoulder: "RIGHT_SHOULDER",
    .leftWrist: "LEFT_WRIST", .leftHip: "LEFT_HIP", .rightHip: "RIGHT_HIP",
    .rightAnkle: "RIGHT_ANKLE",
  ]

  /// A list x, y, confidence in an order of points.
  private static func list(
    _ keys: [JointKey?], count: Int? = nil, confidence: Double = 0.8, shift: Double = 0
  ) -> String {
    let values = keys.flatMap { key -> [Double] in
      guard let place = key.flatMap({ pixels[$0] }) else { return [0, 0, 0] }
      return [place.x + shift, place.y, confidence]
    }
    let rest = Array(repeating: 0.0, count: 3 * ((count ?? keys.count) - keys.count))
    return (values + rest).map { "\($0)" }.joined(separator: ",")
  }

  private func file(_ name: String, _ text: String) throws -> URL {
    let url = folder.url(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    return url
  }

  private func openPose(_ list: String, id: Int = -1) -> String {
    """
    {"version":1.3,"people":[{"person_id":[\(id)],"pose_keypoints_2d":[\(list)],"face_keypoints_2d":[]}]}
    """
  }

  /// Checks that a pose is the person above, whose confidence is 0.8 where it has one.
  private func check(_ pose: Pose, confidence: Float = 0.8, hasNeck: Bool = true) {
    let neck: [JointKey: SIMD2<Double>] = hasNeck ? [.neck: [100, 22]] : [:]
    let places = Self.pixels.merging(neck) { one, _ in one }
    #expect(Set(pose.keypoints.keys) == Set(places.keys))
    for (key, place) in places {
      let point = pose.keypoints[key]
      let expected = SIMD2(Float(place.x / 200), Float(1 - place.y / 100))
      let error = (point?.position ?? .zero) - expected
      #expect(abs(error.x) < 1e-4 && abs(error.y) < 1e-4, "\(key)")
      #expect(abs((point?.confidence ?? 0) - confidence) < 1e-4, "\(key)")
    }
  }

  /// Seconds of frames without times.
  private static func times(_ numbers: [Double]) -> [Double] { numbers.map { $0 / 30 } }

  // MARK: - Formats

  @Test(
    "OpenPose's folder: the numbers of the files are the frames, y is turned up, the neck is made",
    arguments: [25, 18])
  func openPoseFolder(pointCount: Int) throws {
    let keys = pointCount == 25 ? Self.body25 : JointKey.body
    for number in [12, 3, 100] {
      let name = String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
      _ = try file(
        "out/clip_7_\(name)_keypoints.json", openPose(Self.list(keys, count: pointCount)))
    }
    let url = folder.url("out")
    let sequence = try PoseSequence(contentsOf: url, size: Self.size, frameRate: 10)
    #expect(sequence.frames.map(\.time) == [0.3, 1.2, 10])
    #expect(sequence.frames.allSatisfy { $0.size == Self.size })
    for frame in sequence.frames {
      #expect(frame.poses.map(\.personID) == [nil])
      check(try #require(frame.poses.first))
    }
    let thirty = try PoseSequence(contentsOf: url, size: Self.size)
    #expect(thirty.frames.map(\.time) == Self.times([3, 12, 100]))
  }

  @Test("pixels without a size are a question, in a sentence that says how to answer")
  func question() throws {
    let url = try file("frame.json", openPose(Self.list(Self.body25, count: 25)))
    let error = #expect(throws: PoseError.self) { try PoseSequence(contentsOf: url) }
    #expect(error?.message.contains("frame.json has places in pixels") == true)
    #expect(error?.message.contains("--size 1920x1080") == true)
    let sized = try file(
      "sized.json",
      "[" + openPose(Self.list(Self.body25, count: 25)).dropLast()
        + #","canvas_width":200,"canvas_height":100}]"#)
    check(try #require(try PoseSequence(contentsOf: sized).frames.first?.poses.first))
  }

  @Test(
    "AlphaPose's results: images by the number in their names, people by idx",
    arguments: [17, 26, 136, 133])
  func alphaPose(pointCount: Int) throws {
    func person(_ image: String, _ id: Int, shift: Double = 0) -> String {
      let list = Self.list(Self.coco, count: pointCount, shift: shift)
      return #"{"image_id":"\#(image)","category_id":1,"keypoints":[\#(list)],"score":2.5,"#
        + #""box":[1,2,3,4],"idx":\#(id)}"#
    }
    let url = try file(
      "alphapose-results.json",
      "["
        + [person("10.jpg", 2), person("2.jpg", 2), person("2.jpg", 5, shift: 40)]
        .joined(separator: ",\n") + "]")
    let frames = try PoseSequence(contentsOf: url, size: Self.size).frames
    #expect(frames.map(\.time) == Self.times([2, 10]))
    #expect(frames.map { $0.poses.map(\.personID) } == [[2, 5], [2]])
    for frame in frames { check(try #require(frame.poses.first)) }
  }

  @Test(
    "MMPose's predictions: frames from 1, or the people of one picture, by the names of their points"
  )
  func mmPose() throws {
    let numbers = Self.list(Self.coco).split(separator: ",").map(String.init)
    let count = numbers.count / 3
    let points = (0..<count).map { "[\(numbers[3 * $0]),\(numbers[3 * $0 + 1])]" }
    let scores = (0..<count).map { numbers[3 * $0 + 2] }
    func person(_ points: [String], _ scores: [String]) -> String {
      "{\"keypoints\":[\(points.joined(separator: ","))],\"keypoint_scores\":"
        + "[\(scores.joined(separator: ","))],\"bbox\":[[1,2,3,4]],\"bbox_score\":0.9}"
    }
    let one = person(points, scores)
    let video = try file(
      "video.json",
      "{\"meta_info\":{\"dataset_name\":\"coco\"},\"instance_info\":[{\"frame_id\":1,\"instances\":[\(one)]},"
        + "{\"frame_id\":3,\"instances\":[\(one),\(one)]},{\"frame_id\":4,\"instances\":[]}]}")
    let frames = try PoseSequence(contentsOf: video, size: Self.size).frames
    #expect(frames.map(\.time) == Self.times([0, 2, 3]))
    #expect(frames.map(\.poses.count) == [1, 2, 0])
    for frame in frames.dropLast() { check(try #require(frame.poses.first)) }
    let picture = try file("picture.json", "[\(one),\(one)]")
    #expect(try PoseSequence(contentsOf: picture, size: Self.size).frames.map(\.poses.count) == [2])
    // Points in another order than their number would say.
    let names = [
      "nose", "left_eye", "right_eye", "left_ear", "right_ear", "left_shoulder", "right_shoulder",
      "left_elbow", "right_elbow", "left_wrist", "right_wrist", "left_hip", "right_hip",
      "left_knee", "right_knee", "left_ankle", "right_ankle",
    ]
    let named = names.reversed().enumerated().map { "\"\($0.offset)\":\"\($0.element)\"" }
    let reversed = try file(
      "named.json",
      "{\"meta_info\":{\"keypoint_id2name\":{\(named.joined(separator: ","))}},\"instance_info\":"
        + "[\(person(points.reversed(), scores.reversed()))]}")
    check(
      try #require(PoseSequence(contentsOf: reversed, size: Self.size).frames.first?.poses.first))
    let damaged = try file("damaged.json", "[{\"keypoints\":[[1,2]],\"keypoint_scores\":[1,1]}]")
    #expect(throws: PoseError.self) { try PoseSequence(contentsOf: damaged, size: Self.size) }
  }

  @Test("equal ids in one frame are none: the people are tracked as those of files without ids")
  func sharedIDs() throws {
    let list = Self.list(Self.coco)
    let person = #"{"image_id":"1.jpg","keypoints":[\#(list)],"idx":0}"#
    let url = try file("results.json", "[\(person),\(person)]")
    let poses = try PoseSequence(contentsOf: url, size: Self.size).frames[0].poses
    #expect(poses.map(\.personID) == [nil, nil])
  }

  @Test("COCO's keypoints: sizes and order of the file, points by their names, flags")
  func coco() throws {
    // Not in the usual order, so that names must be read.
    let keys = Array(Self.coco.reversed())
    let names = keys.map { key in
      key.rawValue.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : "\($1)" }
    }
    let url = try file(
      "people.json",
      """
      {"annotations":[
      {"id":1,"image_id":9,"category_id":1,"keypoints":[\(Self.list(keys, confidence: 2))],"track_id":3},
      {"id":2,"image_id":4,"category_id":1,"keypoints":[\(Self.list(keys, confidence: 1))],"track_id":3},
      {"id":3,"image_id":4,"category_id":2,"bbox":[0,0,1,1]}],
      "images":[{"id":9,"file_name":"b.jpg","width":200,"height":100},
      {"id":4,"file_name":"a.jpg","width":200,"height":100},{"id":6,"width":200,"height":100}],
      "categories":[{"id":1,"name":"person","keypoints":\(names)},{"id":2,"name":"chair"}]}
      """)
    let frames = try PoseSequence(contentsOf: url).frames
    #expect(frames.map(\.time) == Self.times([0, 1, 2]))
    #expect(frames.map { $0.poses.map(\.personID) } == [[3], [], [3]])
    #expect(frames.allSatisfy { $0.size == Self.size })
    check(try #require(frames[0].poses.first), confidence: 0.1)
    check(try #require(frames[2].poses.first), confidence: 1)
  }

  @Test(
    "tables of MediaPipe's landmarks, as scripts name their columns",
    arguments: ["named", "numbered", "padded", "fromOne", "axisFirst", "long"])
  func mediaPipe(shape: String) throws {
    func cells(_ key: JointKey?) -> [String] {
      guard let place = key.flatMap({ Self.pixels[$0] }) else { return ["0.5", "0.5", "0", "0"] }
      return ["\(place.x / 200)", "\(place.y / 100)", "-0.1", "0.8"]
    }
    let axes = ["x", "y", "z", "visibility"]
    var (header, row): ([String], [String]) = (["frame", "timestamp_ms"], [])
    var long = ""
    for number in 0..<33 {
      let key = Self.mediaPipe.first { $0.value == number }?.key
      row += cells(key)
      let name = key.flatMap { Self.mediaPipeNames[$0] } ?? "MOUTH_\(number)"
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
    let frames = try PoseSequence(contentsOf: try file("landmarks.csv", text)).frames
    #expect(frames.map(\.poses.count) == (shape == "long" ? [1, 1] : [1, 0, 1]))
    #expect(abs((frames.last?.time ?? 0) - 0.07) < 1e-9)
    for pose in frames.flatMap(\.poses) { check(pose) }
    #expect(frames[0].size == nil)
    // Fractions need no size; it is known where it is named.
    let sized = try PoseSequence(contentsOf: folder.url("landmarks.csv"), size: Self.size).frames
    #expect(sized[0].size == Self.size)
  }

  @Test("NTU RGB+D's skeletons: Kinect's joints in its colour picture")
  func kinect() throws {
    let numbers: [JointKey: Int] = [
      .neck: 2, .leftShoulder: 4, .rightShoulder: 8, .leftWrist: 6, .leftHip: 12, .rightHip: 16,
      .rightAnkle: 18,
    ]
    let joints = (0..<25).map { number -> String in
      let key = numbers.first { $0.value == number }?.key
      let place = key.flatMap { $0 == .neck ? SIMD2(100, 22) : Self.pixels[$0] } ?? .zero
      let (x, y) = (place.x * 1920 / 200, place.y * 1080 / 100)
      let state = key == nil ? 0 : key == .leftWrist ? 1 : 2
      return "0.1 0.2 3.5 250.1 200.2 \(x) \(y) 0 0 0 0 \(state)"
    }
    let person =
      "72057594037931101 0 1 1 1 1 0 0.02 -0.1 2\n25\n" + joints.joined(separator: "\n") + "\n"
    let text = "3\n0\n1\n\(person)1\n\(person)"
    let frames = try PoseSequence(contentsOf: file("S001.skeleton", text)).frames
    #expect(frames.map(\.time) == Self.times([0, 1, 2]))
    #expect(frames.map { $0.poses.map(\.personID) } == [[], [37_931_101], [37_931_101]])
    #expect(frames[0].size == CGSize(width: 1920, height: 1080))
    let pose = try #require(frames[1].poses.first)
    #expect(Set(pose.keypoints.keys) == Set(numbers.keys))
    #expect(pose.keypoints[.leftWrist]?.confidence == 0.1)
    for (key, place) in Self.pixels where key != .nose {
      let found = pose.keypoints[key]?.position ?? .zero
      #expect(abs(Double(found.x) - place.x / 200) < 1e-4, "\(key)")
      #expect(abs(Double(found.y) - 1 + place.y / 100) < 1e-4, "\(key)")
    }
    for count in stride(from: 400, to: text.utf8.count - 2, by: 211) {
      let url = try file("S001.skeleton", String(text.prefix(count)))
      let error = #expect(throws: PoseError.self) { try PoseSequence(contentsOf: url) }
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
      let url = try file("walk.trc", text)
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

  // MARK: - Damage

  @Test("what is cut off is refused with the file and the place, or read as far as it goes")
  func cutOff() throws {
    let list = Self.list(Self.coco)
    let texts = [
      ("o.json", openPose(list)),
      ("a.json", #"[{"image_id":"1.jpg","category_id":1,"keypoints":[\#(list)],"idx":1}]"#),
      (
        "c.json",
        #"{"images":[{"id":1,"width":200,"height":100,"file_name":"a"}],"annotations":[{"image_id":1,"#
          + #""keypoints":[\#(list)]}],"categories":[]}"#
      ),
    ]
    for (name, text) in texts {
      #expect(try PoseSequence(contentsOf: file(name, text), size: Self.size).frames.count == 1)
      for count in stride(from: 1, to: text.utf8.count - 1, by: 7) {
        let url = try file(name, String(text.prefix(count)))
        let error = #expect(throws: PoseError.self) {
          try PoseSequence(contentsOf: url, size: Self.size)
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
    let url = try file("poses.txt", text)
    let error = #expect(throws: PoseError.self) { try PoseSequence(contentsOf: url) }
    #expect(error?.code == .malformed)
    let message = error?.message ?? ""
    #expect(message.contains("poses.txt") && message.contains(sentence), "\(message)")
  }

  @Test("a frame cannot have more people than a pose file")
  func tooManyPeople() throws {
    let person = #"{"image_id":1,"keypoints":[\#(Self.list(Self.coco))]}"#
    let count = PoseFile.largestPersonCount + 1
    let url = try file(
      "crowd.json", "[" + Array(repeating: person, count: count).joined(separator: ",") + "]")
    let error = #expect(throws: PoseError.self) {
      try PoseSequence(contentsOf: url, size: Self.size)
    }
    #expect(error?.message.contains("over 65536 persons") == true)
  }

  @Test("tables and lists of other things are no poses")
  func others() throws {
    for text in [
      "file_name,label,start_time,end_time\na.mp4,squats,0,1\n", #"[{"a":1}]"#, "x,y\n1,2\n",
      #"{"database":{}}"#, "", "video,x0,y0\n",
    ] {
      #expect(!PoseFile.isReadable(try file("other.txt", text)), "\(text)")
    }
    #expect(!PoseFile.isReadable(folder.url))
  }
}
