import KinemaFiles
import KinemaRandom
import KinemaSynth
import KinemaTraining

/// Generates labelled pose sequences of recorded people: the part of a training set that is real
/// motion.
///
/// Sequence i depends only on the parameters and i.
struct CaptureSampler: Sendable {
  let capture: MotionCapture
  /// How long a sequence is, in seconds; shorter where the recording is.
  let duration: Double
  let frameRate: Double
  let seed: UInt64
  /// The recordings of each label, with the moments up to which they last, one after the other.
  private let groups: [(label: CaptureLabel, recordings: [MotionCapture.Recording], ends: [Double])]

  init(_ capture: MotionCapture, duration: Double, frameRate: Double, seed: UInt64) {
    self.capture = capture
    self.duration = duration
    self.frameRate = frameRate
    self.seed = seed
    groups = CaptureLabel.allCases.compactMap { label in
      let recordings = capture.recordings.filter { $0.label == label }
      guard !recordings.isEmpty else { return nil }
      var end = 0.0
      let ends = recordings.map { recording in
        end += recording.motion.duration
        return end
      }
      return (label, recordings, ends)
    }
  }

  /// The labels that there are recordings of.
  var labels: [CaptureLabel] { groups.map(\.label) }

  /// A sequence: labels as often as their shares ask for, of each any moment alike.
  func sample(_ index: Int) -> (label: CaptureLabel, values: [Float], frameCount: Int) {
    var outer = SeededGenerator(seed: seed &+ UInt64(index) &* 0xD134_2543_DE82_EF95)
    var generator = SeededGenerator(seed: outer.next() ^ 0xCA97_08ED)
    var rest = Double(generator.unit()) * groups.reduce(0) { $0 + $1.label.share }
    let group =
      groups.first { group in
        rest -= group.label.share
        return rest < 0
      } ?? groups[groups.count - 1]
    let moment = Double(generator.unit()) * (group.ends.last ?? 0)
    let place = group.ends.firstIndex { moment < $0 } ?? group.ends.count - 1
    let motion = group.recordings[place].motion
    let within = moment - (group.ends[place] - motion.duration)
    let length = min(duration, motion.duration)
    let start = min(max(0, within - length / 2), motion.duration - length)
    let frameCount = max(1, Int(saturating: length * frameRate))
    let values = CaptureView().values(
      of: motion, from: start, frameCount: frameCount, frameRate: frameRate, using: &generator)
    return (group.label, values, frameCount)
  }
}
