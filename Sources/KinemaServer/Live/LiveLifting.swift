import Foundation
import KinemaDepth
import KinemaPose

/// The prominent person of a session in three dimensions, frame by frame.
struct LiveLifting: Sendable {
  /// For how long the lowest joint gives the height of the floor, in seconds.
  static let floorMemory = 2.0

  private var person: Int?
  private var frames: [LiftWindow.Frame] = []
  /// Where the lowest joint was, in metres, with the moments.
  private var heights: [(time: TimeInterval, height: Float)] = []

  /// Adds the prominent person of the next frame; returns the body, `nil` where too little is seen.
  mutating func add(
    _ pose: Pose?, at time: TimeInterval, aspectRatio: Float
  ) -> FrameMessage.Body? {
    guard let pose, let id = pose.personID, pose.wireframe == .body else { return nil }
    if id != person { self = LiveLifting(person: id) }
    frames.removeAll { $0.time < time - LiftWindow.past - 0.1 || $0.time >= time }
    frames.append(LiftWindow.Frame(pose, time: time))
    guard
      let body = BodyLifter.builtIn?.body(
        at: frames.count - 1, in: frames, aspectRatio: aspectRatio, future: 0)
    else { return nil }
    heights.removeAll { $0.time < time - Self.floorMemory }
    heights.append((time, body.floorHeight))
    return FrameMessage.Body(
      body, person: id, floor: heights.map(\.height).min() ?? body.floorHeight)
  }

  init(person: Int? = nil) { self.person = person }
}

extension FrameMessage.Body {
  /// The angles that the page shows.
  private static let shown: [BodyAngle] = [
    .leftKnee, .rightKnee, .leftHip, .rightHip, .leftElbow, .rightElbow, .leftShoulder,
    .rightShoulder, .trunkLean,
  ]

  /// - Parameter floor: The height of the floor in metres from the middle of the hips.
  init(_ body: LiftedBody, person: Int, floor: Float) {
    self.person = person
    self.floor = Double(floor).rounded(places: 3)
    joints = JointKey.body.map { key in
      guard let joint = body.joints[key] else { return [] }
      let place = joint.position
      return [place.x, place.y, place.z, joint.error].map { Double($0).rounded(places: 3) }
    }
    angles = Dictionary(
      uniqueKeysWithValues: Self.shown.compactMap { name in
        body.angles[name].map { angle in
          (name.rawValue, [angle.value, angle.error].map { Double($0).rounded(places: 1) })
        }
      })
  }

  /// The bodies of the largest person of a stretch of a file, a frame each.
  ///
  /// - Parameter aspectRatio: Width by height of the picture, where the frames do not say their size.
  static func bodies(in frames: [PoseSequence.Frame], aspectRatio: Float) -> [FrameMessage.Body?] {
    var areas: [Int: Float] = [:]
    for pose in frames.lazy.flatMap(\.poses) where pose.wireframe == .body {
      areas[pose.personID ?? 1, default: 0] += pose.boundingBoxArea()
    }
    guard let lifter = BodyLifter.builtIn,
      let person = areas.max(by: { ($0.value, -$0.key) < ($1.value, -$1.key) })?.key
    else { return frames.map { _ in nil } }
    let alone = frames.map { frame in
      PoseSequence.Frame(
        time: frame.time, poses: frame.poses.filter { ($0.personID ?? 1) == person }.prefix(1) + [],
        size: frame.size)
    }
    let bodies = lifter.bodies(in: PoseSequence(frames: alone), aspectRatio: aspectRatio)
    return bodies.indices.map { index in
      guard let body = bodies[index].first ?? nil else { return nil }
      let time = frames[index].time
      let before = bodies.indices.prefix(index + 1).reversed().prefix {
        frames[$0].time >= time - LiveLifting.floorMemory
      }
      let floor = before.compactMap { bodies[$0].first??.floorHeight }.min() ?? body.floorHeight
      return FrameMessage.Body(body, person: person, floor: floor)
    }
  }
}
