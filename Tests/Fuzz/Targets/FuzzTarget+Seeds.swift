package import Foundation
import KinemaAction
import KinemaModelFiles
import KinemaPose
import KinemaServer
import KinemaStudio
import KinemaTestSupport
import KinemaVideo

extension FuzzTarget {
  /// Inputs that are accepted, to begin with.
  package var seeds: [Data] {
    do {
      switch self {
      case .model: return try Self.models()
      case .picture: return [try Self.picture()]
      case .poseArchive:
        return [try Self.poses("npz", try FileSeed.poses())] + (try Self.archives())
      case .poseArrays: return [try Self.arrays()]
      case .poseLines: return [try Self.poses("jsonl", try FileSeed.poses())]
      case .project: return [try Self.project()]
      case .webSocket: return Self.frames
      default: return texts.map { Data($0.utf8) }
      }
    } catch {
      // The replay asks for a seed of every target.
      return []
    }
  }

  private var texts: [String] {
    switch self {
    case .annotation:
      [
        "file_name,label,start_time,end_time,person\na.mp4,squats,0,1.5,p1\nb.mp4,\"a, b\",1:02,1:04,\n",
        #"[{"file_name": "a.mp4", "label": "squats", "start_time": 0, "end_time": 1.5}]"#,
        """
        [{"id": 7, "data": {"video": "/data/upload/1/0a1b2c3d-clip.mp4"}, "annotations": [
          {"was_cancelled": false, "result": [{"type": "timelinelabels", "value": {"ranges": [
            {"start": 1, "end": 30}], "timelinelabels": ["jump"]}}]}]}]
        """,
        """
        [{"fileName": "clip.mp4", "result": {"duration": 20, "annotations": [
          {"toolName": "videoSegmentTool", "result": [
            {"id": "a", "start": 1, "end": 2.5, "label": "jump"}]}]}}]
        """,
        "type,name,count,L1,L2,L3,L4\nsquat,a.mp4,2,0,30,30,62\n",
      ]
    case .byteRange: ["bytes=0-99", "bytes=-5", "bytes=990-", "bytes=0-1,5-6"]
    case .clientMessage:
      [
        #"{"type":"start","source":{"kind":"server","id":"a"},"settings":{"stride":3},"resume":"k"}"#,
        #"{"type":"configure","settings":{"ignoredJoints":["nose"],"confidenceThreshold":0.5}}"#,
        #"{"type":"challenge","command":"start","items":[{"label":"squats","repetitions":3}]}"#,
        #"{"type":"report","latency":{"p50":1,"p95":2.5}}"#, #"{"type":"ping","time":1e3}"#,
        #"{"type":"pin","person":2}"#,
      ]
    case .counts: ["file,label,count\na.mp4,squats,12\n\"b,c.npz\",,0\n"]
    case .foreignPoses: foreignPoses
    case .modelPackage:
      [
        """
        {"fileFormatVersion": "1.0.0", "rootModelIdentifier": "A", "itemInfoEntries": {
          "A": {"path": "com.apple.CoreML/model.mlmodel", "name": "model.mlmodel"}}}
        """
      ]
    case .requestHead:
      [
        """
        GET /api/v1/history?limit=5&a=%20b HTTP/1.1\r
        Host: localhost:8642\r
        Cookie: kinema=abc; a=b\r
        Range: bytes=0-99\r
        Upgrade: websocket\r
        Connection: keep-alive, Upgrade\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
        Content-Length: 12\r
        \r

        """
      ]
    case .trainingLog:
      [
        """
        {"iteration":1,"trainingLoss":1.5,"trainingAccuracy":0.5,"validationLoss":null,"seconds":2}

        """
      ]
    default: []
    }
  }

