import Kinema
import KinemaReport

struct PoseSummary {
  private(set) var frameCount = 0
  private var framesWithPerson = 0
  private var confidence = 0.0
  private var people: Set<Int> = []
  private var mostAtOnce = 0
  /// The time of the last frame, in seconds.
  private(set) var end = 0.0

  var personCount: Int { max(people.count, mostAtOnce) }

  mutating func add(_ frame: PoseSequence.Frame) {
    frameCount += 1
    end = frame.time
    people.formUnion(frame.poses.compactMap(\.personID))
    mostAtOnce = max(mostAtOnce, frame.poses.count)
    guard let best = frame.poses.map(\.confidence).max() else { return }
    framesWithPerson += 1
    confidence += Double(best)
  }

  func cells(file: String) -> [String] {
    let share = frameCount == 0 ? 0 : Double(framesWithPerson) / Double(frameCount)
    return [
      file, "\(frameCount)", end.fixed(1), share.percent, "\(personCount)",
      framesWithPerson == 0 ? "–" : (confidence / Double(framesWithPerson)).fixed(2),
    ]
  }
}
