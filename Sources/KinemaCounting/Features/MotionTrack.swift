package import KinemaPose

/// The joints of one person on a steady grid of 15 frames a second; occlusions are bridged linearly.
///
/// Before its first and after its last detection a joint stays where it was. A nose without any, as
/// where a pipeline ignores heads, goes with the trunk; any other joint lies in the middle of those
/// detected, at rest.
package struct MotionTrack: Sendable {
  /// The frames in a second.
  package static let frameRate = 15.0
  /// The number of joints in a frame.
  package static let jointCount = BodyJoint.count
  /// How far, in seconds, the nearest frame with a person may lie for a frame to be valid.
  package static let longestReach = 0.1

  /// The time of the first frame in seconds.
  package let startTime: Double
  /// The places of the joints, `[frames, 18]` in the order of ``JointKey/body``: heights of the
  /// picture from its lower left corner, y up.
  package let positions: [SIMD2<Float>]
  /// For each frame, whether the person was visible at about that time.
  package let isValid: [Bool]
  /// For each joint, whether it was ever detected.
  package let isJointSeen: [Bool]

  /// The number of frames.
  package var count: Int { isValid.count }
  /// The times of the frames in seconds.
  package var times: [Double] { isValid.indices.map { time(of: $0) } }
  /// The time of a frame in seconds.
  package func time(of frame: Int) -> Double { startTime + Double(frame) / Self.frameRate }

  /// Creates a track from places that are on the grid already.
  package init(
    startTime: Double = 0, positions: [SIMD2<Float>], isValid: [Bool]? = nil,
    isJointSeen: [Bool]? = nil
  ) {
    precondition(positions.count.isMultiple(of: Self.jointCount), "A frame has 18 joints.")
    self.startTime = startTime
    self.positions = positions
    self.isValid = isValid ?? Array(repeating: true, count: positions.count / Self.jointCount)
    self.isJointSeen = isJointSeen ?? Array(repeating: true, count: Self.jointCount)
    precondition(self.isValid.count * Self.jointCount == positions.count, "A flag for each frame.")
  }

  /// Puts frames at any times on the grid.
  ///
  /// - Parameters:
  ///   - samples: The frames, oldest first.
  ///   - startTime: The time of the grid's first frame; by default that of the first sample.
  package init(_ samples: [MotionSample], startTime: Double? = nil) {
    let start = startTime ?? samples.first?.time ?? 0
    let seconds = (samples.last?.time ?? start) - start
    guard seconds >= 0, seconds < 1e7, !samples.isEmpty else {
      self.init(startTime: start, positions: [])
      return
    }
    let count = Int(seconds * Self.frameRate + 1e-6) + 1
    var positions = [SIMD2<Float>](repeating: .zero, count: count * Self.jointCount)
    var seen = [Bool](repeating: false, count: Self.jointCount)
    var (sum, sumCount) = (SIMD2<Float>.zero, Float(0))
    for joint in BodyJoint.allCases {
      var after = samples.firstIndex { $0.has(joint) }
      guard let first = after else { continue }
      seen[joint] = true
      var before = first
      for frame in 0..<count {
        let time = start + Double(frame) / Self.frameRate
        while let index = after, samples[index].time <= time {
          before = index
          after = samples[(index + 1)...].firstIndex { $0.has(joint) }
        }
        let low = samples[before]
        var place = low.positions[joint]
        if let after, low.time < time, samples[after].time > low.time {
          let share = Float((time - low.time) / (samples[after].time - low.time))
          place += (samples[after].positions[joint] - place) * share
        }
        positions[frame * Self.jointCount + joint.rawValue] = place
        sum += place
      }
      sumCount += Float(count)
    }
    let middle = sumCount > 0 ? sum / sumCount : .zero
    for joint in 0..<Self.jointCount where !seen[joint] {
      for frame in 0..<count { positions[frame * Self.jointCount + joint] = middle }
    }
    if !seen[.nose], Self.trunk.allSatisfy({ seen[$0] }) {
      Self.placeNose(in: &positions, count: count)
    }
    self.init(
      startTime: start, positions: positions,
      isValid: Self.validity(samples, start: start, count: count), isJointSeen: seen)
  }

  private static let trunk: [BodyJoint] = [.rightShoulder, .leftShoulder, .rightHip, .leftHip]
  /// How far the nose is from the middle of the shoulders, in lengths of the trunk.
  private static let noseHeight: Float = 0.4

  /// Puts the nose where the trunk points to.
  private static func placeNose(in positions: inout [SIMD2<Float>], count: Int) {
    for frame in 0..<count {
      let places = trunk.map { positions[frame * jointCount + $0.rawValue] }
      let (shoulders, hips) = ((places[0] + places[1]) / 2, (places[2] + places[3]) / 2)
      positions[frame * jointCount + BodyJoint.nose.rawValue] =
        shoulders + noseHeight * (shoulders - hips)
    }
  }

  private static func validity(
    _ samples: [MotionSample], start: Double, count: Int
  ) -> [Bool] {
    var isValid = [Bool](repeating: false, count: count)
    for sample in samples where sample.found != 0 {
      let first = ((sample.time - longestReach - start) * frameRate).rounded(.up)
      let last = ((sample.time + longestReach - start) * frameRate).rounded(.down)
      guard last >= 0, first < Double(count) else { continue }
      for frame in Int(max(first, 0))...max(Int(max(first, 0)), min(Int(last), count - 1)) {
        isValid[frame] = true
      }
    }
    return isValid
  }

  /// The same movement, slower by a factor above 1 and quicker by one below.
  func slowed(by factor: Double) -> MotionTrack {
    guard let last = isValid.indices.last else { return self }
    let count = Int(Double(last) * factor) + 1
    var positions: [SIMD2<Float>] = []
    positions.reserveCapacity(count * Self.jointCount)
    var isValid: [Bool] = []
    for frame in 0..<count {
      let place = min(Double(frame) / factor, Double(last))
      let low = min(Int(place), max(last - 1, 0))
      let high = min(low + 1, last)
      let share = Float(place - Double(low))
      for joint in 0..<Self.jointCount {
        let (from, to) = (
          self.positions[low * Self.jointCount + joint],
          self.positions[high * Self.jointCount + joint]
        )
        positions.append(from + (to - from) * share)
      }
      isValid.append(self.isValid[share < 0.5 ? low : high])
    }
    return MotionTrack(
      startTime: startTime, positions: positions, isValid: isValid, isJointSeen: isJointSeen)
  }

  /// The prominent person of a sequence.
  ///
  /// - Parameters:
  ///   - poses: The poses of everybody.
  ///   - aspectRatio: The picture's width divided by its height.
  package init(poses: PoseSequence, aspectRatio: Float = 1) {
    self.init(
      zip(poses.frames, poses.prominentPoses).map {
        MotionSample($1, at: $0.time, aspectRatio: aspectRatio)
      })
  }
}
