import Foundation
import KinemaPose
import KinemaTestSupport
import Testing

/// Files as other tools lay them out, made by hand, with one person in them.
struct ForeignFiles {
  let folder: TemporaryFolder
  static let size = CGSize(width: 200, height: 100)

  init() throws { folder = try TemporaryFolder() }

  /// Where the points of a person are, in pixels; the others are missing.
  static let pixels: [JointKey: SIMD2<Double>] = [
    .nose: [100, 10], .rightShoulder: [90, 20], .leftShoulder: [110, 24], .rightHip: [92, 50],
    .leftHip: [108, 50], .rightAnkle: [90, 90], .leftWrist: [130, 40],
  ]
  static let coco: [JointKey] = [
    .nose, .leftEye, .rightEye, .leftEar, .rightEar, .leftShoulder, .rightShoulder, .leftElbow,
    .rightElbow, .leftWrist, .rightWrist, .leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle,
    .rightAnkle,
  ]
  static let body25: [JointKey] = [
    .nose, .neck, .rightShoulder, .rightElbow, .rightWrist, .leftShoulder, .leftElbow, .leftWrist,
    .root, .rightHip, .rightKnee, .rightAnkle, .leftHip, .leftKnee, .leftAnkle, .rightEye, .leftEye,
    .rightEar, .leftEar,
  ]
  /// The numbers of MediaPipe's landmarks.
  static let mediaPipe: [JointKey: Int] = [
    .nose: 0, .leftShoulder: 11, .rightShoulder: 12, .leftWrist: 15, .leftHip: 23, .rightHip: 24,
    .rightAnkle: 28,
  ]
  static let mediaPipeNames: [JointKey: String] = [
    .nose: "NOSE", .leftShoulder: "LEFT_SHOULDER", .rightShoulder: "RIGHT_SHOULDER",
    .leftWrist: "LEFT_WRIST", .leftHip: "LEFT_HIP", .rightHip: "RIGHT_HIP",
    .rightAnkle: "RIGHT_ANKLE",
  ]

  /// A list x, y, confidence in an order of points.
  static func list(
    _ keys: [JointKey?], count: Int? = nil, confidence: Double = 0.8, shift: Double = 0
  ) -> String {
    let values = keys.flatMap { key -> [Double] in
      guard let place = key.flatMap({ pixels[$0] }) else { return [0, 0, 0] }
      return [place.x + shift, place.y, confidence]
    }
    let rest = Array(repeating: 0.0, count: 3 * ((count ?? keys.count) - keys.count))
    return (values + rest).map { "\($0)" }.joined(separator: ",")
  }

  func write(_ name: String, _ text: String) throws -> URL {
    let url = folder.url(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    return url
  }

  static func openPose(_ list: String, id: Int = -1) -> String {
    """
    {"version":1.3,"people":[{"person_id":[\(id)],"pose_keypoints_2d":[\(list)],"face_keypoints_2d":[]}]}
    """
  }

  /// Checks that a pose is the person above, whose confidence is 0.8 where it has one.
  static func check(_ pose: Pose, confidence: Float = 0.8, hasNeck: Bool = true) {
    let neck: [JointKey: SIMD2<Double>] = hasNeck ? [.neck: [100, 22]] : [:]
    let places = pixels.merging(neck) { one, _ in one }
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
  static func times(_ numbers: [Double]) -> [Double] { numbers.map { $0 / 30 } }
}
