import KinemaPose
package import KinemaRendering
import KinemaStreams
import KinemaSynth
import KinemaTracking
import KinemaVideo
package import KinemaVision

/// Evaluates tracking on synthetic scenes of two to four people, with known positions and
/// visibility.
package struct FollowingBenchmark: Sendable {
  /// Decides the scenes.
  package var seed: UInt64 = 20_266
  /// The kinds of scenes.
  package var kinds = SyntheticCrossing.Kind.allCases
  /// Whether two hands are tracked instead of people.
  package var isOfHands = false
  /// The number of scenes of each kind, with two, three and four people in rotation.
  package var sceneCount = 20
  /// How long each lasts, in seconds; those of people who return last as long as it takes.
  package var duration = 10.0
  /// The largest number of tracked people.
  package var maximumPersonCount = 4
  /// Whether ids are evaluated as a live session reports them, without look-ahead.
  package var isLive = false
  /// How many scenes are worked on at once; it changes nothing but the time.
  package var threadCount = 1
  /// The frame size in pixels.
  package var size = (width: 960, height: 540)
  /// Called with each scene and time before its frame is processed.
  package var willProcess: @Sendable (SyntheticScene, Double) -> Void = { _, _ in }

  /// The frame rates of crossings, in rotation.
  private static let frameRates = [15.0, 20, 24, 30]
  private var aspectRatio: Float { Float(size.width) / Float(size.height) }

  /// The benchmark of `docs/benchmarks.md`.
  package init() {}

  /// What came of a scene.
  package struct Scene: Encodable, Sendable {
    /// What makes it hard.
    package var kind: String
    /// How many people, or hands, there are.
    package var personCount: Int
    /// Frames in a second.
    package var frameRate: Double
    /// The tracking metrics.
    package var score: FollowingScore
    /// The tracking metrics of the field.
    package var tracking: TrackingMetrics
    /// Whether people who return get their ids back.
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

  /// What is tracked in a scene.
  private struct Stage {
    let kind: String
    let scene: SyntheticScene
    let duration: Double
    var emptyTime: ClosedRange<Double>?
    let frameRate: Double
  }

  private func stage(_ kind: SyntheticCrossing.Kind?, _ index: Int) -> Stage {
    guard let kind else {
      return Stage(
        kind: "hands", scene: .twoHands(seed: seed(of: index)),
        duration: duration, frameRate: Self.frameRates[index % 4])
    }
    let crossing = SyntheticCrossing(
      kind, personCount: 2 + index % 3, seed: seed(of: index), duration: duration,
      aspectRatio: aspectRatio)
    return Stage(
      kind: kind.rawValue, scene: crossing.scene, duration: crossing.duration,
      emptyTime: crossing.emptyTime, frameRate: Self.frameRate(kind, index))
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
  /// - Throws: ``KinemaVision/VisionError`` if the networks cannot be used; `CancellationError`.
  package func run(
    runtime: VisionRuntime = .located(), progress: (Int, Int) -> Void = { _, _ in }
  ) async throws -> [Scene] {
    let kinds: [SyntheticCrossing.Kind?] = isOfHands ? [nil] : kinds
    let plan = kinds.flatMap { kind in (0..<sceneCount).map { (kind: kind, index: $0) } }
    return try await ConcurrentWork.run(plan.count, limit: threadCount, progress: progress) {
      try await follow(plan[$0].kind, plan[$0].index, runtime: runtime)
    }
  }

  private func follow(
    _ kind: SyntheticCrossing.Kind?, _ index: Int, runtime: VisionRuntime
  ) async throws -> Scene {
    let stage = stage(kind, index)
    let renderer = SyntheticRenderer(
      stage.scene, width: size.width, height: size.height, seed: seed(of: index))
    let subject: PoseSubject =
      isOfHands ? .hands(.init()) : .bodies(.init(maximumPersonCount: maximumPersonCount))
    let pool = PosePool(workerCount: 1, runtime: runtime)
    defer { pool.end() }
    let stream = pool.makeStream(subject)
    var lookAhead = LookAhead<PosedFrame>(
      rules: subject.trackingRules, maximumPersonCount: subject.maximumCount)
    var score = FollowingScore()
    var record = TrackRecord()
    func evaluate(_ frame: PosedFrame) {
      let truths = stage.scene.subjects(at: frame.time, aspectRatio: aspectRatio)
      let (poses, time) = (frame.poses, frame.time)
      let found = score.add(poses, people: truths, at: time, aspectRatio: aspectRatio)
      record.add(poses, people: truths, found: found, at: time, aspectRatio: aspectRatio)
    }
    // The networks are loaded before anything is measured.
    try await stream.perform { finder in
      _ = try finder.poses(in: Frame(width: 64, height: 64), at: 0)
      finder.reset()
      finder.measureStages()
    }
    for number in 0..<Int(stage.duration * stage.frameRate) {
      // While nobody is visible, time continues without frames.
      let time = Double(number) / stage.frameRate
      if stage.emptyTime?.contains(time) ?? false { continue }
      let id = TemporalSegmentIdentifier(
        source: "scene \(index)", range: number..<number + 1, timescale: Int(stage.frameRate))
      let picture = TemporalFeature(id: id, feature: renderer.frame(at: time))
      willProcess(stage.scene, time)
      let people = try await stream.perform { try $0.people(in: picture.feature, at: time) }
      let frame = WaitingFrame(picture, people: people, keepsPicture: false)
      (isLive ? [frame] : lookAhead.add(frame)).map(\.posed).forEach(evaluate)
    }
    lookAhead.finish().map(\.posed).forEach(evaluate)
    let times = try await stream.perform { $0.stageTimes }
    return Scene(
      kind: stage.kind, personCount: stage.scene.figures.count + stage.scene.hands.count,
      frameRate: stage.frameRate, score: score, tracking: record.metrics, returns: record.returns,
      detectorRuns: times.counts[StageTimes.Stage.detector.rawValue],
      landmarkRuns: times.counts[StageTimes.Stage.landmarks.rawValue],
      frameTime: times.seconds.reduce(0, +) * 1000 / Double(max(score.frames, 1)),
      record: record)
  }
}

extension SyntheticScene {
  /// A hand's joints may be as far off as those of a person of this many times its length, so
  /// that ``FollowingScore/reach`` is three tenths of the hand.
  private static let handScale: Float = 1.5

  /// The people and hands that are at least partly in the frame at a time, in seconds from the start.
  fileprivate func subjects(at time: Double, aspectRatio: Float) -> [TrackRecord.Subject] {
    let viewpoint = viewpoint(at: time)
    let shares = visibleShares(at: time)
    return poses(at: time, aspectRatio: aspectRatio).enumerated().compactMap { index, pose in
      guard pose.shareInside > 0 else { return nil }
      if index >= figures.count {
        let length = hands[index - figures.count].length
        let ends = [0, length * Self.handScale].map {
          viewpoint.projected(viewpoint.target + SIMD3(0, $0, 0), aspectRatio: aspectRatio).y
        }
        return TrackRecord.Subject(
          pose: pose, height: ends[1] - ends[0], visibleShare: shares[index])
      }
      let figure = figures[index]
      let hips = figure.skeleton(at: time).root
      let half = SIMD3(0, figure.session.person.stature / 2, 0)
      let ends = [hips - half, hips + half].map {
        viewpoint.projected($0, aspectRatio: aspectRatio).y
      }
      return TrackRecord.Subject(
        pose: pose, height: ends[1] - ends[0], visibleShare: shares[index])
    }
  }
}
