import Foundation
import KinemaAction
import KinemaFiles
package import KinemaPose
import KinemaRendering
import KinemaReport
import KinemaStreams
import KinemaSynth
import KinemaVision

/// `kinema bench pose-errors`: how far the pose network misplaces joints, beside what trainings simulate.
package struct PoseErrorBench: Sendable {
  /// Sequences of synthetic people.
  package var sequenceCount = 40
  package var seed: UInt64 = 1

  private static let (width, height) = (640, 480)
  private static let duration = 3.0
  /// Of another person, or of a body that is not found at all, there is nothing to measure.
  private static let farthest: Float = 0.25

  package init() {}

  /// The poses of a person in a video.
  package struct Footage: Sendable {
    private var frames: [(pose: Pose?, aspectRatio: Float)] = []

    package init() {}

    package mutating func add(_ pose: Pose?, aspectRatio: Float) {
      frames.append((pose, aspectRatio))
    }

    /// The joints of each frame between the first and the last pose, in heights of the picture.
    fileprivate var places: [[SIMD3<Float>?]] {
      guard let first = frames.firstIndex(where: { $0.pose != nil }),
        let last = frames.lastIndex(where: { $0.pose != nil })
      else { return [] }
      return frames[first...last].map { frame in
        PoseErrorBench.places(of: frame.pose, aspectRatio: frame.aspectRatio)
      }
    }
  }

  package struct Report: BenchReport {
    /// The errors of one kind of poses.
    package struct Part: Encodable, Sendable {
      package let poses: String
      package let sequences: Int
      package let rows: [JointErrors.Row]
    }
    /// People in real footage.
    struct Sizes: Encodable, Sendable {
      let videos, frames: Int
      /// The share of frames without a pose between the first and the last one.
      let gaps: Double
      /// Stature in heights of the picture: a tenth, a half and nine tenths of the videos have less.
      let statures: [Float]
    }

    package var schema = 1
    package internal(set) var parts: [Part] = []
    var footage: Sizes?

    package var table: String {
      var table = TextTable([
        ("poses", .left), ("joints", .left), ("constant", .right), ("changing", .right),
        ("nine of ten", .right), ("trembling", .right), ("lost", .right),
      ])
      func text(_ value: Float?) -> String { value.map { "\(Double($0).fixed(2)) %" } ?? "–" }
      for part in parts {
        for row in part.rows {
          table.add([
            "\(part.poses), \(part.sequences)", row.joints, text(row.constant), text(row.changing),
            text(row.mostChanging), text(row.trembling), "\((100 * row.lost).fixed(1)) %",
          ])
        }
      }
      guard let footage else { return table.text }
      let statures = footage.statures.map { "\((100 * Double($0)).fixed(0)) %" }.joined(
        separator: ", ")
      return table.text + """

          \(footage.videos) videos, \(footage.frames) frames: \((100 * footage.gaps).fixed(1)) % of them \
        between poses without one; stature in the picture \(statures) (a tenth, a half, nine tenths)

        """
    }
  }

  package func run(
    _ footage: [Footage],
    progress: @escaping @Sendable (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) async throws -> Report {
    var report = Report()
    let found = try await rendered(progress: progress)
    report.parts.append(.init(poses: "rendered", sequences: sequenceCount, rows: found.rows))
    let kinds: [(String, EstimatorErrors)] = [
      ("simulated for actions", .workouts), ("simulated for bodies in space", .measured),
    ]
    for (name, errors) in kinds {
      report.parts.append(
        .init(poses: name, sequences: sequenceCount, rows: simulated(errors).rows))
    }
    if !footage.isEmpty { add(footage, to: &report) }
    return report
  }

  private var sampler: SyntheticMotionSampler {
    SyntheticMotionSampler(
      classes: SyntheticMotionClass.workout.filter { $0.motions.allSatisfy(\.showsPerson) },
      duration: Self.duration, seed: seed)
  }

  // MARK: - Rendered people, seen by the network

  private func rendered(
    progress: @escaping @Sendable (_ done: Int, _ count: Int) -> Void
  ) async throws -> JointErrors {
    let sampler = sampler
    let aspectRatio = Float(Self.width) / Float(Self.height)
    var sum = JointErrors()
    for index in 0..<sequenceCount {
      let scene = sampler.scene(index, aspectRatio: aspectRatio)
      progress(index + 1, sequenceCount)
      guard let figure = scene.figures.first else { continue }
      let renderer = SyntheticRenderer(
        scene, width: Self.width, height: Self.height, seed: seed &+ UInt64(index))
      let extractor = HumanBodyPoseExtractor()
      var (found, truth) = ([[SIMD3<Float>?]](), [[SIMD3<Float>?]]())
      let root = figure.skeleton(at: Self.duration / 2).root
      let aside = scene.viewpoint.projected(
        root + scene.viewpoint.axes.right * figure.session.person.stature, aspectRatio: aspectRatio)
      let stature =
        (aside.x - scene.viewpoint.projected(root, aspectRatio: aspectRatio).x) * aspectRatio
      for frame in 0..<sampler.frameCount {
        let id = TemporalSegmentIdentifier(source: "scene", range: frame..<frame + 1, timescale: 30)
        let poses = try await extractor.applied(
          to: TemporalFeature(id: id, feature: renderer.frame(at: Double(frame) / 30))
        ).feature
        found.append(Self.places(of: poses.first, aspectRatio: aspectRatio))
        let pose = scene.poses(at: Double(frame) / 30, aspectRatio: aspectRatio).first
        truth.append(Self.places(of: pose, aspectRatio: aspectRatio, withHidden: true))
      }
      sum.add(Self.errors(found, truth, stature: stature, aspectRatio: aspectRatio))
    }
    return sum
  }

  // MARK: - Simulated poses

  private func simulated(_ errors: EstimatorErrors) -> JointErrors {
    let sampler = sampler
    var sum = JointErrors()
    for index in 0..<sequenceCount {
      let take = sampler.take(index)
      var generator = take.generator
      let camera = ObservingCamera(for: take, using: &generator)
      let times = (0..<sampler.frameCount).map { Double($0) / sampler.frameRate }
      let views = camera.views(of: take, times: times)
      let picture = camera.picture(of: views)
      var estimator = SimulatedEstimator(errors, sighting: take.motion.sighting, using: &generator)
      let values = estimator.observed(views, in: picture)
      func frame(_ number: Int) -> [SIMD3<Float>?] {
        BodyJoint.allCases.map { joint in
          let start = number * 3 * BodyJoint.count + joint.rawValue
          let confidence = values[start + 2 * BodyJoint.count]
          guard confidence > 0 else { return nil }
          // In heights of the picture, as poses.
          return SIMD3(
            values[start] * picture.size.x / picture.size.y, values[start + BodyJoint.count],
            confidence)
        }
      }
      let truth = views.map { joints in
        joints.map { place -> SIMD3<Float>? in
          let place = (SIMD2(place.x, place.y) - picture.corner) / picture.size.y
          return SIMD3(place.x, place.y, 1)
        }
      }
      sum.add(
        Self.errors(
          times.indices.map(frame), truth, stature: 1 / picture.size.y,
          aspectRatio: picture.size.x / picture.size.y))
    }
    return sum
  }

  // MARK: - Real people

  private func add(_ footage: [Footage], to report: inout Report) {
    var sum = JointErrors()
    var statures: [Float] = []
    var (frameCount, emptyCount) = (0, 0)
    for video in footage {
      let places = video.places
      let sizes = places.compactMap(PostureShape.stature)
      // Limbs that point at the camera are short.
      guard let stature = JointErrors.quantile(sizes, 0.8), stature > 0 else { continue }
      statures.append(stature)
      frameCount += places.count
      emptyCount += places.count { $0.allSatisfy { $0 == nil } }
      for joint in BodyJoint.allCases {
        sum.add(
          joint, found: places.map { $0[joint].map { Self.scaled($0, by: 1 / stature) } },
          truth: nil)
      }
    }
    report.parts.append(.init(poses: "real videos", sequences: statures.count, rows: sum.rows))
    report.footage = Report.Sizes(
      videos: statures.count, frames: frameCount,
      gaps: Double(emptyCount) / Double(max(1, frameCount)),
      statures: [0.1, 0.5, 0.9].compactMap { JointErrors.quantile(statures, $0) })
  }

  // MARK: - Places

  /// The joints of a pose, in heights of the picture; `nil` where there is none.
  fileprivate static func places(
    of pose: Pose?, aspectRatio: Float, withHidden: Bool = false
  ) -> [SIMD3<Float>?] {
    BodyJoint.allCases.map { joint in
      guard let point = pose?.keypoints[joint.key], withHidden || point.confidence > 0 else {
        return nil
      }
      return SIMD3(point.position.x * aspectRatio, point.position.y, point.confidence)
    }
  }

  private static func scaled(_ place: SIMD3<Float>, by factor: Float) -> SIMD3<Float> {
    SIMD3(place.x * factor, place.y * factor, place.z)
  }

  /// The errors of joints that are in the picture; none where most of a body is not found near its place.
  private static func errors(
    _ found: [[SIMD3<Float>?]], _ truth: [[SIMD3<Float>?]], stature: Float, aspectRatio: Float
  ) -> JointErrors {
    var errors = JointErrors()
    guard stature > 0 else { return errors }
    let distances = zip(found, truth).flatMap { found, truth in
      zip(found, truth).compactMap { found, truth -> Float? in
        guard let found, let truth else { return nil }
        let way = SIMD2(found.x - truth.x, found.y - truth.y)
        return (way * way).sum().squareRoot() / stature
      }
    }
    guard let middle = JointErrors.quantile(distances, 0.5), middle < farthest else {
      return errors
    }
    for joint in BodyJoint.allCases {
      let inside = truth.indices.filter { frame in
        guard let place = truth[frame][joint] else { return false }
        return (0...aspectRatio).contains(place.x) && (0...1).contains(place.y)
      }
      errors.add(
        joint, found: inside.map { found[$0][joint].map { scaled($0, by: 1 / stature) } },
        truth: inside.map { frame in
          truth[frame][joint].map { SIMD2($0.x, $0.y) / stature } ?? SIMD2()
        })
    }
    return errors
  }
}
