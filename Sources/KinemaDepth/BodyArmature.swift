package import KinemaPose

/// A body as bones that turn: for animation, where lengths are constant and bones hang on each other.
///
/// At rest the person stands upright, faces z, with the arms stretched out to both sides.
package struct BodyArmature: Sendable {
  /// Where joints are, in metres.
  package typealias Places = [JointKey: Vector3]

  /// A bone; it begins at a joint and turns about it.
  package struct Bone: Sendable {
    package let name: String
    /// The place of the bone on which it hangs, which comes earlier; `nil` for the hips.
    package let parent: Int?
    /// From the beginning of the parent to its own, at rest, in metres.
    package let offset: Vector3
    /// Where it ends, if no other hangs on it.
    package let end: Vector3?
    fileprivate let aim: Aim
  }

  /// What a bone is turned by.
  fileprivate enum Aim {
    case hips, spine
    /// To the head, from upwards.
    case head
    /// From one joint to another, which is in a direction at rest.
    case limb(JointKey, JointKey, rest: Vector3)
    /// As its parent.
    case parent
  }

  /// How the bones are turned in a frame.
  package struct Posture: Sendable {
    /// Of the hips, in metres: above the lowest joint.
    package var position = Vector3()
    /// Of each bone against its parent, in degrees about x, y and z, as ``BodyRotation/eulerAngles``.
    package var rotations: [Vector3]
  }

  /// Each behind its parent, with all that hang on it next to it.
  package let bones: [Bone]

  /// Most people's, where a length is not known; in metres.
  private static let handLength: Float = 0.08
  private static let footEnd = Vector3(0, -0.06, 0.14)
  /// How far up the trunk its upper part begins.
  private static let waist: Float = 0.15
  private static let hips = 0
  private static let spine = 1
  private static let up = Vector3(0, 1, 0)

  /// - Parameter bodies: Those of one person; bones have the median of their lengths.
  package init(fitting bodies: [Places]) {
    func length(_ distance: (Places) -> Float?, otherwise usual: Float) -> Float {
      let lengths = bodies.compactMap(distance).filter { $0.isFinite && $0 > 0 }.sorted()
      return lengths.isEmpty ? usual : lengths[lengths.count / 2]
    }
    func length(_ start: JointKey, _ end: JointKey, otherwise usual: Float) -> Float {
      length({ $0.way(start, end)?.magnitude }, otherwise: usual)
    }
    let trunk = length({ $0.trunk?.magnitude }, otherwise: 0.5)
    let head = length({ $0.head?.magnitude }, otherwise: 0.2)
    let (left, up) = (Vector3(1, 0, 0), Self.up)
    let top = up * (trunk * (1 - Self.waist))
    var bones = [
      Bone(name: "Hips", parent: nil, offset: .zero, end: nil, aim: .hips),
      Bone(
        name: "Spine", parent: Self.hips, offset: up * (trunk * Self.waist), end: nil, aim: .spine),
      Bone(
        name: "Neck", parent: Self.spine, offset: top, end: up * head,
        aim: .head),
    ]
    func add(
      _ limb: [(name: String, offset: Vector3, from: JointKey, to: JointKey?)], on parent: Int,
      along rest: Vector3, end: Vector3
    ) {
      for (number, part) in limb.enumerated() {
        bones.append(
          Bone(
            name: part.name, parent: number == 0 ? parent : bones.count - 1, offset: part.offset,
            end: number == limb.count - 1 ? end : nil,
            aim: part.to.map { .limb(part.from, $0, rest: rest) } ?? .parent))
      }
    }
    let shoulders = length(.leftShoulder, .rightShoulder, otherwise: 0.35) / 2
    let hips = length(.leftHip, .rightHip, otherwise: 0.25) / 2
    func key(_ side: String, _ name: String) -> JointKey {
      JointKey(rawValue: side.lowercased() + name)
    }
    let sides = [("Left", left), ("Right", -left)]
    for (side, out) in sides {
      let (elbow, wrist) = (key(side, "Elbow"), key(side, "Wrist"))
      let upperArm = length(key(side, "Shoulder"), elbow, otherwise: 0.3)
      let forearm = length(elbow, wrist, otherwise: 0.25)
      add(
        [
          ("\(side)Arm", top + out * shoulders, key(side, "Shoulder"), elbow),
          ("\(side)ForeArm", out * upperArm, elbow, wrist),
          ("\(side)Hand", out * forearm, wrist, nil),
        ], on: Self.spine, along: out, end: out * Self.handLength)
    }
    for (side, out) in sides {
      let (knee, ankle) = (key(side, "Knee"), key(side, "Ankle"))
      let thigh = length(key(side, "Hip"), knee, otherwise: 0.43)
      let shank = length(knee, ankle, otherwise: 0.42)
      add(
        [
          ("\(side)UpLeg", out * hips, key(side, "Hip"), knee),
          ("\(side)Leg", -up * thigh, knee, ankle), ("\(side)Foot", -up * shank, ankle, nil),
        ], on: Self.hips, along: -up, end: Self.footEnd)
    }
    self.bones = bones
  }

  /// The turns of all bones of a body against their parents; those that are not known as at rest.
  package func rotations(of body: Places) -> [BodyRotation] {
    var (global, local): ([BodyRotation], [BodyRotation]) = ([], [])
    for bone in bones {
      let parent = bone.parent.map { global[$0] } ?? BodyRotation()
      func turned(from rest: Vector3, to way: Vector3?) -> BodyRotation {
        way.map { parent * BodyRotation(from: rest, to: parent.inverse($0)) } ?? parent
      }
      let turned =
        switch bone.aim {
        case .hips:
          body.way(.rightHip, .leftHip).flatMap { across in
            body.trunk.flatMap { BodyRotation(across: across, up: $0) }
          } ?? parent
        case .spine:
          body.trunk.flatMap { up in
            body.way(.rightShoulder, .leftShoulder).flatMap { BodyRotation(up: up, across: $0) }
          } ?? parent
        case .head: turned(from: Self.up, to: body.head)
        case .limb(let start, let end, let rest): turned(from: rest, to: body.way(start, end))
        case .parent: parent
        }
      global.append(turned)
      local.append(parent.inverse * turned)
    }
    return local
  }

  /// The postures of frames one after the other, whose angles don't jump by full turns.
  package struct Motion {
    fileprivate let armature: BodyArmature
    private var last: Posture

    fileprivate init(_ armature: BodyArmature) {
      self.armature = armature
      last = Posture(rotations: armature.bones.map { _ in .zero })
    }

    /// The posture of a body; that at rest, or the one before, without one.
    package mutating func next(_ body: LiftedBody?) -> Posture {
      guard let body else { return last }
      let places = body.joints.mapValues(\.position)
      let angles = armature.rotations(of: places).map(\.eulerAngles)
      last = Posture(
        position: Vector3(0, -body.floorHeight, 0),
        rotations: zip(angles, last.rotations).map { angles, last in
          let turns = ((last - angles) / 360).rounded(.toNearestOrEven)
          return angles + turns * 360
        })
      return last
    }
  }

  package var motion: Motion { Motion(self) }
}

extension BodyArmature.Places {
  fileprivate func way(_ start: JointKey, _ end: JointKey) -> Vector3? {
    guard let start = self[start], let end = self[end] else { return nil }
    return end - start
  }

  private func middle(_ one: JointKey, _ other: JointKey) -> Vector3? {
    guard let one = self[one], let other = self[other] else { return nil }
    return (one + other) / 2
  }

  /// From the middle of the hips to that of the shoulders.
  fileprivate var trunk: Vector3? {
    guard let hips = middle(.leftHip, .rightHip),
      let shoulders = middle(.leftShoulder, .rightShoulder)
    else { return nil }
    return shoulders - hips
  }

  /// From the middle of the shoulders to that of the ears.
  fileprivate var head: Vector3? {
    guard let shoulders = middle(.leftShoulder, .rightShoulder),
      let ears = middle(.leftEar, .rightEar)
    else { return nil }
    return ears - shoulders
  }
}
