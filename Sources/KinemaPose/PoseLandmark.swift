/// One of the 33 landmarks of a body, as the pose network gives it.
///
/// A ``Pose`` has them in the order of ``JointKey/landmarks``, MediaPipe's. They are those of one frame,
/// neither smoothed nor interpolated.
public struct PoseLandmark: Hashable, Codable, Sendable {
  /// The place in the picture: x and y in shares of its width and height, origin at the lower left, y up;
  /// z in shares of its width, above 0 nearer to the camera than the middle of the hips.
  public var position: SIMD3<Float>
  /// The probability that the landmark is in the frame and visible, from 0 to 1.
  public var visibility: Float
  /// The probability that the landmark is in the frame, from 0 to 1.
  public var presence: Float
  /// The network's own estimate of the place in metres, from the middle of the hips: x to the right in the
  /// picture, y up in the picture, z towards the camera.
  ///
  /// MediaPipe's "world landmark" with y and z turned round. It knows nothing of gravity or of the person's
  /// size; see `BodyLifter` for a body with errors.
  public var world: SIMD3<Float>

  /// Creates a landmark.
  public init(
    position: SIMD3<Float>, visibility: Float, presence: Float, world: SIMD3<Float>
  ) {
    (self.position, self.visibility, self.presence) = (position, visibility, presence)
    self.world = world
  }
}

extension PoseLandmark {
  /// The values of a landmark in files: x, y, z, visibility, presence, and x, y, z in metres.
  static let valueCount = 8
  /// Those before the ones in metres.
  static let pictureValueCount = 5

  var values: [Float] {
    [
      position.x, position.y, position.z, visibility, presence, world.x, world.y, world.z,
    ]
  }

  /// - Parameter values: As in ``values``.
  init(values: ArraySlice<Float>) {
    let first = values.startIndex
    self.init(
      position: SIMD3(values[first], values[first + 1], values[first + 2]),
      visibility: values[first + 3], presence: values[first + 4],
      world: SIMD3(values[first + 5], values[first + 6], values[first + 7]))
  }
}

extension JointKey {
  /// The 33 landmarks of a body, in the order of MediaPipe's pose landmarks.
  public static let landmarks: [JointKey] = [
    "nose", "leftEyeInner", "leftEye", "leftEyeOuter", "rightEyeInner", "rightEye", "rightEyeOuter",
    "leftEar", "rightEar", "leftMouth", "rightMouth", "leftShoulder", "rightShoulder", "leftElbow",
    "rightElbow", "leftWrist", "rightWrist", "leftLittleFinger", "rightLittleFinger",
    "leftIndexFinger", "rightIndexFinger", "leftThumb", "rightThumb", "leftHip", "rightHip",
    "leftKnee", "rightKnee", "leftAnkle", "rightAnkle", "leftHeel", "rightHeel", "leftToes",
    "rightToes",
  ].map(JointKey.init(rawValue:))

  private static let landmarkNumbers = Dictionary(
    uniqueKeysWithValues: zip(landmarks, landmarks.indices))

  /// The number of a landmark; `nil` if it is none.
  var landmarkNumber: Int? { Self.landmarkNumbers[self] }

  /// The left heel: a landmark, not a joint of a pose.
  public static let leftHeel = JointKey(rawValue: "leftHeel")
  /// The right heel: a landmark, not a joint of a pose.
  public static let rightHeel = JointKey(rawValue: "rightHeel")
  /// The left foot's toes: a landmark, not a joint of a pose.
  public static let leftToes = JointKey(rawValue: "leftToes")
  /// The right foot's toes: a landmark, not a joint of a pose.
  public static let rightToes = JointKey(rawValue: "rightToes")
}

extension Pose {
  /// A landmark by its name; `nil` if the pose has none, or the name is none of ``JointKey/landmarks``.
  public func landmark(_ key: JointKey) -> PoseLandmark? {
    guard let landmarks, let number = key.landmarkNumber, landmarks.indices.contains(number) else {
      return nil
    }
    return landmarks[number]
  }
}
