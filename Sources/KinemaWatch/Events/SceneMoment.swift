package import Foundation
package import KinemaAction
import KinemaCounting
package import KinemaPose

/// What is known of a scene at a moment: the visible people, what they do, and how often.
package struct SceneMoment: Sendable {
  package struct Person: Sendable {
    package var id: Int
    /// The label of the recognised action; `nil` for none, and for actions that count as nothing.
    package var action: String?
    /// The repetitions so far by action.
    package var counts: [String: Int]
    package var pose: Pose

    package init(id: Int, action: String? = nil, counts: [String: Int] = [:], pose: Pose) {
      (self.id, self.action, self.counts, self.pose) = (id, action, counts, pose)
    }
  }

  /// What repetitions are counted as without a classifier.
  static let anyMovement = "repetitions"

  package var time: TimeInterval
  package var persons: [Person]
  /// The old ids of people who continue under new ones.
  package var successions: [Int: Int]
  /// Width of the frame divided by its height.
  package var aspectRatio: Float

  package init(
    time: TimeInterval, persons: [Person] = [], successions: [Int: Int] = [:],
    aspectRatio: Float = 1
  ) {
    self.time = time
    self.persons = persons
    self.successions = successions
    self.aspectRatio = aspectRatio
  }

  /// What a frame gave.
  package init(
    _ step: SceneAnalysis.Step, of scene: SceneAnalysis, at time: TimeInterval, aspectRatio: Float
  ) {
    self.init(time: time, successions: step.successions, aspectRatio: aspectRatio)
    persons = step.poses.compactMap { pose in
      guard let id = pose.personID, let analysis = scene[id] else { return nil }
      let prediction = analysis.prediction.flatMap { $0.status == .action ? $0.topLabel : nil }
      let kinds = analysis.recognizer?.classifier.labelKinds ?? LabelKinds()
      let counts =
        analysis.recognizer == nil
        ? [Self.anyMovement: analysis.count] : analysis.counter?.counts ?? [:]
      return Person(
        id: id,
        action: prediction.flatMap { kinds.isEverythingElse($0) ? nil : $0 },
        counts: counts, pose: pose)
    }
  }
}
