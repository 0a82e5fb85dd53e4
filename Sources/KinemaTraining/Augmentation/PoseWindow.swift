import KinemaPose

/// A window of poses that can be varied without changing missing joints.
struct PoseWindow: Equatable {
  let joints: [JointKey]
  let frameCount: Int
  /// Locations `[frames, joints]`; undefined for missing joints.
  var positions: [SIMD2<Float>]
  /// Confidences `[frames, joints]`; 0 for missing joints.
  var confidences: [Float]
  var isReal: [Bool]

  init(frameCount: Int, joints: [JointKey]) {
    self.frameCount = frameCount
    self.joints = joints
    positions = Array(repeating: .zero, count: frameCount * joints.count)
    confidences = Array(repeating: 0, count: frameCount * joints.count)
    isReal = Array(repeating: false, count: frameCount)
  }

  /// Reads a window from `[frames, 3, joints]` values.
  init(_ values: [Float], joints: [JointKey]) {
    self.init(frameCount: values.count / (3 * joints.count), joints: joints)
    for frame in 0..<frameCount { read(values, frame: frame, into: frame) }
  }

  /// Reads one frame of `[frames, 3, joints]` values.
  mutating func read(_ values: [Float], frame: Int, into target: Int) {
    let count = joints.count
    let start = frame * 3 * count
    var isReal = false
    for joint in 0..<count {
      let x = values[start + joint]
      let y = values[start + count + joint]
      let confidence = values[start + 2 * count + joint]
      isReal = isReal || x != 0 || y != 0 || confidence != 0
      positions[target * count + joint] = SIMD2(x, y)
      confidences[target * count + joint] = max(0, confidence)
    }
    self.isReal[target] = isReal
  }

  /// Writes `[frames, 3, joints]` values: a missing joint is (0, 1, 0), an empty frame all zeros.
  func write(to values: inout [Float]) {
    let count = joints.count
    for frame in 0..<frameCount {
      guard isReal[frame] else {
        values += repeatElement(0, count: 3 * count)
        continue
      }
      let row = (frame * count)..<((frame + 1) * count)
      for index in row { values.append(confidences[index] > 0 ? positions[index].x : 0) }
      for index in row { values.append(confidences[index] > 0 ? positions[index].y : 1) }
      for index in row { values.append(confidences[index]) }
    }
  }

  /// `[frames, 3, joints]` values.
  var values: [Float] {
    var values: [Float] = []
    values.reserveCapacity(frameCount * 3 * joints.count)
    write(to: &values)
    return values
  }

  mutating func copyFrame(_ source: Int, of window: PoseWindow, to target: Int) {
    let count = joints.count
    isReal[target] = window.isReal[source]
    for joint in 0..<count {
      positions[target * count + joint] = window.positions[source * count + joint]
      confidences[target * count + joint] = window.confidences[source * count + joint]
    }
  }

  @inline(__always)
  mutating func move(
    _ place: (_ position: SIMD2<Float>, _ frame: Int, _ joint: Int) -> SIMD2<Float>
  ) {
    let jointCount = joints.count
    for frame in 0..<frameCount where isReal[frame] {
      for joint in 0..<jointCount {
        let index = frame * jointCount + joint
        guard confidences[index] > 0 else { continue }
        positions[index] = place(positions[index], frame, joint)
      }
    }
  }

  @inline(__always)
  private func forEachFound(_ body: (SIMD2<Float>) -> Void) {
    let jointCount = joints.count
    for frame in 0..<frameCount where isReal[frame] {
      for index in (frame * jointCount)..<((frame + 1) * jointCount) where confidences[index] > 0 {
        body(positions[index])
      }
    }
  }

  /// The mean and root mean square distance of present joints; `nil` without any.
  var extent: (center: SIMD2<Float>, spread: Float)? {
    var sum = SIMD2<Float>.zero
    var squares: Float = 0
    var count: Float = 0
    forEachFound { position in
      sum += position
      count += 1
    }
    guard count > 0 else { return nil }
    let center = sum / count
    forEachFound { position in
      let offset = position - center
      squares += (offset * offset).sum()
    }
    return (center, (squares / count).squareRoot())
  }

  /// The index of each joint's counterpart on the other side.
  static func mirroredJoints(of joints: [JointKey]) -> [Int] {
    joints.indices.map { index in
      let name = joints[index].rawValue
      let other =
        name.hasPrefix("left")
        ? "right" + name.dropFirst(4) : name.hasPrefix("right") ? "left" + name.dropFirst(5) : name
      return joints.firstIndex { $0.rawValue == other } ?? index
    }
  }

  /// Exchanges left and right joints in frames.
  mutating func swapSides(inFrames frames: Range<Int>, partners: [Int]) {
    for frame in frames {
      for (joint, partner) in partners.enumerated() where partner > joint {
        let start = frame * joints.count
        positions.swapAt(start + joint, start + partner)
        confidences.swapAt(start + joint, start + partner)
      }
    }
  }
}
