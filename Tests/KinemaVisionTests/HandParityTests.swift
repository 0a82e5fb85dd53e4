import Foundation
import KinemaTestSupport
import KinemaVideo
import KinemaVision
import Testing

/// What MediaPipe found of hands in a frame (`Scripts/golden/hand_parity.py`); pixels, origin at the
/// upper left.
private struct MediaPipeHands: Decodable {
  struct Palm: Decodable {
    let score: Float
    /// Left, top, right and bottom.
    let box: [Float]
    let keypoints: [[Float]]
    /// Centre, side and angle.
    let region: [Float]
  }

  struct Hand: Decodable {
    let region: [Float]
    let landmarks: [[Float]]
    let rightness: Float
    /// The region for the next frame.
    let next: [Float]
  }

  let clip: String
  let frame: Int
  let palms: [Palm]
  let hands: [Hand]

  /// The records with their frames.
  static func all() async throws -> [(MediaPipeHands, Frame)] {
    let url = SharedData.packageRoot
      .appending(path: "Tests/KinemaVisionTests/Fixtures/mediapipe_hands.json")
    let goldens = try JSONDecoder().decode([MediaPipeHands].self, from: Data(contentsOf: url))
    var result: [(MediaPipeHands, Frame)] = []
    for (clip, goldens) in Dictionary(grouping: goldens, by: \.clip) {
      let frames = try await Clip(clip).frames(Set(goldens.map(\.frame)))
      for golden in goldens {
        result.append((golden, try #require(frames[golden.frame])))
      }
    }
    return result
  }
}

@Suite(
  "The networks of hands beside MediaPipe 0.10.21",
  .enabled(if: SharedData.isPresent, SharedData.reason))
struct HandParityTests {
  @Test("in the same region, the landmarks are MediaPipe's to one per cent of the hand's size")
  func landmarks() async throws {
    var networks = try HandNetworks(runtime: .located(), precision: .full)
    var means: [Float] = []
    var worst: Float = 0
    var sides = (same: 0, all: 0)
    for (golden, frame) in try await MediaPipeHands.all() {
      for hand in golden.hands {
        let found = try #require(
          try networks.landmarks(in: Region(hand.region), of: frame),
          "\(golden.clip), frame \(golden.frame)")
        let points = hand.landmarks.map { SIMD2($0[0], $0[1]) }
        let distances = zip(found.points, points).map { ($0 - $1).length / found.size }
        let mean = distances.reduce(0, +) / Float(distances.count)
        #expect(mean < 0.01, "\(golden.clip), frame \(golden.frame)")
        means.append(mean)
        worst = max(worst, distances.max() ?? .infinity)
        sides.all += 1
        sides.same += (found.rightness >= 0.5) == (hand.rightness >= 0.5) ? 1 : 0
        // The next region follows from MediaPipe's own landmarks.
        let next = HandLandmarks(points: points, presence: 1, rightness: 1).region
        let expected = Region(hand.next)
        #expect((next.center - expected.center).length < 0.001 * expected.size)
        #expect(abs(next.size - expected.size) < 0.001 * expected.size)
        #expect(abs(next.angle - expected.angle) < 0.001)
      }
    }
    #expect(means.count > 40)
    #expect(sides.same >= sides.all - 1)
    #expect(means.reduce(0, +) / Float(means.count) < 0.002)
    print("landmarks: \(means.count) hands, mean \(means.reduce(0, +) / Float(means.count)),")
    print("worst hand \(means.max() ?? 0), worst point \(worst) of the hand's size")
  }

  @Test("palms and the regions made of them are MediaPipe's to a tenth of a pixel")
  func palms() async throws {
    var networks = try HandNetworks(runtime: .located(), precision: .full)
    var count = 0
    var worst: Float = 0
    for (golden, frame) in try await MediaPipeHands.all() where !golden.palms.isEmpty {
      let whole = Region(coveringWidth: frame.width, height: frame.height)
      let found = try networks.palms(in: whole, of: frame)
      // MediaPipe keeps the best two.
      #expect(min(found.count, 2) == golden.palms.count)
      for (palm, expected) in zip(found, golden.palms) {
        #expect(abs(palm.score - expected.score) < 0.001)
        let region = palm.region
        let numbers =
          palm.points.flatMap { [$0.x, $0.y] } + [region.center.x, region.center.y, region.size]
        let expectedNumbers =
          expected.box + expected.keypoints.flatMap { $0 } + Array(expected.region[..<3])
        let deviation = zip(numbers, expectedNumbers).map { abs($0 - $1) }.max() ?? .infinity
        #expect(deviation < 0.1, "\(golden.clip), frame \(golden.frame)")
        #expect(abs(region.angle - expected.region[3]) < 0.001)
        worst = max(worst, deviation)
        count += 1
      }
    }
    #expect(count > 20)
    print("palms and regions: \(count), worst \(worst) px")
  }
}

extension Region {
  fileprivate init(_ numbers: [Float]) {
    self.init(center: SIMD2(numbers[0], numbers[1]), size: numbers[2], angle: numbers[3])
  }
}
