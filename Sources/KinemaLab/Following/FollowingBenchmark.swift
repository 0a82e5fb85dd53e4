import KinemaPose
import KinemaStreams
package import KinemaSynth
import KinemaVideo
package import KinemaVision

/// Evaluates tracking on synthetic scenes of two to four people, with known positions and
/// visibility.
package struct FollowingBenchmark: Sendable {
  /// Decides the scenes.
  package var seed: UInt64 = 20_266
  /// The kinds of scenes.
  package var kinds = SyntheticCrossing.Kind.allCases
  /// The number of scenes of each kind, with two, three and four people in rotation.
  package var sceneCount = 20
  /// How long each lasts, in seconds; those of people who return last as long as it takes.
  package var duration = 10.0
  /// The largest number of tracked people.
  package var maximumPersonCount = 4
  /// How many scenes are worked on at once; it changes nothing but the time.
  package var threadCount = 1

  /// The frame rates of crossings, in rotation.
  private static let frameRates = [15.0, 20, 24, 30]
  /// The frame size in pixels.
  private static let size = (width: 960, height: 540)
  private static let aspectRatio = Float(size.width) / Float(size.height)

  /// The benchmark of `docs/benchmarks.md`.
  package init() {}

  /// What came of a scene.
  package struct Scene: Encodable, Sendable {
    /// What makes it hard.
    package var kind: String
    /// How many people there are.
    package var personCount: Int
    /// Frames in a second.
    package var frameRate: Double
    /// The tracking metrics.
    package var score: FollowingScore
    /// The tracking metrics of the field.
    package var tracking: TrackingMetrics
    /// Whether those who return get their ids back.
    package var returns: TrackRecord.Returns
    /// How often the detector ran.
    package var detectorRuns: Int
    /// How often the landmark network ran.
    package var landmarkRuns: Int
    /// Milliseconds of processor time that a frame took, from the pixels to the poses.
    package var frameTime: Double
    /// Who is in the frames, and what is reported.
    package var record: TrackRecord

    private enum CodingKeys: CodingKey {
      case kind, personCount, frameRate, score, tracking, returns, detectorRuns, landmarkRuns
      case frameTime
    }
  }

  /// A scene; not below 0.
  func crossing(_ kind: SyntheticCrossing.Kind, _ index: Int) -> SyntheticCrossing {
    SyntheticCrossing(
      kind, personCount: 2 + index % 3, seed: seed(of: index), duration: duration,
      aspectRatio: Self.aspectRatio)
  }

  private func seed(of index: Int) -> UInt64 {
    seed &+ UInt64(index) &* 0x9E6C_63D0_876A_3F6B
  }

  private static func frameRate(_ kind: SyntheticCrossing.Kind, _ index: Int) -> Double {
    switch kind {
    case .crossings: frameRates[index / 3 % frameRates.count]
    case .sameClothes, .groups, .occluders, .movingCamera: 15
    case .returns: 10
    }
  }

  /// Tracks the people of every scene.
  ///
  /// - Parameters:
  ///   - runtime: The networks.
  ///   - progress: Receives the number of finished scenes and of all.
  /// - Returns: The scenes in order, kind by kind.
  /// - Throws: ``KinemaVision/VisionError`` if the networks cannot be used.
  package func run(
    runtime: VisionRuntime = .located(), progress: (Int, Int) -> Void = { _, _ in }
  ) async throws -> [Scene] {
    let plan = kinds.flatMap { kind in (0..<sceneCount).map { (kind: kind, index: $0) } }
    return try await withThrowingTaskGroup(of: (Int, Scene).self) { group in
      var scenes: [Int: Scene] = [:]
      for (number, item) in plan.enumerated() {
        if number >= max(1, threadCount), let (done, scene) = try await group.next() {
          scenes[done] = scene
          progress(scenes.count, plan.count)
        }
        group.addTask { (number, try await follow(item.kind, item.index, runtime: runtime)) }
      }
      for try await (done, scene) in group {
        scenes[done] = scene
        progress(scenes.count, plan.count)
      }
      return scenes.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  private func follow(
    _ kind: SyntheticCrossing.Kind, _ index: Int, runtime: VisionRuntime
  ) async throws -> Scene {
    let crossing = crossing(kind, index)
    let frameRate = Self.frameRate(kind, index)
    let renderer = SyntheticRenderer(
      crossing.scene, width: Self.size.width, height: Self.size.height, seed: seed(of: index))
    let extractor = HumanBodyPoseExtractor(
      configuration: .init(maximumPersonCount: maximumPersonCount), runtime: runtime)
    var score = FollowingScore()
    var record = TrackRecord()
    // The networks are loaded before anything is measured.
    _ = try await extractor.applied(to: Frame(width: 64, height: 64))
    await extractor.measureStages()
    for frame in 0..<Int(crossing.duration * frameRate) {
      let time = Double(frame) / frameRate
      // While nobody is there the clock goes on, without frames.
      if crossing.emptyTime?.contains(time) ?? false { continue }
      let id = TemporalSegmentIdentifier(
        source: "scene \(index)", range: frame..<frame + 1, timescale: Int(frameRate))
      let picture = TemporalFeature(id: id, feature: renderer.frame(at: time))
      let poses = try await extractor.applied(to: picture).feature
      let people = crossing.people(at: time, aspectRatio: Self.aspectRatio)
      let found = score.add(poses, people: people, at: time, aspectRatio: Self.aspectRatio)
      record.add(poses, people: people, found: found, at: time, aspectRatio: Self.aspectRatio)
    }
    let times = await extractor.stageTimes
    return Scene(
      kind: kind.rawValue, personCount: crossing.scene.figures.count, frameRate: frameRate,
      score: score, tracking: record.metrics, returns: record.returns,
      detectorRuns: times.counts[StageTimes.Stage.detector.rawValue],
      landmarkRuns: times.counts[StageTimes.Stage.landmarks.rawValue],
      frameTime: times.seconds.reduce(0, +) * 1000 / Double(max(score.frames, 1)),
      record: record)
  }
}

extension SyntheticCrossing {
  /// The people who are at least partly in the frame at a time, in seconds from the start.
  fileprivate func people(at time: Double, aspectRatio: Float) -> [TrackRecord.Subject] {
    let viewpoint = scene.viewpoint(at: time)
    let shares = scene.visibleShares(at: time)
    let poses = scene.poses(at: time, aspectRatio: aspectRatio)
    return scene.figures.indices.compactMap { index in
      guard poses[index].shareInside > 0 else { return nil }
      let figure = scene.figures[index]
      let hips = figure.skeleton(at: time).root
      let half = SIMD3(0, figure.session.person.stature / 2, 0)
      let ends = [hips - half, hips + half].map {
        viewpoint.projected($0, aspectRatio: aspectRatio).y
      }
      return TrackRecord.Subject(
        pose: poses[index], height: ends[1] - ends[0], visibleShare: shares[index])
    }
  }
}
