import Glibc
import KinemaDepth
import KinemaPose

extension PersonCourse {
  /// Where the pelvis points, in degrees about the vertical, without jumps: 0 is towards the camera.
  var heading: Signal {
    var last = 0.0
    return Signal(
      moments.map { moment in
        let left = moment.place(.leftHip) - moment.place(.rightHip)
        let shoulders = moment.place(.leftShoulder) - moment.place(.rightShoulder)
        let across = left + shoulders / 2
        let angle = Double(atan2f(-across.z, across.x)) * 180 / .pi
        last = angle + 360 * ((last - angle) / 360).rounded()
        return (moment.time, last)
      }
    ).smoothed(over: 0.3)
  }
}

extension MotionTest {
  /// How far a person has turned when a turn begins and ends, in degrees of a half turn.
  private static let turnedShares = (begin: 30.0, middle: 90.0, end: 150.0)

  func upAndGo(in course: PersonCourse) -> Assessment {
    var result = Assessment()
    let transfers = ChairTransfers(course, self)
    result.curves = [course.hipHeight.curve("height of the hips", in: .percent, times: 100)]
    guard course.hiddenLegs == nil, let start = transfers.start, let rise = transfers.rises.first
    else {
      result.measurements = [
        .init(
          "time", in: .seconds,
          .unseen(course.hiddenLegs ?? "the person never gets up from a chair"))
      ]
      return result
    }
    let error = ChairTransfers.phaseError * 2.0.squareRoot()
    guard let sit = transfers.sits.first(where: { $0.start > rise.end }) else {
      result.measurements = [
        .init("time", in: .seconds, .unseen("the person does not sit down again")),
        .init("time to stand up", in: .seconds, rise.end - start, error),
      ]
      return result
    }
    result.measurements = [
      .init("time", in: .seconds, sit.end - start, error),
      .init("time to stand up", in: .seconds, rise.end - start, error),
      .init("time to sit down", in: .seconds, sit.end - sit.start, error),
    ]
    result.phases = [.init("stand up", from: start, to: rise.end)]
    let heading = course.heading.part(from: rise.end, to: sit.end)
    if let turn = Self.turn(in: heading) {
      result.measurements.append(.init("time to turn", in: .seconds, turn.end - turn.start, 0.3))
      result.phases += [
        .init("walk there", from: rise.end, to: turn.start),
        .init("turn", from: turn.start, to: turn.end),
        .init("walk back and turn", from: turn.end, to: sit.start),
      ]
    } else {
      result.measurements.append(
        .init(
          "time to turn", in: .seconds, .unseen("no half turn between standing up and sitting down")
        )
      )
    }
    result.phases.append(.init("sit down", from: sit.start, to: sit.end))
    let gait = Gait(course.part(from: rise.end, to: sit.start))
    result.measurements.append(
      .init(
        "steps", in: .count,
        gait.steps.count > 1
          ? .value(Estimate(value: Double(gait.steps.count), error: 1))
          : .unseen("no steps between standing up and sitting down")))
    result.notes.append(
      "Time starts with the first movement; with --from SECONDS at the word “go”, nothing before it counts."
    )
    return result
  }

  /// The first half turn of a person who begins by walking straight on.
  private static func turn(in heading: Signal) -> (start: Double, end: Double)? {
    guard let first = heading.points.first else { return nil }
    let straight = heading.part(from: first.time, to: first.time + 1).quantile(0.5) ?? first.value
    let turned = Signal(heading.points.map { ($0.time, abs($0.value - straight)) })
    guard
      let middle = turned.firstCrossing(of: turnedShares.middle, rising: true, after: first.time),
      let start = turned.lastCrossing(of: turnedShares.begin, rising: true, before: middle),
      let end = turned.firstCrossing(of: turnedShares.end, rising: true, after: middle)
    else { return nil }
    return (start, end)
  }
}
