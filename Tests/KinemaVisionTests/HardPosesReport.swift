import Foundation
import KinemaPose
import KinemaStreams
import KinemaSynth
import KinemaVideo
import KinemaVision
import Testing

private let reportedSeeds =
  ProcessInfo.processInfo.environment["KINEMA_REPORT_HARD_POSES"].flatMap(Int.init) ?? 0

/// Not a test of its own accord: `Scripts/report_hard_poses` runs it and prints its table.
struct HardPosesReport {
  @Test(
    "small people from all sides, on the floor and half outside the picture",
    .enabled(if: reportedSeeds > 0, "Scripts/report_hard_poses asks for it"))
  func report() async throws {
    for (width, height) in [(640, 480), (1280, 720)] {
      for share in [0.15, 0.2, 0.25, 0.3, 0.6] as [Float] {
        for view in HardView.allCases {
          for isWholeOnly in [false, true] {
            var result = HardPoseFigures()
            for seed in 1...reportedSeeds {
              let stage = HardStage(
                view, share: share, width: width, height: height, seed: UInt64(seed))
              result.add(try await stage.figures(frameCount: 60, isWholeOnly: isWholeOnly))
            }
            let search = isWholeOnly ? "whole" : "parts"
            print("REPORT\t\(width)x\(height)\t\(share)\t\(view)\t\(search)\t\(result.cells)")
          }
        }
      }
    }
  }
}

/// What is hard about a synthetic person.
enum HardView: CaseIterable {
  case front, side, back, pushUp, crunch, lying, halfOutside

  var motion: Motion {
    switch self {
    case .front, .side: .squats
    case .back, .halfOutside: .jumpingJacks
    case .pushUp: .pushUps
    case .crunch: .named("crunches") ?? .standing
    case .lying: .named("lying") ?? .standing
    }
  }

  var yawDegrees: Float {
    switch self {
    case .front, .halfOutside: 0
    case .side, .pushUp, .crunch: 90
    case .back: 180
    case .lying: 45
    }
  }
}

/// A person of a share of the picture's height, somewhere in it.
struct HardStage {
  let scene: SyntheticScene
  let renderer: SyntheticRenderer
  private let aspectRatio: Float

  /// - Parameters:
  ///   - view: What is hard.
  ///   - share: What the person's stature would be at their distance, as a share of the picture's
  ///     height.
  ///   - width: The picture's width in pixels.
  ///   - height: Its height.
  ///   - seed: Decides person, clothes, room and place.
  ///   - isEmpty: Whether the person is left out of the pictures.
  init(
    _ view: HardView, share: Float, width: Int, height: Int, seed: UInt64, isEmpty: Bool = false
  ) {
    var generator = SeededGenerator(seed: seed &* 7919)
    let person = SyntheticPerson.random(using: &generator)
    let session = SyntheticSession(
      [.motion(view.motion, seconds: 4)], person: person, seed: seed)
    aspectRatio = Float(width) / Float(height)
    let middle = session.skeleton(at: 0)
    var viewpoint = Viewpoint(target: (middle.root + middle.neck) / 2, yawDegrees: view.yawDegrees)
    let visible = person.stature / share
    viewpoint.distance =
      visible / (2 * tan(viewpoint.verticalFieldOfViewDegrees * .pi / 360))
    // To where in the picture the person is moved, in heights of the picture from its middle.
    var place = SIMD2(
      Float.random(in: -1...1, using: &generator) * max(0, aspectRatio / 2 - 0.6 * share - 0.05),
      Float.random(in: -1...1, using: &generator) * max(0, 0.5 - 0.6 * share - 0.05))
    if view == .halfOutside {
      place.x = (aspectRatio / 2 - 0.02) * (seed % 2 == 0 ? 1 : -1)
    }
    let yaw = view.yawDegrees * .pi / 180
    viewpoint.target -=
      SIMD3(cos(yaw), 0, -sin(yaw)) * (place.x * visible) + SIMD3(0, place.y * visible, 0)
    scene = SyntheticScene(
      [SyntheticScene.Figure(session, appearance: .random(using: &generator))],
      viewpoint: viewpoint)
    let shown = isEmpty ? SyntheticScene([], viewpoint: viewpoint) : scene
    renderer = SyntheticRenderer(shown, width: width, height: height, seed: seed)
  }

