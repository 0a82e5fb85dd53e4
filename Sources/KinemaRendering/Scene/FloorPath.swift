/// A path over the floor: position and heading over time.
package struct FloorPath: Hashable, Sendable {
  package struct Stop: Hashable, Sendable {
    package var time: Double
    /// The place; x and z in metres.
    package var position: SIMD2<Float>
    /// How far the person is turned to their left; at 0 they face z.
    package var headingDegrees: Float

    package init(time: Double, position: SIMD2<Float>, headingDegrees: Float) {
      self.time = time
      self.position = position
      self.headingDegrees = headingDegrees
    }
  }

  package let stops: [Stop]

  /// Creates a way that is straight from stop to stop.
  package init(_ stops: [Stop]) {
    precondition(!stops.isEmpty, "A way has at least one stop.")
    self.stops = stops
  }

  /// Where the person is at a time; before the first and after the last stop they stay there.
  package func place(at time: Double) -> (position: SIMD2<Float>, headingDegrees: Float) {
    guard let next = stops.firstIndex(where: { $0.time > time }) else {
      let last = stops[stops.count - 1]
      return (last.position, last.headingDegrees)
    }
    guard next > 0 else { return (stops[0].position, stops[0].headingDegrees) }
    let (from, to) = (stops[next - 1], stops[next])
    let share = Float((time - from.time) / (to.time - from.time))
    return (
      from.position + (to.position - from.position) * share,
      from.headingDegrees + (to.headingDegrees - from.headingDegrees) * share
    )
  }

  /// A way along the frame, with a turn before and after it.
  static func leg(
    from start: Stop, to goal: SIMD2<Float>, facing: Float, within times: ClosedRange<Double>,
    turnDuration: Double
  ) -> [Stop] {
    let heading: Float = goal.x > start.position.x ? 90 : -90
    return [
      Stop(
        time: times.lowerBound - turnDuration, position: start.position,
        headingDegrees: start.headingDegrees),
      Stop(time: times.lowerBound, position: start.position, headingDegrees: heading),
      Stop(time: times.upperBound, position: goal, headingDegrees: heading),
      Stop(time: times.upperBound + turnDuration, position: goal, headingDegrees: facing),
    ]
  }
}
