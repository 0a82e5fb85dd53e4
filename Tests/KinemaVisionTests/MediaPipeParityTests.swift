import Foundation
import KinemaPose
import KinemaTestSupport
import KinemaVideo
import KinemaVision
import Testing

@Suite(
  "The networks beside MediaPipe 0.10.21", .enabled(if: SharedData.isPresent, SharedData.reason))
struct MediaPipeParityTests {
  /// A body's landmarks beside MediaPipe's: distances as shares of the torso's length.
  private struct Deviation {
    var mean: Float
    var maximum: Float

    init(_ found: BodyLandmarks, from golden: MediaPipePose) {
      let points = golden.landmarks.map { SIMD2($0[0], $0[1]) }
      let torso = ((points[11] + points[12] - points[23] - points[24]) / 2).length
      // The topology of BlazePose is that of the golden numbers.
      let distances = zip(found.points, points).map { ($0.position - $1).length / torso }
      mean = distances.reduce(0, +) / Float(distances.count)
      maximum = distances.max() ?? .infinity
    }
  }

  @Test("in the same region, the landmarks are MediaPipe's to half a per cent of the torso")
  func landmarks() async throws {
    var networks = try PoseNetworks(runtime: .located(), precision: .full)
    var means: [Float] = []
    var maxima: [Float] = []
    for (golden, frame) in try await goldenFrames() {
      let region = Region(
        center: SIMD2(golden.region[0], golden.region[1]), size: golden.region[2],
        angle: golden.region[3])
      let found = try #require(try networks.landmarks(in: region, of: frame))
      let deviation = Deviation(found, from: golden)
      #expect(deviation.mean < 0.005, "\(golden.clip), frame \(golden.frame), \(golden.kind)")
      means.append(deviation.mean)
      maxima.append(deviation.maximum)
      for (point, expected) in zip(found.points, golden.landmarks) {
        #expect(abs(point.visibility - expected[2]) < 0.02)
      }
    }
    print("landmarks: \(means.count) frames, mean \(means.reduce(0, +) / Float(means.count)),")
    print("worst frame \(means.max() ?? 0), worst point \(maxima.max() ?? 0) of the torso")
  }

  /// Upright in its region, a lying person's body is turned back with it.
  @Test("places in metres lie as the points do in the picture, however the region is turned")
  func world() async throws {
    var networks = try PoseNetworks(runtime: .located(), precision: .full)
    var turned = 0
    for (golden, frame) in try await goldenFrames() {
      let region = Region(
        center: SIMD2(golden.region[0], golden.region[1]), size: golden.region[2],
        angle: golden.region[3])
      let body = try #require(try networks.landmarks(in: region, of: frame))
      let pose = Pose(body, width: frame.width, height: frame.height, id: 1, keepsLandmarks: true)
      let landmarks = try #require(pose.landmarks)
      let hip = (landmarks[23].world + landmarks[24].world) / 2
      #expect((hip * hip).sum() < 0.01)
      let size = SIMD2(Float(frame.width), Float(frame.height))
      let middle = (landmarks[23].position + landmarks[24].position) / 2
      var (product, pictureSum, worldSum) = (Float(0), Float(0), Float(0))
      for landmark in landmarks where landmark.visibility > 0.5 {
        let way = landmark.position - middle
        let picture = SIMD2(way.x, way.y) * size
        let world = SIMD2(landmark.world.x, landmark.world.y)
        product += (picture * world).sum()
        pictureSum += (picture * picture).sum()
        worldSum += (world * world).sum()
      }
      let correlation = product / (pictureSum * worldSum).squareRoot()
      #expect(correlation > 0.9, "\(golden.clip), frame \(golden.frame)")
      if abs(region.angle) > 0.8 { turned += 1 }
    }
    #expect(turned > 0)
  }

  @Test("detections and the regions made of them are MediaPipe's to a tenth of a pixel")
  func detections() async throws {
    var detector = try BlazePoseDetector(runtime: .located(), precision: .full)
    var times = StageTimes()
    var worst: Float = 0
    for (golden, frame) in try await goldenFrames() {
      guard let expected = golden.detection else { continue }
      let whole = Region(coveringWidth: frame.width, height: frame.height)
      let found = try #require(
        try detector.detections(in: whole, of: frame, times: &times).first)
      #expect(abs(found.score - expected.score) < 0.001)
      let region = found.region
      let numbers =
        found.points.flatMap { [$0.x, $0.y] } + [region.center.x, region.center.y, region.size]
      let expectedNumbers =
        expected.box + expected.keypoints.flatMap { $0 } + Array(golden.region[..<3])
      let deviation = zip(numbers, expectedNumbers).map { abs($0 - $1) }.max() ?? .infinity
      #expect(deviation < 0.1, "\(golden.clip), frame \(golden.frame)")
      #expect(abs(region.angle - golden.region[3]) < 0.001)
      worst = max(worst, deviation)
    }
    print("detections and regions: worst \(worst) px")
  }

  private func goldenFrames() async throws -> [(MediaPipePose, Frame)] {
    var result: [(MediaPipePose, Frame)] = []
    for (clip, goldens) in Dictionary(grouping: try MediaPipePose.all(), by: \.clip) {
      let frames = try await Clip(clip).frames(Set(goldens.map(\.frame)))
      for golden in goldens {
        result.append((golden, try #require(frames[golden.frame])))
      }
    }
    return result
  }
}
