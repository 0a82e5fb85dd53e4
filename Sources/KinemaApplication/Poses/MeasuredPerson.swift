import Kinema
import KinemaDepth

/// The bodies in three dimensions of the person with the most frames, for formats that hold one person.
struct MeasuredPerson {
  private typealias Row = (time: Double, bodies: [Int: LiftedBody])

  private var rows: [Row] = []

  mutating func add(_ frame: PosedFrame, _ bodies: [LiftedBody?]) {
    var found: [Int: LiftedBody] = [:]
    for (number, (pose, body)) in zip(frame.poses, bodies).enumerated() {
      found[pose.personID ?? -1 - number] = body
    }
    rows.append((frame.time, found))
  }

  /// All frames with their times in seconds; those without the person have no body.
  var frames: [(time: Double, body: LiftedBody?)] {
    var counts: [Int: Int] = [:]
    for row in rows { for id in row.bodies.keys { counts[id, default: 0] += 1 } }
    let person = counts.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key
    return rows.map { row in (row.time, person.flatMap { row.bodies[$0] }) }
  }

  /// Frames a second; 30 of a picture.
  var frameRate: Double {
    let duration = (rows.last?.time ?? 0) - (rows.first?.time ?? 0)
    return duration > 0 ? Double(rows.count - 1) / duration : 30
  }
}
