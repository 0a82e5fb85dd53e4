package import Foundation
import KinemaAction
package import KinemaPose

/// People in real clips whose posture is known from what they do.
package struct RealPostures: Sendable {
  /// A stretch of a clip.
  package struct Segment: Sendable {
    package let row: Row
    package let timeRange: Range<TimeInterval>
  }

  /// What is measured: the posture itself, or that of an exercise.
  package enum Row: String, CaseIterable, Sendable {
    case standing, walking, running, sitting, lying
    case fallen = "lying, after a fall"
    case lyingExercises = "lying, exercises"
    case onAllFours = "on all fours, exercises"
    case uprightExercises = "upright, exercises"

    func contains(_ kind: HumanBodyPosture.Kind) -> Bool {
      switch self {
      case .standing, .uprightExercises: kind == .standing
      case .walking: kind == .walking
      case .running: kind == .running
      case .sitting: kind == .sitting
      case .lying, .fallen, .lyingExercises: kind.isLying
      case .onAllFours: kind == .onAllFours || kind == .lyingProne
      }
    }

    private static let labels: [Row: [String]] = [
      .standing: ["standing", "talking", "waving", "clapping", "hand_gesture"],
      .walking: ["walking"], .running: ["running", "jogging_in_place"], .sitting: ["sitting"],
      .lying: ["lying", "heel_slide"],
      .lyingExercises: ["crunches", "glute_bridges", "single_leg_bridges", "bench_press"],
      .onAllFours: ["push_ups", "plank", "mountain_climbers", "downward_dog"],
      .uprightExercises: ["lateral_raises", "front_raises", "arm_circles", "calf_raises"],
    ]

    init?(label: String) {
      guard let row = Self.labels.first(where: { $0.value.contains(label) })?.key else {
        return nil
      }
      self = row
    }
  }

  /// How long after it a fallen person has come to rest, in seconds.
  private static let rest = 1.0

  package let url: URL
  package let source: String
  package let segments: [Segment]
  /// The pose of the prominent person in each frame, if any.
  private var frames: [(time: TimeInterval, pose: Pose?, aspectRatio: Float)] = []

  /// The clips of tables (``LabelledClips``) with a posture: that of a label, or of people who lie after a fall.
  ///
  /// - Throws: ``TrainingError`` where a table cannot be read.
  package static func clips(of tables: [URL]) throws -> [RealPostures] {
    try LabelledClips(contentsOf: tables).clips.compactMap { clip in
      if let fall = clip.fall, fall.endPosture == "lying" {
        return RealPostures(
          url: clip.url, source: clip.room,
          segments: [Segment(row: .fallen, timeRange: fall.time + rest..<(.infinity))])
      }
      let segments = clip.segments.compactMap { segment in
        Row(label: segment.label).map { Segment(row: $0, timeRange: segment.timeRange) }
      }
      return segments.isEmpty
        ? nil : RealPostures(url: clip.url, source: clip.source, segments: segments)
    }
  }

  private init(url: URL, source: String, segments: [Segment]) {
    (self.url, self.source, self.segments) = (url, source, segments)
  }

  package mutating func add(_ pose: Pose?, at time: TimeInterval, aspectRatio: Float) {
    frames.append((time, pose, aspectRatio))
  }

  // MARK: - Measuring

  /// Windows of two seconds, three a second, with their middle in a segment; of a segment without one, all
  /// of it.
  private func windows(of segment: Segment) -> [Range<TimeInterval>] {
    guard let first = frames.first?.time, let last = frames.last?.time else { return [] }
    let range = segment.timeRange.clamped(to: first..<max(first, last))
    let middles = Array(
      stride(
        from: max(range.lowerBound, first + 1), to: min(range.upperBound, last - 1), by: 1 / 3.0))
    let windows = middles.map { $0 - 1..<($0 + 1) }
    return windows.isEmpty && !range.isEmpty ? [range] : windows
  }

  /// How many windows of each row have which posture, of those in which the person is seen.
  func reading(by model: PostureModel) -> [Row: [HumanBodyPosture.Kind: Int]] {
    var timeline = PostureTimeline(model, memory: .infinity)
    for frame in frames { timeline.add(frame.pose, at: frame.time, aspectRatio: frame.aspectRatio) }
    var counts: [Row: [HumanBodyPosture.Kind: Int]] = [:]
    for segment in segments {
      for window in windows(of: segment) {
        guard let posture = timeline.posture(in: window) else { continue }
        counts[segment.row, default: [:]][posture.kind, default: 0] += 1
      }
    }
    return counts
  }
}
