/// The joints of one person, or of one hand, in one frame.
public struct Pose: Hashable, Codable, Sendable {
  /// The joints that were found.
  public var keypoints: [JointKey: JointPoint]
  /// How sure it is that a person is there at all, from 0 to 1.
  public var confidence: Float
  /// Which person, or which hand, this is, where they are followed from frame to frame; ids start at
  /// 1 and are not reused.
  public var personID: Int?
  /// Which hand this is; `nil` for a body, and where it is not known.
  public var chirality: Chirality?

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
  /// The smallest upright rectangle round the joints that are at least as sure as the threshold, in
  /// normalised coordinates, as its lower left and upper right corners; `nil` if there are none.
  public func boundingBox(
    confidenceThreshold: Float = 0.2
  ) -> (lowerLeft: SIMD2<Float>, upperRight: SIMD2<Float>)? {
    var lower = SIMD2<Float>(repeating: .infinity)
    var upper = SIMD2<Float>(repeating: -.infinity)
    for point in keypoints.values where point.isUsable(above: confidenceThreshold) {
      lower = pointwiseMin(lower, point.position)
      upper = pointwiseMax(upper, point.position)
    }
    return lower.x <= upper.x ? (lower, upper) : nil
  }

  /// The area of ``boundingBox(confidenceThreshold:)`` as a share of the frame; 0 if there is none.
  public func boundingBoxArea(confidenceThreshold: Float = 0.2) -> Float {
    guard let box = boundingBox(confidenceThreshold: confidenceThreshold) else { return 0 }
    let size = box.upperRight - box.lowerLeft
    return size.x * size.y
  }
}

extension JointPoint {
  /// Whether the joint was found, and surely enough.
  func isUsable(above threshold: Float) -> Bool {
    confidence > 0 && confidence >= threshold
  }
}

// MARK: - Arrays

extension Pose {
  /// A pose without joints: nobody was found.
  public static let empty = Pose(from: [:], confidence: 0)

  /// The pose as the three rows x, y, confidence of an action classifier's input.
  ///
  /// A joint that is not there is (0, 1, 0), as Vision writes it, and as the models were trained; a
  /// pose without joints is all zeros.
  ///
  /// - Parameter joints: The joints in the order of the columns.
  /// - Returns: 3 × `joints.count` values, row by row.
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

  /// Creates a pose from the three rows x, y, confidence of an action classifier's input.
  ///
  /// A joint with a value that is not a number counts as not found. All zeros give a pose without
  /// joints.
  ///
  /// - Parameters:
  ///   - multiArray: 3 × `joints.count` values, row by row.
  ///   - joints: The joints in the order of the columns.
  ///   - personID: Which person this is.
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
