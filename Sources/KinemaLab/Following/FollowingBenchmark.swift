import KinemaPose
import KinemaStreams
package import KinemaSynth
import KinemaVideo
package import KinemaVision

/// Evaluates tracking on synthetic scenes of two to four people who cross, with known positions and
/// visibility.
package struct FollowingBenchmark: Codable, Hashable, Sendable {
  /// Decides the scenes.
  package var seed: UInt64 = 20_266
  /// The number of scenes, with two, three and four people in rotation.
  package var sceneCount = 20
  /// How long each lasts, in seconds.
  package var duration = 10.0
  /// The largest number of tracked people.
  package var maximumPersonCount = 4
  /// How many scenes are worked on at once; it changes nothing but the time.
  package var threadCount = 1

  /// The frame rates of the scenes, in rotation.
  package static let frameRates = [15.0, 20, 24, 30]
  /// The frame size in pixels.
  package static let size = (width: 960, height: 540)

  /// The benchmark of `docs/benchmarks.md`.
  package init() {}

  /// What came of a scene.
  package struct Scene: Hashable, Codable, Sendable {
    /// How many people there are.
    package var personCount: Int
    /// Frames in a second.
    package var frameRate: Double
    /// The tracking metrics.
    package var score: FollowingScore
    /// How often the detector ran.
    package var detectorRuns: Int
    /// How often the landmark network ran.
    package var landmarkRuns: Int
    /// Milliseconds of processor time that a frame took, from the pixels to the poses.
    package var frameTime: Double
  }

  /// A scene; not below 0.
  package func crossing(_ index: Int) -> SyntheticCrossing {
    SyntheticCrossing(
      personCount: personCount(index), seed: seed(of: index), duration: duration,
      aspectRatio: Float(Self.size.width) / Float(Self.size.height))
  }

  /// How many people a scene has.
  package func personCount(_ index: Int) -> Int { 2 + index % 3 }

  private func seed(of index: Int) -> UInt64 {
    seed &+ UInt64(index) &* 0x9E6C_63D0_876A_3F6B
  }

  /// Tracks the people of every scene.
  ///
  /// - Parameters:
  ///   - runtime: The networks.
  ///   - progress: Receives the number of finished scenes and of all.
  /// - Returns: The scenes in order.
  /// - Throws: ``KinemaVision/VisionError`` if the networks cannot be used.
  package func run(
    runtime: VisionRuntime = .located(), progress: (Int, Int) -> Void = { _, _ in }
  ) async throws -> [Scene] {
    try await withThrowingTaskGroup(of: (Int, Scene).self) { group in
      var scenes: [Int: Scene] = [:]
      for index in 0..<sceneCount {
        if index >= max(1, threadCount), let (done, scene) = try await group.next() {
          scenes[done] = scene
          progress(scenes.count, sceneCount)
        }
        group.addTask { (index, try await follow(index, runtime: runtime)) }
      }
      for try await (done, scene) in group {
        scenes[done] = scene
        progress(scenes.count, sceneCount)
      }
      return scenes.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  private func follow(_ index: Int, runtime: VisionRuntime) async throws -> Scene {
    let crossing = crossing(index)
    let (width, height) = Self.size
    let frameRate = Self.frameRates[index / 3 % Self.frameRates.count]
    let renderer = SyntheticRenderer(
      crossing.scene, width: width, height: height, seed: seed(of: index))
    let extractor = HumanBodyPoseExtractor(
      configuration: .init(maximumPersonCount: maximumPersonCount), runtime: runtime)
    var score = FollowingScore()
    var seconds = 0.0
    // The networks are loaded before anything is measured.
    _ = try await extractor.applied(to: Frame(width: 64, height: 64))
    await extractor.measureStages()
    for frame in 0..<Int(crossing.duration * frameRate) {
      let time = Double(frame) / frameRate
      let id = TemporalSegmentIdentifier(
        source: "scene \(index)", range: frame..<frame + 1, timescale: Int(frameRate))
      let picture = TemporalFeature(id: id, feature: renderer.frame(at: time))
      let poses = try await extractor.applied(to: picture).feature
      score.add(
        poses, people: crossing.people(at: time), at: time,
        aspectRatio: Float(width) / Float(height))
    }
    let times = await extractor.stageTimes
    seconds = times.seconds.reduce(0, +)
    return Scene(
      personCount: personCount(index), frameRate: frameRate, score: score,
      detectorRuns: times.counts[StageTimes.Stage.detector.rawValue],
      landmarkRuns: times.counts[StageTimes.Stage.landmarks.rawValue],
      frameTime: seconds * 1000 / Double(max(score.frames, 1)))
  }
}

extension SyntheticCrossing {
  /// The people at a time, in seconds from the start.
  fileprivate func people(at time: Double) -> [FollowingScore.Person] {
    let (width, height) = FollowingBenchmark.size
    let aspectRatio = Float(width) / Float(height)
    let shares = scene.visibleShares(at: time)
    let poses = scene.poses(at: time, aspectRatio: aspectRatio)
    return scene.figures.indices.map { index in
      let figure = scene.figures[index]
      let hips = figure.skeleton(at: time).root
      let half = SIMD3(0, figure.session.person.stature / 2, 0)
      let ends = [hips - half, hips + half].map {
        scene.viewpoint.projected($0, aspectRatio: aspectRatio).y
      }
      return FollowingScore.Person(
        pose: poses[index], height: ends[1] - ends[0], visibleShare: shares[index])
    }
  }
}
