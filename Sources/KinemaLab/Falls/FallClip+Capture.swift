package import Foundation
import KinemaPose
import KinemaRandom
import KinemaSynth

extension FallClip {
  /// Sequences that are shorter, in seconds, are joined to the next of the same person, who does the same
  /// nearby; distances are in metres.
  private static let (shortest, longest, nearby): (Double, Double, Float) = (6, 30, 0.5)

  /// How often a sequence is filmed to learn from.
  private static let viewCount = 2

  /// People in motion capture before the cameras of rooms, who do not fall: those who teach, and those who
  /// are kept for measuring (``CaptureLabel/heldOutSubjects``).
  ///
  /// - Throws: ``KinemaTraining/TrainingError`` for a file that is missing, damaged or too large.
  package static func captured(
    in folder: URL, seed: UInt64
  ) throws -> (training: [FallClip], heldOut: [FallClip]) {
    var sequences: [MotionCapture.Sequence<String>] = []
    for sequence in try MotionCapture.sequences(in: folder, label: { $0.label }) {
      if let last = sequences.last, let joined = join(last, sequence) {
        sequences[sequences.count - 1] = joined
      } else {
        sequences.append(sequence)
      }
    }
    var clips: (training: [FallClip], heldOut: [FallClip]) = ([], [])
    for (index, sequence) in sequences.enumerated() {
      let isHeldOut = CaptureLabel.heldOutSubjects.contains(sequence.subject)
      let films = (0..<(isHeldOut ? 1 : viewCount)).map { view in
        let number = UInt64(index * viewCount + view)
        return FallClip(sequence, seed: seed &+ number &* 0xD134_2543_DE82_EF95)
      }
      if isHeldOut { clips.heldOut += films } else { clips.training += films }
    }
    return clips
  }

  private static func join(
    _ one: MotionCapture.Sequence<String>, _ next: MotionCapture.Sequence<String>
  ) -> MotionCapture.Sequence<String>? {
    let seconds = one.motion.duration + next.motion.duration
    guard one.subject == next.subject, one.label == next.label,
      min(one.motion.duration, next.motion.duration) < shortest, seconds <= longest
    else { return nil }
    let way =
      one.motion.skeleton(at: one.motion.duration).root - next.motion.skeleton(at: 0).root
    guard (way * way).sum().squareRoot() < nearby else { return nil }
    return (
      one.name, one.subject, one.label,
      CapturedMotion(
        frames: one.motion.frames + next.motion.frames, frameRate: one.motion.frameRate)
    )
  }

  private init(_ sequence: MotionCapture.Sequence<String>, seed: UInt64) {
    var outer = SeededGenerator(seed: seed)
    var generator = SeededGenerator(seed: outer.next())
    let motion = sequence.motion
    let film = RoomFilm(
      .room, of: SyntheticPerson(stature: motion.stature), seconds: motion.duration,
      mayLeave: true, using: &generator, skeleton: motion.skeleton)
    self.init(
      name: "\(sequence.name) (\(sequence.label))", room: sequence.subject, impact: nil,
      showsAftermath: false, poses: film.poses.frames, aspectRatio: film.aspectRatio)
  }
}
