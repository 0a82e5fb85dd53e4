package import KinemaPose

/// A person or hand of a track in one frame.
package struct TrackedPerson: Sendable {
  /// The pose that is reported, with the track's id.
  package private(set) var pose: Pose
  /// What is compared with other frames.
  var detection: Detection
  /// Whether a joint is confident; occluded people have none.
  private(set) var isSeen: Bool

  /// - Parameters:
  ///   - aspectRatio: Width of the frame divided by its height.
  ///   - appearance: The visible colours.
  package init(
    _ pose: Pose, aspectRatio: Float, appearance: Appearance? = nil, rules: TrackingRules
  ) {
    self.pose = pose
    detection =
      Detection(pose, aspectRatio: aspectRatio, appearance: appearance, rules: rules)
      ?? Detection(position: .zero, size: 1)
    isSeen = pose.boundingBox() != nil
  }

  var id: Int? {
    get { pose.personID }
    set { pose.personID = newValue }
  }

  /// The same person without confident joints, landmarks or colours.
  func inferred(rules: TrackingRules) -> TrackedPerson {
    var person = self
    for (key, point) in pose.keypoints {
      person.pose.keypoints[key]?.confidence = min(point.confidence, rules.inferred.confidence)
    }
    person.pose.confidence *= rules.inferred.share
    person.pose.landmarks = nil
    person.detection.appearance = nil
    person.isSeen = false
    return person
  }

  /// The person between this and a later moment, without confident joints; compared as now.
  func interpolated(to later: TrackedPerson, share: Float, rules: TrackingRules) -> TrackedPerson {
    var person = self
    for (key, point) in pose.keypoints {
      let end = later.pose.keypoints[key]?.position ?? point.position
      person.pose.keypoints[key]?.position = point.position + (end - point.position) * share
    }
    person.pose.confidence = min(pose.confidence, later.pose.confidence)
    return person.inferred(rules: rules)
  }
}

extension Detection {
  /// Units per frame height if lengths are not in pixels.
  private static let unit: Float = 1000

  /// - Returns: `nil` for a pose without confident joints.
  package init?(
    _ pose: Pose, aspectRatio: Float, appearance: Appearance? = nil, rules: TrackingRules
  ) {
    let scale = SIMD2(aspectRatio, 1) * Self.unit
    let keys = pose.chirality == nil ? JointKey.body : JointKey.hand
    let places = keys.map { key in
      pose.keypoints[key].flatMap {
        $0.confidence >= rules.leastConfidence ? $0.position * scale : nil
      }
    }
    let found = places.compactMap { $0 }
    guard let first = found.first else { return nil }
    let low = found.reduce(first, pointwiseMin)
    let high = found.reduce(first, pointwiseMax)
    let hips = [JointKey.leftHip, .rightHip].compactMap { pose.keypoints[$0] }
      .map { $0.position * scale }
    let middle = hips.isEmpty ? (low + high) / 2 : hips.reduce(.zero, +) / Float(hips.count)
    let size = max((high - low).length, 1)
    self.init(
      position: middle, size: size, box: (low, high),
      shape: places.map { place in place.map { ($0 - middle) / size } }, appearance: appearance)
  }
}
