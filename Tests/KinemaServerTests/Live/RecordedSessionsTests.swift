import Foundation
import KinemaAction
import KinemaCoach
import KinemaCounting
import KinemaModelFiles
import KinemaPose
import KinemaServer
import KinemaTestSupport
import KinemaVision
import Testing

/// What a page shows of a session never contradicts itself: properties that hold at each frame of real clips.
@Suite(
  "Sessions of real clips", .enabled(if: SharedData.isPresent, SharedData.reason),
  .timeLimit(.minutes(60)))
struct RecordedSessionsTests {
  /// Clips in which something was once shown that was not so: counts that fell, cues of another exercise,
  /// repetitions of a plank.
  static let clips = [
    "clips/erwan_pushups.mp4", "clips/felix_exercise.mp4", "exercises/akshathak_plank.mp4",
  ]

  /// The poses of the clips, found once for all models.
  private static let recordings = RecordedSession.recordings(of: clips)

  @Test(
    "counts never fall, a timed exercise has no repetitions, and a cue is of the set under way",
    arguments: clips, [BuiltInModel.exercise, .workout])
  func isCalm(clip: String, model: BuiltInModel) async throws {
    try RecordedSession.check(try #require(try await Self.recordings.value[clip]), model)
  }
}

/// The clips that take minutes on two processors.
@Suite("Sessions of more real clips", .enabled(if: SharedData.isPresent, SharedData.reason))
struct RecordedSessionsLongTests {
  private static let clips = [
    "clips/mrpose_squat2.mp4", "clips/tayyab_pushups.mp4", "clips/vengaza_lunges.mp4",
    "exercises/johnclaide_mountain_climbers.mp4", "exercises/kantesh_deadlifts.mp4",
  ]
  private static let recordings = RecordedSession.recordings(of: clips)

  @Test(
    "counts never fall, a timed exercise has no repetitions, and a cue is of the set under way",
    arguments: clips, [BuiltInModel.exercise, .workout])
  func isCalm(clip: String, model: BuiltInModel) async throws {
    try RecordedSession.check(try #require(try await Self.recordings.value[clip]), model)
  }
}

/// A live session of the poses of a clip.
private enum RecordedSession {
  typealias Recording = [(time: TimeInterval, poses: [Pose], aspectRatio: Float)]

  static func recordings(of clips: [String]) -> Task<[String: Recording], any Error> {
    Task {
      let pool = PosePool(workerCount: ProcessInfo.processInfo.activeProcessorCount)
      defer { pool.end() }
      var recordings: [String: Recording] = [:]
      for clip in clips {
        for try await frame in FrameSource(
          contentsOf: SharedData.url(clip), options: .init(), pool: pool)
        {
          guard frame.time < 40 else { break }
          recordings[clip, default: []].append(
            (frame.time, frame.poses, frame.aspectRatio ?? 1))
        }
      }
      return recordings
    }
  }

  /// Expects that what the page shows at each frame agrees with what it showed before.
  static func check(_ recording: Recording, _ model: BuiltInModel) throws {
    let classifier = try ActionClassifier(contentsOf: model.url)
    var analysis = SessionAnalysis()
    try analysis.change(to: SessionSettings().plan(classifier: classifier))
    // Each person has sets of their own, which are numbered from 1.
    var counts: [[Int?]: Int] = [:]
    var formNumber = 0
    var total = 0
    for (index, frame) in recording.enumerated() {
      let time = analysis.time(ofPictureSentAt: frame.time, arrivedAt: frame.time)
      var durations = StageDurations()
      let message = try analysis.add(
        frame.poses,
        in: .init(
          sequence: UInt32(index), sentTime: frame.time, width: Int(frame.aspectRatio * 1000),
          height: 1000, time: time), durations: &durations)
      if let set = message.set {
        if set.label != nil {
          let key = [message.prominent, set.id]
          #expect(set.repetitions >= counts[key] ?? 0, "set \(set.id) at \(time)")
          counts[key] = set.repetitions
        }
        if set.kind == .timed { #expect(set.repetitions == 0) }
      }
      let sum = analysis.tally.counts.values.reduce(0, +)
      #expect(sum >= total, "at \(time)")
      total = sum
      if let form = analysis.form, form.number != formNumber {
        formNumber = form.number
        #expect(form.label == message.set?.label, "form \(form.number) at \(time)")
      }
    }
    let sets = analysis.tally.trainedSets
    let listed = sets.reduce(0) { $0 + $1.repetitions }
    #expect(listed == total)
    for set in sets {
      #expect((set.form?.count ?? 0) <= set.repetitions, "\(set.label)")
    }
  }
}
