package import KinemaPose
package import KinemaVideo
import Synchronization

/// The ``CostLadder`` of a live source, shared by the thread that decodes it and the task that has its
/// frames processed.
package final class SourceLadder: PictureGate {
  /// What a source does now, and what it has cost.
  package struct Status: Sendable {
    package var state = CostLadder.State.looking
    /// Frames processed a second, over the last ``SourceLadder/rateTime`` seconds.
    package var rate = 0.0
    /// The frames that were processed.
    package var processedCount = 0
    /// The processor time for reading and decoding, and for poses, in seconds.
    package var readingSeconds = 0.0
    package var poseSeconds = 0.0
  }

  /// How often the brightness of a picture is measured, in seconds: a person is seen at the latest after
  /// this and one frame.
  package static let glimpseInterval = 0.2
  /// Over how many seconds the rate is averaged.
  package static let rateTime = 10.0

  private struct Contents {
    var ladder: CostLadder
    var gate: MotionGate
    var lastGlimpse = -Double.infinity
    var time = -Double.infinity
    var status = Status()
    var times: [Double] = []

    var nextTime: Double { min(lastGlimpse + SourceLadder.glimpseInterval, ladder.due) }
  }

  private let contents: Mutex<Contents>

  package init(
    _ limits: CostLadder.Limits = .init(), rules: CostLadder.Rules = .init(),
    motion: MotionGate.Rules = .init()
  ) {
    contents = Mutex(
      Contents(ladder: CostLadder(limits, rules: rules), gate: MotionGate(motion)))
  }

  /// What the source may use at most.
  package var limits: CostLadder.Limits {
    get { contents.withLock { $0.ladder.limits } }
    set { contents.withLock { $0.ladder.limits = newValue } }
  }

  package var status: Status {
    contents.withLock { contents in
      var status = contents.status
      status.state = contents.ladder.state
      let span = (contents.times.first.map { contents.time - $0 } ?? 0) + 1
      status.rate = Double(contents.times.count) / max(1, min(span, Self.rateTime))
      return status
    }
  }

  package var wantsFewPictures: Bool {
    contents.withLock { $0.ladder.interval >= Self.glimpseInterval }
  }

  /// See ``CostLadder/otherMotion``.
  package var otherMotion: OtherMotion { contents.withLock { $0.ladder.otherMotion } }

  /// See ``CostLadder/unchangedPoses``; asked for a frame that is wanted, and not noted again.
  package var unchangedPoses: [Pose]? { contents.withLock { $0.ladder.unchangedPoses } }

  package var mayBeRough: Bool { contents.withLock { $0.ladder.mayBeRough } }

  package var nextTime: Double { contents.withLock { $0.nextTime } }

  package func mayWant(at time: Double) -> Bool {
    contents.withLock { time < $0.time || time > $0.nextTime - 0.001 }
  }

  package func wants(at time: Double, grid: () -> LumaGrid?) -> Bool {
    contents.withLock { contents in
      // A source that was opened again begins again.
      if time < contents.time {
        (contents.lastGlimpse, contents.times) = (-.infinity, [])
      }
      contents.time = time
      if time - contents.lastGlimpse > Self.glimpseInterval - 0.001 {
        contents.lastGlimpse = time
        // A picture without brightness of its own may show anything.
        let motion =
          grid().map {
            contents.gate.add($0, at: time, learns: contents.ladder.state != .moving)
          } ?? [.everywhere]
        contents.ladder.note(motion, at: time)
      }
      guard contents.ladder.takes(time) else { return false }
      contents.times.append(time)
      contents.times.removeAll { $0 < time - Self.rateTime }
      contents.status.processedCount += 1
      return true
    }
  }

  /// Notes the people in the frame that was wanted last, and the processor time that they took.
  package func note(_ poses: [Pose], seconds: Double) {
    contents.withLock { contents in
      contents.status.poseSeconds += seconds
      contents.ladder.note(poses, at: contents.time)
    }
  }

  package func addReading(seconds: Double) {
    contents.withLock { $0.status.readingSeconds += seconds }
  }
}
