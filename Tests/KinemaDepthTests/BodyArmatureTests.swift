import Foundation
import KinemaDepth
import KinemaPose
import Testing

/// Bones that turn, put together again.
@Suite("Bones of a body")
struct BodyArmatureTests {
  /// A person who stands upright with hanging arms, in metres.
  private static func standing(facing degrees: Float) -> BodyArmature.Places {
    var places: BodyArmature.Places = [:]
    for (side, sign) in [("left", Float(1)), ("right", -1)] {
      let joints: [(String, SIMD3<Float>)] = [
        ("Shoulder", [0.2, 0.5, 0]), ("Elbow", [0.22, 0.2, 0]), ("Wrist", [0.22, -0.05, 0.02]),
        ("Hip", [0.1, 0, 0]), ("Knee", [0.12, -0.42, 0.02]), ("Ankle", [0.12, -0.82, 0]),
        ("Ear", [0.07, 0.7, 0.03]),
      ]
      for (name, place) in joints {
        places[JointKey(rawValue: side + name)] = SIMD3(sign * place.x, place.y, place.z)
      }
    }
    let (sine, cosine) = (sinf(degrees * .pi / 180), cosf(degrees * .pi / 180))
    return places.mapValues { place in
      SIMD3(cosine * place.x + sine * place.z, place.y, cosine * place.z - sine * place.x)
    }
  }

  /// A turn by angles as a file names them: about z, then the new x, then the new y.
  private static func turned(_ way: SIMD3<Float>, by degrees: SIMD3<Float>) -> SIMD3<Float> {
    func turn(_ way: SIMD3<Float>, _ angle: Float, _ one: Int, _ other: Int) -> SIMD3<Float> {
      let (sine, cosine) = (sinf(angle * .pi / 180), cosf(angle * .pi / 180))
      var turned = way
      turned[one] = cosine * way[one] - sine * way[other]
      turned[other] = sine * way[one] + cosine * way[other]
      return turned
    }
    return turn(turn(turn(way, degrees.y, 2, 0), degrees.x, 1, 2), degrees.z, 0, 1)
  }

  /// Where each bone begins, by the angles of all.
  private static func places(
    _ armature: BodyArmature, _ angles: [SIMD3<Float>]
  ) -> [String: SIMD3<Float>] {
    var places: [String: SIMD3<Float>] = [:]
    for bone in armature.bones {
      var (place, parent) = (bone.offset, bone.parent)
      while let index = parent {
        place = armature.bones[index].offset + turned(place, by: angles[index])
        parent = armature.bones[index].parent
      }
      places[bone.name] = place
    }
    return places
  }

  private static let bones: [(String, JointKey)] = [
    ("LeftArm", .leftShoulder), ("LeftForeArm", .leftElbow), ("LeftHand", .leftWrist),
    ("RightArm", .rightShoulder), ("RightForeArm", .rightElbow), ("RightHand", .rightWrist),
    ("LeftUpLeg", .leftHip), ("LeftLeg", .leftKnee), ("LeftFoot", .leftAnkle),
    ("RightUpLeg", .rightHip), ("RightLeg", .rightKnee), ("RightFoot", .rightAnkle),
  ]

  private static func distance(_ one: SIMD3<Float>, _ other: SIMD3<Float>) -> Float {
    ((one - other) * (one - other)).sum().squareRoot()
  }

  @Test(
    "put together, bones lead to the joints, whichever way the person faces and limbs point",
    arguments: [Float(0), 40, 90, 180, -135])
  func leadToJoints(facing: Float) throws {
    let standing = Self.standing(facing: facing)
    var overhead = standing
    overhead[.leftElbow] = try #require(standing[.leftShoulder]) + [0.02, 0.3, 0]
    overhead[.leftWrist] = try #require(overhead[.leftElbow]) + [0, 0.25, 0]
    // Across the body: against the direction at rest.
    overhead[.rightElbow] = try #require(standing[.leftShoulder]) - [0, 0.1, 0]
    var kneeling = standing
    kneeling[.leftAnkle] = try #require(standing[.leftKnee]) + [0.1, 0, -0.38]
    for body in [standing, overhead, kneeling] {
      let armature = BodyArmature(fitting: [body])
      let angles = armature.rotations(of: body).map(\.eulerAngles)
      let places = Self.places(armature, angles)
      for (bone, joint) in Self.bones {
        let (found, expected) = (try #require(places[bone]), try #require(body[joint]))
        #expect(Self.distance(found, expected) < 0.005, "\(bone): \(found), not \(expected)")
      }
    }
  }

  @Test("bones have the median of their lengths, and usual ones where nothing is known")
  func lengths() throws {
    let bodies = [0.3, 0.31, 0.9].map { (length: Float) in
      var body = Self.standing(facing: 0)
      body[.leftElbow] = (body[.leftShoulder] ?? .zero) - [0, length, 0]
      return body
    }
    let forearm = BodyArmature(fitting: bodies).bones.first { $0.name == "LeftForeArm" }
    #expect(abs((forearm?.offset.x ?? 0) - 0.31) < 1e-4)
    let unknown = BodyArmature(fitting: [])
    #expect(unknown.bones.map(\.name) == BodyArmature(fitting: bodies).bones.map(\.name))
    // As a file lists them: with all that hang on a bone next to it.
    var open: [Int] = []
    for (index, bone) in unknown.bones.enumerated() {
      while let last = open.last, last != bone.parent { open.removeLast() }
      #expect(open.last == bone.parent, "\(bone.name)")
      open.append(index)
    }
    #expect(unknown.bones.dropFirst().allSatisfy { Self.distance($0.offset, .zero) > 0.05 })
    #expect(unknown.rotations(of: [:]).allSatisfy { $0.eulerAngles == .zero })
  }

  @Test("at rest no bone is turned")
  func rest() throws {
    var body = Self.standing(facing: 0)
    for (side, sign) in [("left", Float(1)), ("right", -1)] {
      let shoulder = try #require(body[JointKey(rawValue: side + "Shoulder")])
      let hip = try #require(body[JointKey(rawValue: side + "Hip")])
      body[JointKey(rawValue: side + "Elbow")] = shoulder + [0.3 * sign, 0, 0]
      body[JointKey(rawValue: side + "Wrist")] = shoulder + [0.55 * sign, 0, 0]
      body[JointKey(rawValue: side + "Knee")] = hip - [0, 0.4, 0]
      body[JointKey(rawValue: side + "Ankle")] = hip - [0, 0.8, 0]
      body[JointKey(rawValue: side + "Ear")] = [0.07 * sign, 0.7, 0]
    }
    for rotation in BodyArmature(fitting: [body]).rotations(of: body) {
      #expect(Self.distance(rotation.eulerAngles, .zero) < 0.01)
    }
  }
}