  /// What an extractor finds in the first frames, at 30 a second.
  ///
  /// - Parameters:
  ///   - frameCount: How many frames are looked at.
  ///   - isWholeOnly: Whether the first person is looked for in the whole picture alone.
  func figures(frameCount: Int, isWholeOnly: Bool = false) async throws -> HardPoseFigures {
    let extractor = HumanBodyPoseExtractor()
    var figures = HardPoseFigures()
    figures.sequenceCount = 1
    for index in 0..<frameCount {
      // Parts of the picture have their turn when there was nobody for some frames.
      if isWholeOnly, figures.foundCount == 0 { await extractor.reset() }
      let time = Double(index) / 30
      let id = TemporalSegmentIdentifier(source: "stage", range: index..<index + 1, timescale: 30)
      let poses = try await extractor.applied(
        to: TemporalFeature(id: id, feature: renderer.frame(at: time))
      ).feature
      figures.add(poses, truth: scene.poses(at: time, aspectRatio: aspectRatio)[0], index: index)
    }
    return figures
  }
}

/// How well a person was found.
struct HardPoseFigures {
  var sequenceCount = 0
  private(set) var frameCount = 0
  private(set) var foundCount = 0
  private(set) var strangerCount = 0
  /// The first frame with the person, for each sequence with one.
  private(set) var firstFrames: [Int] = []
  /// Of each joint found in the picture, in heights of the trunk.
  private(set) var errors: [Float] = []
  private(set) var wrongSideCount = 0

  mutating func add(_ other: HardPoseFigures) {
    sequenceCount += other.sequenceCount
    frameCount += other.frameCount
    foundCount += other.foundCount
    strangerCount += other.strangerCount
    firstFrames += other.firstFrames
    errors += other.errors
    wrongSideCount += other.wrongSideCount
  }

  mutating func add(_ poses: [Pose], truth: Pose, index: Int) {
    frameCount += 1
    let trunk = Self.trunk(of: truth)
    let best = poses.min { Self.error($0, truth) < Self.error($1, truth) }
    guard let best, Self.error(best, truth) < 2 * trunk else {
      strangerCount += poses.count
      return
    }
    strangerCount += poses.count - 1
    foundCount += 1
    if firstFrames.isEmpty { firstFrames = [index] }
    let inside = truth.keypoints.values.filter {
      (0...1).contains($0.position.x) && (0...1).contains($0.position.y)
    }
    errors += inside.compactMap { point in
      best.keypoints[point.key].map { Self.distance($0.position, point.position) / trunk }
    }
    let straight = Self.sides(best, truth, exchanged: false)
    if Self.sides(best, truth, exchanged: true) < 0.6 * straight, straight > 0.3 * trunk {
      wrongSideCount += 1
    }
  }

  var cells: String {
    func share(_ count: Int) -> String {
      String(Int((Double(count) / Double(max(1, frameCount)) * 100).rounded()))
    }
    let sorted = errors.sorted()
    func percent(_ value: Float) -> String { String(Int((value * 100).rounded())) }
    let mean = errors.reduce(0, +) / Float(max(1, errors.count))
    let median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    let first = firstFrames.sorted().map { String($0) }.joined(separator: " ")
    return [
      share(foundCount), share(strangerCount), percent(median), percent(mean),
      share(wrongSideCount), "\(firstFrames.count)/\(sequenceCount)", first,
    ].joined(separator: "\t")
  }

  private static func distance(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> Float {
    let way = (a - b) * SIMD2(4 / 3, 1)
    return (way * way).sum().squareRoot()
  }

  private static func trunk(of pose: Pose) -> Float {
    let lengths: [Float] = [(JointKey.leftShoulder, JointKey.leftHip), (.rightShoulder, .rightHip)]
      .compactMap { side in
        guard let a = pose.keypoints[side.0], let b = pose.keypoints[side.1] else { return nil }
        return distance(a.position, b.position)
      }
    return max(lengths.max() ?? 0, 1e-3)
  }

  private static func error(_ pose: Pose, _ truth: Pose) -> Float {
    let distances = truth.keypoints.values.compactMap { point in
      pose.keypoints[point.key].map { distance($0.position, point.position) }
    }
    return distances.isEmpty
      ? .infinity : distances.reduce(0, +) / Float(distances.count)
  }

  private static func sides(_ pose: Pose, _ truth: Pose, exchanged: Bool) -> Float {
    var total: Float = 0
    for name in ["Shoulder", "Elbow", "Wrist", "Hip", "Knee", "Ankle"] {
      for (side, other) in [("left", "right"), ("right", "left")] {
        let found = pose.keypoints[JointKey(rawValue: (exchanged ? other : side) + name)]
        let expected = truth.keypoints[JointKey(rawValue: side + name)]
        guard let found, let expected else { continue }
        total += distance(found.position, expected.position) / 12
      }
    }
    return total
  }
}
