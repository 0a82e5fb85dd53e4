package import Foundation
package import KinemaPose

/// The postures of a person over time, a few a second.
package struct PostureTimeline: Sendable {
  private let model: PostureModel
  private var course = PostureCourse()
  private var moments: [(time: TimeInterval, posture: HumanBodyPosture)] = []
  private var lastTime = -TimeInterval.infinity
  /// How long moments are kept, in seconds: longer than most windows.
  private let memory: TimeInterval

  /// The time between two moments, in seconds.
  private static let interval = 0.2
  /// The beginning of a window, in seconds, of which a moment shows mostly what was before.
  private static let lead = 0.4

  package init(_ model: PostureModel, memory: TimeInterval = 12) {
    (self.model, self.memory) = (model, memory)
  }

  /// By the model that comes with Kinema; `nil` without it.
  ///
  /// - Parameter windowDuration: How long the windows are whose posture is asked for, in seconds.
  package static func builtIn(windowDuration: Double = 0) -> PostureTimeline? {
    PostureModel.builtIn.map { PostureTimeline($0, memory: max(12, 2 * windowDuration)) }
  }

  /// Takes the next frame; `pose` is `nil` where the person is not visible.
  ///
  /// - Parameter aspectRatio: The width of the frame divided by its height.
  package mutating func add(_ pose: Pose?, at time: TimeInterval, aspectRatio: Float) {
    course.add(pose, at: time, aspectRatio: aspectRatio)
    // Times of frames are not exact.
    guard time - lastTime >= Self.interval - 1e-3 else { return }
    lastTime = time
    moments.removeAll { $0.time < time - memory }
    guard let signs = course.signs() else { return }
    moments.append((time, model.posture(signs)))
  }

  /// The newest posture; `nil` while the person is not visible.
  package var latest: HumanBodyPosture? {
    guard let last = moments.last, last.time >= lastTime else { return nil }
    return last.posture
  }

  /// The posture in a range of time: the mean of its moments; `nil` without one.
  package func posture(in range: Range<TimeInterval>) -> HumanBodyPosture? {
    let inside = moments.filter { range.contains($0.time) }
    let settled = inside.filter { $0.time >= range.lowerBound + Self.lead }
    return .mean(of: (settled.isEmpty ? inside : settled).map(\.posture))
  }
}
