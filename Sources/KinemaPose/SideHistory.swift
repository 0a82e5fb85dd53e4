import Foundation

/// The last sides of a person's joints, and how long the network has agreed with itself on them.
struct SideHistory: Sendable {
  /// Joints that are exchanged together.
  private enum Zone: Int, CaseIterable {
    /// Trunk and face first: arms, and mostly legs, follow them.
    case trunk, arms, legs

    /// The joints by which sides are compared, and landmarks that go with them.
    var names: [String] {
      switch self {
      case .trunk: ["Shoulder", "Hip", "Eye", "Ear", "EyeInner", "EyeOuter", "Mouth"]
      case .arms: ["Elbow", "Wrist", "LittleFinger", "IndexFinger", "Thumb"]
      case .legs: ["Knee", "Ankle", "Heel", "Toes"]
      }
    }
  }

  private static let pairs: [[(left: JointKey, right: JointKey)]] = Zone.allCases.map { zone in
    zone.names.map { (JointKey(rawValue: "left" + $0), JointKey(rawValue: "right" + $0)) }
  }

  /// The comparison of a zone with the last frame.
  private enum Verdict {
    case straight, exchanged, unclear
  }

  /// The upper limit of a distance, in trunk sizes.
  private static let longestDistance: Float = 1
  /// The lower limit of a joint's weight.
  private static let leastWeight: Float = 0.1

  private var joints: [JointKey: JointPoint] = [:]
  private var time: TimeInterval?
  /// For how long the network has agreed with itself on each zone, in seconds.
  private var agreement = [TimeInterval](repeating: 0, count: Zone.allCases.count)
  /// Whether each zone was exchanged in the last frame.
  private var wasExchanged = [Bool](repeating: false, count: Zone.allCases.count)

  /// The next pose with its sides corrected, and the number of exchanged zones.
  mutating func repaired(
    _ pose: Pose, at time: TimeInterval, aspectRatio: Float
  ) -> (Pose, exchangeCount: Int) {
    let passed = self.time.map { time - $0 } ?? .infinity
    guard passed > 0, passed <= PoseContinuity.longestGap,
      let size = pose.trunkSize(aspectRatio: aspectRatio)
    else {
      self = SideHistory()
      remember(pose, at: time)
      return (pose, 0)
    }
    let scale = SIMD2(aspectRatio, 1) / size
    var repaired = pose
    var count = 0
    var isTrunkExchanged = false
    for zone in Zone.allCases {
      var (verdict, isNearerExchanged) = verdict(on: zone, of: pose, scale: scale)
      if isTrunkExchanged, verdict == .unclear, isNearerExchanged { verdict = .exchanged }
      // Arms move too freely to be compared by themselves.
      if zone == .arms, !isTrunkExchanged { (verdict, isNearerExchanged) = (.unclear, false) }
      let isExchanged = contradicts(
        verdict, isNearerExchanged, in: zone, passed: passed, isTrunkExchanged: isTrunkExchanged)
      wasExchanged[zone.rawValue] = isExchanged
      guard isExchanged else { continue }
      if zone == .trunk { isTrunkExchanged = true }
      count += 1
      for pair in Self.pairs[zone.rawValue] { repaired.exchange(pair.left, pair.right) }
    }
    remember(repaired, at: time)
    return (repaired, count)
  }

  private mutating func contradicts(
    _ verdict: Verdict, _ isNearerExchanged: Bool, in zone: Zone, passed: TimeInterval,
    isTrunkExchanged: Bool
  ) -> Bool {
    let index = zone.rawValue
    if isTrunkExchanged, verdict == .exchanged {
      agreement[index] = max(0, agreement[index] - passed)
      return true
    }
    switch verdict {
    case .straight:
      let limit =
        zone == .trunk ? PoseContinuity.longestTrunkRepair : PoseContinuity.longestRepair
      agreement[index] = min(limit, agreement[index] + passed)
      return false
    case .unclear:
      agreement[index] = max(0, agreement[index] - PoseContinuity.forgetting * passed)
      // Where it cannot be seen, the network is as right or wrong as it was.
      return wasExchanged[index] && isNearerExchanged && agreement[index] > 0
    case .exchanged:
      agreement[index] -= passed
      if agreement[index] >= -1e-6 { return true }
      agreement[index] = 0
      return false
    }
  }

  /// The comparison with the last frame, and whether the zone is nearer exchanged, be it clear or
  /// not.
  private func verdict(
    on zone: Zone, of pose: Pose, scale: SIMD2<Float>
  ) -> (Verdict, isNearerExchanged: Bool) {
    func distance(_ point: JointPoint, _ old: JointPoint) -> Float {
      let way = (point.position - old.position) * scale
      return min((way * way).sum().squareRoot(), Self.longestDistance)
    }
    var (straight, exchanged, total) = (Float(0), Float(0), Float(0))
    for pair in Self.pairs[zone.rawValue] {
      guard let left = pose.keypoints[pair.left], let right = pose.keypoints[pair.right],
        let oldLeft = joints[pair.left], let oldRight = joints[pair.right]
      else { continue }
      let weight = max(
        Self.leastWeight,
        min(left.confidence, right.confidence, oldLeft.confidence, oldRight.confidence))
      straight += weight * (distance(left, oldLeft) + distance(right, oldRight))
      exchanged += weight * (distance(right, oldLeft) + distance(left, oldRight))
      total += weight
    }
    guard total > 0, straight.isFinite, exchanged.isFinite else { return (.unclear, false) }
    func isClear(_ near: Float, _ far: Float) -> Bool {
      near < PoseContinuity.distanceRatio * far
        && far - near > PoseContinuity.leastGain * total
    }
    if isClear(straight, exchanged) { return (.straight, false) }
    return (
      isClear(exchanged, straight) ? .exchanged : .unclear, exchanged < straight
    )
  }

  private mutating func remember(_ pose: Pose, at time: TimeInterval) {
    joints = pose.keypoints.filter {
      $0.value.position.x.isFinite && $0.value.position.y.isFinite
    }
    self.time = time
  }
}

extension Pose {
  fileprivate mutating func exchange(_ left: JointKey, _ right: JointKey) {
    if let first = left.landmarkNumber, let second = right.landmarkNumber {
      landmarks?.swapAt(first, second)
    }
    guard let first = keypoints[left], let second = keypoints[right] else { return }
    keypoints[left] = JointPoint(left, position: second.position, confidence: second.confidence)
    keypoints[right] = JointPoint(right, position: first.position, confidence: first.confidence)
  }
}
