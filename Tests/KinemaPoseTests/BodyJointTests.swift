import KinemaPose
import Testing

@Suite struct BodyJointTests {
  @Test("joints are those of a body's poses, in their order")
  func order() {
    #expect(BodyJoint.allCases.map(\.key) == JointKey.body)
    #expect(BodyJoint.allCases.map { "\($0)" } == JointKey.body.map(\.rawValue))
    #expect(BodyJoint.count == 18)
  }

  @Test("limbs are in pairs of right and left, and with the nose all but neck, eyes and ears")
  func limbs() {
    for (right, left) in BodyJoint.limbPairs {
      #expect("\(right)".replacing("right", with: "left") == "\(left)")
    }
    let limbs = BodyJoint.limbPairs.flatMap { [$0.right, $0.left] } + [.nose]
    #expect(Set(limbs) == Set(BodyJoint.noseAndLimbs))
    #expect(BodyJoint.noseAndLimbs.map(\.rawValue) == [0] + Array(2...13))
  }

  @Test("an array has a joint's element at its place")
  func elements() {
    var places = Array(0..<18)
    #expect(places[.nose] == 0 && places[.leftAnkle] == 13 && places[.leftEar] == 17)
    places[.rightHip] = -1
    #expect(places[8] == -1)
  }
}
