import Foundation
import KinemaCounting
import Testing

@Suite("What of a posture is compared")
struct MotionFeaturesTests {
  /// A noisy body, one joint of which moves up and down.
  private static func track(joint: Int, size: Float, noise: Float) -> MotionTrack {
    var state: UInt64 = 7
    func random() -> Float {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(state >> 40) * 0x1p-24 - 0.5
    }
    let places: [SIMD2<Float>] = [
      [0, 0.93], [0, 0.8], [-0.1, 0.8], [-0.15, 0.65], [-0.15, 0.5], [0.1, 0.8], [0.15, 0.65],
      [0.15, 0.5], [-0.06, 0.5], [-0.06, 0.27], [-0.06, 0.04], [0.06, 0.5], [0.06, 0.27],
      [0.06, 0.04], [-0.02, 0.95], [0.02, 0.95], [-0.04, 0.94], [0.04, 0.94],
    ]
    var positions: [SIMD2<Float>] = []
    for frame in 0..<150 {
      for (index, place) in places.enumerated() {
        var place = place + SIMD2(random(), random()) * noise
        // Twenty frames a cycle.
        if index == joint, frame % 20 < 10 { place.y += size }
        positions.append(place)
      }
    }
    return MotionTrack(positions: positions)
  }

  /// How much of the group's variance repeats every twenty frames.
  private static func share(_ group: FeatureGroup) -> Float {
    let variance = group.variances(at: [75], reach: 75).reduce(0, +)
    var distance: Float = 0
    for frame in 20..<group.count {
      for column in 0..<group.dimension {
        let difference =
          group.values[frame * group.dimension + column]
          - group.values[(frame - 20) * group.dimension + column]
        distance += difference * difference
      }
    }
    return 1 - distance / Float(group.count - 20) / (2 * variance)
  }

  @Test(
    "A small movement of one joint stands out along the main directions", arguments: [0, 4, 13])
  func smallMovement(joint: Int) {
    let features = MotionFeatures(Self.track(joint: joint, size: 0.04, noise: 0.03))
    #expect(features.main.count == features.count)
    #expect(Self.share(features.main) > 2 * Self.share(features.whole))
    #expect(Self.share(features.main) > 0.4)
  }

  @Test("A body that keeps still has no main directions, and nothing is infinite")
  func stillness() {
    let features = MotionFeatures(Self.track(joint: 0, size: 0, noise: 0))
    #expect(features.main.values.allSatisfy { $0 == 0 })
    #expect(LagPlanes(features).values.allSatisfy { $0.isFinite })
  }

  @Test("What goes up on one side after the other is alike with its sides exchanged")
  func sides() {
    let track = Self.track(joint: 4, size: 0.1, noise: 0)
    let features = MotionFeatures(track)
    // The left wrist moves as the right one did: the exchanged path differs from the plain one.
    #expect(features.main.values != features.mainSwapped.values)
    #expect(features.mainSwapped.count == features.main.count)
    #expect(features.mainMirrored.values.allSatisfy { $0.isFinite })
  }

  /// A leg lifted after the other, twenty frames for both, seen from somewhere.
  private static func marching(from angle: Float) -> MotionTrack {
    var positions: [SIMD2<Float>] = []
    for frame in 0..<120 {
      let phase = 2 * Float.pi * Float(frame) / 20
      for joint in 0..<18 {
        let isLeft = [5, 6, 7, 11, 12, 13, 15, 17].contains(joint)
        let side: Float = [0, 1].contains(joint) ? 0 : isLeft ? 1 : -1
        let lift = max(0, side * sin(phase))
        let isLeg = [9, 10, 12, 13].contains(joint)
        let height: Float = isLeg ? 0.3 : [8, 11].contains(joint) ? 0.5 : 0.8
        let x = 0.1 * side
        let z = isLeg ? 0.3 * lift : 0
        positions.append([x * cos(angle) + z * sin(angle), height + (isLeg ? 0.2 * lift : 0)])
      }
    }
    return MotionTrack(positions: positions)
  }

  /// The squared distance between the features of two moments.
  private func distance(
    _ group: FeatureGroup, _ index: Int, _ other: FeatureGroup, _ otherIndex: Int
  ) -> Float {
    (0..<group.dimension).reduce(0) { sum, column in
      let change =
        group.values[index * group.dimension + column]
        - other.values[otherIndex * other.dimension + column]
      return sum + change * change
    }
  }

  @Test(
    "The heights are the same once the other side has had its turn, from wherever one looks",
    arguments: [Float(0), 0.5, 0.8, 1.57])
  func heights(angle: Float) {
    let features = MotionFeatures(Self.marching(from: angle))
    #expect(distance(features.heights, 55, features.heights, 45) < 1e-6)
    #expect(distance(features.heights, 50, features.heights, 45) > 1e-3)
  }

  @Test(
    "Once the other side has had its turn it has the rhythm that this one had, wherever one looks from",
    arguments: [Float(0), 0.5, 0.8, 1.57])
  func rhythm(angle: Float) {
    let features = MotionFeatures(Self.marching(from: angle))
    #expect(distance(features.rhythmSwapped, 58, features.rhythm, 48) < 1e-3)
    #expect(distance(features.rhythm, 58, features.rhythm, 48) > 1e-2)
  }
}
