package import KinemaPose

/// Lifts the people of a video frame by frame, each with what is seen of them a little before and after.
package struct BodyLiftingStream {
  private let lifter: BodyLifter
  private let stature: Float?
  /// The frames of each person that are still read.
  private var tracks: [Int: [LiftWindow.Frame]] = [:]

  /// - Parameter stature: The height of all people in metres, if known.
  package init(_ lifter: BodyLifter, stature: Float? = nil) {
    self.lifter = lifter
    self.stature = stature
  }

  /// Takes the poses of a frame that is to be lifted when it is time.
  package mutating func add(_ poses: [Pose], at time: Double) {
    for (number, pose) in poses.enumerated() {
      tracks[Self.id(pose, number), default: []].append(LiftWindow.Frame(pose, time: time))
    }
  }

  /// Whether all that a frame at a time reads has been seen, with the newest frame at `newest`.
  package func isReady(_ time: Double, newest: Double) -> Bool {
    newest >= time + LiftWindow.future - 1e-6
  }

  /// The bodies of a frame's poses, `nil` where too little of one is seen.
  ///
  /// Frames must be asked for in their order; what lies further back is forgotten.
  package mutating func bodies(
    of poses: [Pose], at time: Double, aspectRatio: Float
  ) -> [LiftedBody?] {
    for (id, track) in tracks where (track.last?.time ?? 0) < time - LiftWindow.past {
      tracks[id] = nil
    }
    return poses.enumerated().map { number, pose in
      let id = Self.id(pose, number)
      guard var track = tracks[id] else { return nil }
      track.removeAll { $0.time < time - LiftWindow.past - 0.1 }
      tracks[id] = track
      guard let index = track.firstIndex(where: { $0.time == time }) else { return nil }
      var body = lifter.body(
        at: index, in: track, aspectRatio: aspectRatio, stature: stature)
      body?.personID = pose.personID
      return body
    }
  }

  /// The bodies of a frame of a pose file.
  mutating func bodies(
    of frame: PoseSequence.Frame, otherwise aspectRatio: Float
  ) -> [LiftedBody?] {
    let shape = frame.pixels.map { Float($0.width) / Float($0.height) }
    return bodies(of: frame.poses, at: frame.time, aspectRatio: shape ?? aspectRatio)
  }

  /// A person's id; without one, by the place among the frame's poses.
  private static func id(_ pose: Pose, _ number: Int) -> Int { pose.personID ?? -1 - number }
}
