package import KinemaDepth
package import KinemaPose

/// A person over time, in space, as tests read them.
package struct PersonCourse: Sendable {
  package struct Moment: Sendable {
    /// In seconds.
    package let time: Double
    /// Metres from the middle of the hips: y up against gravity.
    let places: [JointKey: SIMD3<Float>]
    /// The standard errors of ``places``.
    let errors: [JointKey: Float]
    let angles: [BodyAngle: LiftedBody.Angle]
    /// The joints that are in the picture and not occluded.
    let visible: Set<JointKey>

    /// A body with the pose that it was lifted from.
    init(_ body: LiftedBody, pose: Pose, at time: Double) {
      self.time = time
      places = body.joints.mapValues(\.position)
      errors = body.joints.mapValues(\.error)
      angles = body.angles
      visible = Set(
        pose.keypoints.filter { $0.value.confidence >= BodyTrack.leastConfidence }.keys)
    }

    /// A body whose joints are known, in the order of ``JointKey/body``, in metres, y up.
    package init(exactly joints: [SIMD3<Float>], at time: Double) {
      let hips = (joints[.leftHip] + joints[.rightHip]) / 2
      self.time = time
      places = Dictionary(uniqueKeysWithValues: zip(JointKey.body, joints.map { $0 - hips }))
      errors = places.mapValues { _ in 0 }
      let values = BodyAngle.values(of: joints, up: [0, 1, 0])
      angles = Dictionary(
        uniqueKeysWithValues: zip(BodyAngle.allCases, values).map { angle, value in
          (angle, LiftedBody.Angle(value: value * 180 / .pi, error: 0))
        })
      visible = Set(JointKey.body)
    }

    func place(_ joint: JointKey) -> SIMD3<Float> { places[joint] ?? .zero }

    func angle(_ angle: BodyAngle) -> Double { Double(angles[angle]?.value ?? 0) }
  }

  package let moments: [Moment]
  /// The mean length of the legs, thigh and shank, in metres.
  let legLength: Double

  package init(_ moments: [Moment]) {
    self.moments = moments
    let lengths = moments.flatMap { moment in
      Side.allCases.map { side in
        let (hip, knee, ankle) = (
          moment.place(side.hip), moment.place(side.knee), moment.place(side.ankle)
        )
        return Double(hip.distance(to: knee) + knee.distance(to: ankle))
      }
    }.sorted()
    legLength = max(0.1, lengths.isEmpty ? 0 : lengths[lengths.count / 2])
  }

  /// What a pose network found of a person.
  ///
  /// - Parameters:
  ///   - poses: The person's poses; `nil` where they are not visible.
  ///   - aspectRatio: The picture's width divided by its height.
  ///   - stature: The person's height in metres, if known.
  package init(
    _ poses: [(time: Double, pose: Pose?)], aspectRatio: Float, stature: Float? = nil,
    lifter: BodyLifter
  ) {
    let seen = poses.compactMap { time, pose in pose.map { (time: time, pose: $0) } }
    let windows = seen.map { LiftWindow.Frame($0.pose, time: $0.time) }
    self.init(
      seen.enumerated().compactMap { index, moment in
        lifter.body(at: index, in: windows, aspectRatio: aspectRatio, stature: stature)
          .map { Moment($0, pose: moment.pose, at: moment.time) }
      })
  }

  /// The part of some time.
  package func part(from start: Double?, to end: Double?) -> PersonCourse {
    PersonCourse(
      moments.filter { $0.time >= start ?? -.infinity && $0.time <= end ?? .infinity })
  }

  /// The first and the last moment; `nil` without any.
  var time: ClosedRange<Double>? {
    guard let first = moments.first, let last = moments.last else { return nil }
    return first.time...last.time
  }

  /// Something of each moment, smoothed over 0.1 s.
  func signal(_ value: (Moment) -> Double) -> Signal {
    Signal(moments.map { ($0.time, value($0)) }).smoothed(over: 0.1)
  }

  /// How high the hips are above the ankles, as a share of the length of the legs: 1 standing upright, about
  /// half seated.
  var hipHeight: Signal {
    let length = legLength
    return signal { moment in
      let ankles = Side.allCases.reduce(0) { $0 + Double(moment.place($1.ankle).y) } / 2
      return -ankles / length
    }
  }

  /// The joints of these that are not visible for most of the time, in words; `nil` where all are.
  func hidden(_ joints: [JointKey: String]) -> String? {
    guard !moments.isEmpty else { return "nobody of whom enough is in the picture" }
    let names = Set(
      joints.filter { joint, _ in
        2 * moments.count { $0.visible.contains(joint) } < moments.count
      }.values)
    guard !names.isEmpty else { return nil }
    return "\(names.sorted().joined(separator: " and ")) out of the picture or hidden"
  }

  /// Why what hips and knees do can't be seen; `nil` where it can.
  var hiddenLegs: String? {
    hidden([.leftHip: "hips", .rightHip: "hips", .leftKnee: "knees", .rightKnee: "knees"])
  }
}

extension Side {
  var hip: JointKey { self == .left ? .leftHip : .rightHip }
  var knee: JointKey { self == .left ? .leftKnee : .rightKnee }
  var ankle: JointKey { self == .left ? .leftAnkle : .rightAnkle }
}

extension SIMD3<Float> {
  func distance(to other: Self) -> Float {
    let way = self - other
    return (way * way).sum().squareRoot()
  }
}
