import Foundation
import Kinema
import KinemaFiles

/// COCO keypoints (https://cocodataset.org/#format-data): images, annotations and one category.
///
/// Each frame is an image; one of a video also has its number and time. Locations are in pixels
/// from the upper left corner. COCO's 17 joints are Kinema's without the neck. A keypoint's `v` is
/// 2 for a confident joint (at least 0.2), 1 for an inferred one in the frame, and 0, at (0, 0),
/// for one outside. Hands have 21 joints.
struct CocoDocument: PoseFormat {
  static let name = "coco"
  static let fileExtension = "json"
  static let holdsManyInputs = true

  /// COCO's order of the joints of a body, with its names.
  static let body: [(key: JointKey, name: String)] = [
    (.nose, "nose"), (.leftEye, "left_eye"), (.rightEye, "right_eye"), (.leftEar, "left_ear"),
    (.rightEar, "right_ear"), (.leftShoulder, "left_shoulder"),
    (.rightShoulder, "right_shoulder"), (.leftElbow, "left_elbow"), (.rightElbow, "right_elbow"),
    (.leftWrist, "left_wrist"), (.rightWrist, "right_wrist"), (.leftHip, "left_hip"),
    (.rightHip, "right_hip"), (.leftKnee, "left_knee"), (.rightKnee, "right_knee"),
    (.leftAnkle, "left_ankle"), (.rightAnkle, "right_ankle"),
  ]
  /// COCO's skeleton of a body: pairs of numbers of joints, from 1.
  private static let bodySkeleton = [
    [16, 14], [14, 12], [17, 15], [15, 13], [12, 13], [6, 12], [7, 13], [6, 7], [6, 8], [7, 9],
    [8, 10], [9, 11], [2, 3], [1, 2], [1, 3], [2, 4], [3, 5], [4, 6], [5, 7],
  ]

  private let joints: [(key: JointKey, name: String)]
  private let skeleton: [[Int]]
  private let isOfHands: Bool
  private var images: [JSONObject] = []
  private var annotations: [JSONObject] = []

  init(joints: [JointKey]) {
    isOfHands = joints == JointKey.hand
    let named = isOfHands ? joints.map { ($0, $0.rawValue) } : Self.body
    self.joints = named
    skeleton =
      isOfHands
      ? Wireframe.hand.limbs.compactMap { limb in
        guard let start = named.firstIndex(where: { $0.0 == limb.start }),
          let end = named.firstIndex(where: { $0.0 == limb.end })
        else { return nil }
        return [start + 1, end + 1]
      } : Self.bodySkeleton
  }

  mutating func add(_ step: PosedFrame, of file: String, isStillImage: Bool) -> Data {
    let size = step.size ?? (1, 1)
    images.append([
      "id": images.count + 1, "file_name": file, "width": size.width, "height": size.height,
      "frame": isStillImage ? nil : step.index, "time": isStillImage ? nil : step.time,
    ])
    for pose in step.poses {
      annotations.append(annotation(of: pose, width: size.width, height: size.height))
    }
    return Data()
  }

  private func annotation(of pose: Pose, width: Int, height: Int) -> JSONObject {
    let scale = SIMD2(Double(width), Double(height))
    func pixel(_ place: SIMD2<Float>) -> SIMD2<Double> {
      SIMD2(Double(place.x), 1 - Double(place.y)) * scale
    }
    var keypoints: [Double] = []
    var count = 0
    for (key, _) in joints {
      guard let point = pose.keypoints[key], (0...1).contains(point.position.x),
        (0...1).contains(point.position.y)
      else {
        keypoints += [0, 0, 0]
        continue
      }
      let place = pixel(point.position)
      keypoints += [
        Self.rounded(place.x), Self.rounded(place.y),
        point.confidence >= JointPoint.leastConfidence ? 2 : 1,
      ]
      count += 1
    }
    let box = pose.boundingBox() ?? pose.boundingBox(confidenceThreshold: 0)
    let low = box.map { pixel($0.lowerLeft) } ?? .zero
    let high = box.map { pixel($0.upperRight) } ?? .zero
    let bounds = [low.x, high.y, high.x - low.x, low.y - high.y].map(Self.rounded)
    return [
      "id": annotations.count + 1, "image_id": images.count, "category_id": 1,
      "keypoints": keypoints, "num_keypoints": count, "bbox": bounds,
      "area": Self.rounded(bounds[2] * bounds[3]), "iscrowd": 0, "score": pose.confidence,
      "track_id": pose.personID, "hand": pose.chirality?.rawValue,
    ]
  }

  func finish() throws -> Data {
    let info: JSONObject = [
      "description": "Poses found by Kinema", "version": Application.version,
    ]
    let category: JSONObject = [
      "id": 1, "name": isOfHands ? "hand" : "person", "supercategory": "person",
      "keypoints": joints.map(\.name), "skeleton": skeleton,
    ]
    let document: JSONObject = [
      "info": info, "images": images, "annotations": annotations, "categories": [category],
    ]
    return try document.jsonText(isPretty: false)
  }

  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
