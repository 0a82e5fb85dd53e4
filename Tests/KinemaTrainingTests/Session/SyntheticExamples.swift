import KinemaPose
import KinemaSynth
import KinemaTestSupport
import KinemaTraining

/// Labelled poses of synthetic people, to train on.
enum SyntheticExamples {
  /// Videos of each exercise, every one by another person.
  static func make(
    _ motions: [Motion], videosPerLabel: Int, seed: UInt64 = 1, repetitions: Int = 3
  ) -> [ActionExample] {
    motions.flatMap { motion in
      (0..<videosPerLabel).map { index in
        var generator = SeededGenerator(seed: seed &* 1000 &+ UInt64(index))
        let person = SyntheticPerson.random(using: &generator)
        let session = SyntheticSession(
          [.motion(motion, repetitions: repetitions)], person: person, seed: generator.next())
        let viewpoint = Viewpoint.framing(session, aspectRatio: 1)
        let frames = session.poses(frameRate: 30, from: viewpoint, aspectRatio: 1)
        let name = "\(motion.name)\(seed)-\(index).npz"
        return ActionExample(
          label: motion.name, file: name, videoID: name,
          timeRange: 0..<max(0.1, session.duration), poses: PoseSequence(frames: frames))
      }
    }
  }
}
