/// The joints of one person, or one hand, in one frame.
public struct Pose: Hashable, Codable, Sendable {
  /// The joints that were found.
  public var keypoints: [JointKey: JointPoint]
  /// The confidence that a person is present, from 0 to 1.
  public var confidence: Float
  /// The track's id, if tracked; ids start at 1 and are not reused.
  public var personID: Int?
  /// Left or right hand; `nil` for a body or if unknown.
  public var chirality: Chirality?
  /// The landmarks of a body, in the order of ``JointKey/landmarks``; `nil` where they were not kept, or the
  /// person was not seen in the frame.
  public var landmarks: [PoseLandmark]?

  /// Creates a pose from its joints.
  public init(
    from points: [JointKey: JointPoint], confidence: Float = 1, personID: Int? = nil,
    chirality: Chirality? = nil
  ) {
    keypoints = points
    self.confidence = confidence
    self.personID = personID
    self.chirality = chirality
  }
}

extension Pose {
  /// The bounding box of the confident joints as its lower left and upper right corners in pose
  /// coordinates; `nil` if there are none.
  public func boundingBox(
    confidenceThreshold: Float = JointPoint.leastConfidence
  ) -> (lowerLeft: SIMD2<Float>, upperRight: SIMD2<Float>)? {
    var lower = SIMD2<Float>(repeating: .infinity)
    var upper = SIMD2<Float>(repeating: -.infinity)
    for point in keypoints.values where point.isUsable(above: confidenceThreshold) {
      lower = pointwiseMin(lower, point.position)
      upper = pointwiseMax(upper, point.position)
    }
    return lower.x <= upper.x ? (lower, upper) : nil
  }

  /// The area of the bounding box as a share of the frame; 0 without one.
  public func boundingBoxArea(
    confidenceThreshold: Float = JointPoint.leastConfidence
  ) -> Float {
    guard let box = boundingBox(confidenceThreshold: confidenceThreshold) else { return 0 }
    let size = box.upperRight - box.lowerLeft
    return size.x * size.y
  }
}

extension JointPoint {
  /// Whether the location is finite and confident.
  package func isUsable(above threshold: Float) -> Bool {
    confidence > 0 && confidence >= threshold
  }
}

// MARK: - Arrays

extension Pose {
  /// A pose without joints.
  public static let empty = Pose(from: [:], confidence: 0)

  /// The rows x, y, confidence of a classifier's input: 3 × `joints.count` values.
  ///
  /// A missing joint is (0, 1, 0), as in Vision and in the models' training data; a pose without
  /// joints is all zeros.
  public func multiArray(of joints: [JointKey] = JointKey.body) -> [Float] {
    let count = joints.count
    var values = [Float](repeating: 0, count: 3 * count)
    guard !keypoints.isEmpty else { return values }
    for (column, key) in joints.enumerated() {
      let point = keypoints[key] ?? JointPoint(key, position: SIMD2(0, 1), confidence: 0)
      values[column] = point.position.x
      values[count + column] = point.position.y
      values[2 * count + column] = point.confidence
    }
    return values
  }

  /// Creates a pose from the rows x, y, confidence of a classifier's input.
  ///
  /// A joint with a value that is not finite is missing; all zeros give a pose without joints.
  public init(
    multiArray values: some Collection<Float>, of joints: [JointKey] = JointKey.body,
    personID: Int? = nil
  ) {
    let values = Array(values)
    precondition(values.count == 3 * joints.count, "A pose takes three values a joint.")
    self = .empty
    self.personID = personID
    guard values.contains(where: { $0 != 0 }) else { return }
    for (column, key) in joints.enumerated() {
      let confidence = values[2 * joints.count + column]
      let position = SIMD2(values[column], values[joints.count + column])
      guard confidence.isFinite, position.x.isFinite, position.y.isFinite else { continue }
      keypoints[key] = JointPoint(key, position: position, confidence: confidence)
    }
    confidence = keypoints.values.reduce(0) { max($0, $1.confidence) }
  }
}
