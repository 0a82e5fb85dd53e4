import Foundation
import KinemaLab
import KinemaPose
import KinemaRendering
import KinemaSynth
import KinemaVideo
import KinemaVision
import Synchronization

/// The people of a synthetic scene as detections, in place of what networks find in its frames.
struct SceneNetwork: BodyNetwork, BodyDetector {
  private struct Body {
    let middle: SIMD2<Float>
    let reach: Float
    let landmarks: BodyLandmarks
    var tip: SIMD2<Float> { middle - SIMD2(0, reach) }
  }

  /// Nothing is in its folder.
  static let runtime: VisionRuntime = {
    var runtime = VisionRuntime(home: URL(filePath: "/nowhere"))
    (runtime.bodyDetector, runtime.bodyNetwork) = (SceneNetwork.self, SceneNetwork.self)
    return runtime
  }()

  private static let points: [(point: BodyPoint, key: JointKey)] = [
    (.nose, .nose), (.leftEye, .leftEye), (.rightEye, .rightEye), (.leftEar, .leftEar),
    (.rightEar, .rightEar), (.leftShoulder, .leftShoulder), (.rightShoulder, .rightShoulder),
    (.leftElbow, .leftElbow), (.rightElbow, .rightElbow), (.leftWrist, .leftWrist),
    (.rightWrist, .rightWrist), (.leftHip, .leftHip), (.rightHip, .rightHip),
    (.leftKnee, .leftKnee), (.rightKnee, .rightKnee), (.leftAnkle, .leftAnkle),
    (.rightAnkle, .rightAnkle),
  ]
  private static let topology = BodyTopology(points.map(\.point))
  /// Those of the frame that is processed.
  private static let bodies = Mutex<[Body]>([])

  static func id(in runtime: VisionRuntime) -> String { "scene" }

  init(runtime: VisionRuntime, precision: NetworkPrecision) {}

  /// A benchmark in small frames, scene after scene.
  static func prepare(_ benchmark: inout FollowingBenchmark) {
    let size = (width: 160, height: 90)
    (benchmark.size, benchmark.threadCount) = (size, 1)
    benchmark.willProcess = { scene, time in
      let shares = scene.visibleShares(at: time)
      let scale = SIMD2(Float(size.width), Float(size.height))
      let poses = scene.poses(at: time, aspectRatio: scale.x / scale.y)
      // BlazePose finds hardly anybody of whom less is visible.
      let found = zip(poses, shares).filter { $1 > 0.4 }.compactMap { pose, _ in
        body(of: pose, scale: scale)
      }
      bodies.withLock { $0 = found }
    }
  }

  private static func body(of pose: Pose, scale: SIMD2<Float>) -> Body? {
    let found = points.compactMap { pose.keypoints[$0.key] }
    guard found.count == points.count else { return nil }
    let places = found.map { SIMD2($0.position.x, 1 - $0.position.y) * scale }
    let middle = (places[11] + places[12]) / 2
    let reach = places.map { ($0 - middle).length }.max() ?? 0
    let landmarks = BodyLandmarks(
      points: zip(places, found).map {
        .init(position: $0, visibility: $1.confidence, presence: 1)
      },
      topology: topology, hips: middle, tip: middle - SIMD2(0, reach), presence: 1)
    return Body(middle: middle, reach: reach, landmarks: landmarks)
  }

  func people(
    in region: Region, of frame: Frame, hiding hidden: [BodyLandmarks], times: inout StageTimes
  ) -> [BodyDetection] {
    bodies(in: region, hiding: hidden).map {
      BodyDetection(score: 1, hips: $0.middle, tip: $0.tip)
    }
  }

  func landmarks(
    in region: Region, of frame: Frame, hiding hidden: [BodyLandmarks], times: inout StageTimes
  ) -> BodyLandmarks? {
    bodies(in: region, hiding: hidden).min {
      ($0.middle - region.center).length < ($1.middle - region.center).length
    }?.landmarks
  }

  private func bodies(in region: Region, hiding hidden: [BodyLandmarks]) -> [Body] {
    Self.bodies.withLock { $0 }.filter { body in
      (body.middle - region.center).length < region.size / 2
        && !hidden.contains { ($0.region.center - body.middle).length < body.reach / 4 }
    }
  }
}
