package import Foundation
package import KinemaAction
package import KinemaCounting
package import KinemaPose

/// What is known of a scene at a moment: the visible people, what they do, and how often.
package struct SceneMoment: Sendable {
  package struct Person: Sendable {
    package var id: Int
    /// The label of the recognised action; `nil` for none, and for actions that count as nothing.
    package var action: String?
    /// The sets so far, oldest first.
    package var sets: [ExerciseSet]
    /// The sets that have another name since the moment before.
    package var revisions: [SetRevision]
    /// The posture, where it is known.
    package var posture: HumanBodyPosture?
    package var pose: Pose

    package init(
      id: Int, action: String? = nil, sets: [ExerciseSet] = [], revisions: [SetRevision] = [],
      posture: HumanBodyPosture? = nil, pose: Pose
    ) {
      (self.id, self.action, self.sets) = (id, action, sets)
      (self.revisions, self.posture, self.pose) = (revisions, posture, pose)
    }
  }

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
      return Person(
        id: id, action: analysis.set?.action ?? analysis.everydayAction,
        sets: analysis.counter?.sets ?? [], revisions: step.revisions[id] ?? [],
        posture: analysis.posture, pose: pose)
    }
  }
}