  /// A person in each of the formats of other tools.
  private var foreignPoses: [String] {
    let points = Array(repeating: "320.5,120,0.9", count: 17).joined(separator: ",")
    let named = ["left_shoulder", "right_shoulder", "left_hip", "right_hip", "nose"]
    return [
      #"{"version":1.3,"people":[{"person_id":[-1],"pose_keypoints_2d":[\#(points),1,2,0.5]}]}"#,
      #"[{"image_id":"3.jpg","category_id":1,"keypoints":[\#(points)],"score":2,"idx":1}]"#,
      """
      {"images":[{"id":1,"width":640,"height":480,"file_name":"a.jpg"}],"annotations":[
      {"id":1,"image_id":1,"category_id":1,"keypoints":[\(points)],"track_id":4}],
      "categories":[{"id":1,"name":"person"}]}
      """,
      "frame,time_ms," + named.map { "\($0)_x,\($0)_y,\($0)_v" }.joined(separator: ",")
        + "\n0,0.5," + Array(repeating: "0.25,0.5,0.9", count: 5).joined(separator: ",") + "\n",
      "frame,time,person,joint,x,y,confidence,width,height\n0,0.0,1,nose,0.5,0.25,1,640,480\n",
      "1\n1\n72057594037931101 0 1 1 1 1 0 0.02 -0.1 2\n25\n"
        + Array(repeating: "0.1 0.2 3.5 250 200 960 540 0 0 0 0 2\n", count: 25).joined(),
      "PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tUnits\n30\tm\n"
        + "Frame#\tTime\tRShoulder\t\t\tLShoulder\t\t\tRHip\t\t\tLHip\t\t\n\t\tX1\tY1\tZ1\n\n"
        + "1\t0.0\t-0.2\t1.4\t0\t0.2\t1.4\t0\t-0.1\t0.9\t0\t0.1\t0.9\t0.1\n",
    ]
  }

  /// A model as `.mlmodel` and as ONNX.
  private static func models() throws -> [Data] {
    let bytes = try WristModel.bytes()
    let onnx = try ActionClassifier(bytes, name: "seed").onnxWriter.bytes()
    return [Data(bytes), Data(onnx)]
  }

  /// A person in the arrays of other tools.
  private static func archives() throws -> [Data] {
    let points = (0..<34).map { Float($0) }
    return [
      try NumPyArchive.data(of: [
        ("keypoint", NumPyArray(points, shape: [1, 1, 17, 2])),
        ("keypoint_score", NumPyArray([Float](repeating: 0.5, count: 17), shape: [1, 1, 17])),
        ("img_shape", NumPyArray([480, 640] as [Int32], shape: [2])),
      ]),
      try NumPyArchive.data(of: [("positions_2d", NumPyArray(points, shape: [1, 17, 2]))]),
    ]
  }

  // MARK: - Bytes

  private enum FileSeed {
    /// Three frames: nobody, one person, two.
    static func poses() throws -> PoseSequence {
      let frames = (0..<3).map { index in
        let poses = (0..<index).map { number in
          let point = SIMD2(Float(number) / 2 + 0.1, 0.25)
          return Pose(
            from: [.nose: JointPoint(.nose, position: point, confidence: 0.9)], personID: number + 1
          )
        }
        return PoseSequence.Frame(time: Double(index) / 30, poses: poses)
      }
      return PoseSequence(frames: frames)
    }
  }

  private static func poses(_ format: String, _ poses: PoseSequence) throws -> Data {
    let file = FileManager.default.temporaryDirectory.appending(
      path: "kinema-seed-\(UUID().uuidString).\(format)")
    defer { try? FileManager.default.removeItem(at: file) }
    try poses.write(to: file)
    return try Data(contentsOf: file)
  }

  private static func arrays() throws -> Data {
    let values = (0..<2 * 54).map { Float($0) / 100 }
    let poses = NumPyArray(values, shape: [2, 1, 3, 18]).npy
    let times = NumPyArray([0.0, 0.1], shape: [2]).npy
    let ids = NumPyArray([Int32(1)], shape: [1]).npy
    let places = [poses.count, poses.count + times.count]
    return Data(places.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }) + poses + times + ids
  }

  private static func picture() throws -> Data {
    let jpeg = try Frame(width: 16, height: 8).jpegData(quality: 80)
    return PictureMessage(sequence: 1, time: 0.5, jpeg: jpeg).data
  }

  private static func project() throws -> Data {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "kinema-seed-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let project = try Project.create(at: folder, name: "Seed")
    _ = try project.add([NewItem(file: "a.mp4", label: "up")], to: .training)
    let description = try Data(contentsOf: project.folder.projectFile)
    return description + [0] + (try Data(contentsOf: folder.appending(path: "training.csv")))
  }

  /// Masked frames: a text, a text in two parts with a ping between, a close.
  private static let frames: [Data] = {
    func frame(_ head: UInt8, _ payload: [UInt8]) -> [UInt8] {
      let mask: [UInt8] = [1, 2, 3, 4]
      return [head, 0x80 | UInt8(payload.count)] + mask
        + payload.enumerated().map { $1 ^ mask[$0 % 4] }
    }
    let text = frame(0x81, Array("hello".utf8))
    let parts =
      frame(0x01, Array("he".utf8)) + frame(0x89, [1]) + frame(0x80, Array("llo".utf8))
    return [
      Data([15] + text), Data([0] + parts), Data([3] + text + frame(0x88, [0x03, 0xe8])),
    ]
  }()
}
