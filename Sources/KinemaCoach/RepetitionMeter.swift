import Foundation

/// Measures one repetition.
package struct RepetitionMeter: Sendable {
  package let phases: RepetitionPhases
  /// From where it is seen; `nil` where shoulders and hips are hidden, or places are exact.
  package let view: CameraView?
  let meter: BodyMeter
  let frames: Range<Int>
  /// What right executions of the movement are like; `nil` where that has not been learned.
  private let quality: QualityModel?
  /// The repetition and the time around in which limbs are measured.
  private let surroundings: Range<Int>

  /// How long before and after a repetition limbs are measured, in seconds.
  static let reach = 6.0
  /// The share of a repetition, before and after a turning point, over which is averaged.
  static let pointShare = 0.03
  /// The standard error from which on something can't be seen, in each unit.
  static let largestErrors: [Measure.Unit: Double] = [.degrees: 14, .percent: 20, .seconds: 0.15]
  /// The standard errors of a distance at one moment and of the extent of a movement, in per cent of
  /// the length by which they are divided.
  static let placeError = 2.0
  static let extentError = 3.0
  /// How far a lead goes at least for its path to have a direction, in per cent of the trunk's length.
  static let leastLine = 20.0
  /// The standard error of the height of the hips where the body points at the camera, in per cent.
  static let hiddenLineError = 60.0
  /// The standard error of the distance of the feet unless seen from the front, as a share of it.
  static let obliqueError = 0.2
  /// The movement of the lesser side, as a share of that of the other, under which one side works.
  static let oneSidedShare = 0.35
  /// By how much that share may be off, so that both may be meant.
  static let oneSidedDoubt = 0.1
  /// The share of the movement within ``BodyTrack/smoothing`` of a turning point by which averaging
  /// places may make it less.
  static let blurShare = 0.5
  /// The share of the least and of the largest angles that are left out of a range.
  static let rangeMargin = 0.05
  /// The change of an angle under which a side does not work, in degrees.
  static let leastChange = 12.0

  /// `nil` where too little of the person is visible.
  ///
  /// - Parameters:
  ///   - set: The time of the repetitions of which it is one, in seconds: limbs are measured in it.
  ///   - lead: What goes down and up; `nil` for a posture that is held.
  ///   - quality: What right executions of the movement are like.
  package init?(
    _ track: BodyTrack, from start: Double, to end: Double, within set: ClosedRange<Double>,
    lead: Lead?, quality: QualityModel? = nil
  ) {
    let (low, high) = (
      max(set.lowerBound, start - Self.reach), min(set.upperBound, end + Self.reach)
    )
    let around = track.indices(from: min(low, start), to: max(high, end))
    let lengths = track.isExact ? nil : BodyLengths(track, around)
    guard track.isExact || lengths != nil,
      let phases = lead.map({ RepetitionPhases(track, from: start, to: end, lead: $0) })
        ?? RepetitionPhases(heldIn: track, from: start, to: end)
    else { return nil }
    self.phases = phases
    self.quality = quality
    frames = track.indices(from: start, to: end)
    surroundings = around
    view = lengths.flatMap { CameraView(track, track.indices(from: start, to: end), $0) }
    meter = BodyMeter(track: track, lengths: lengths, isFromSide: view == .side)
  }

  package func measure(_ measure: Measure) -> Reading {
    if phases.isCutShort, measure.point == (phases.isDownFirst ? .top : .bottom) {
      return .unseen(.cutShort)
    }
    let reading: Reading =
      switch measure {
      case .angle(let joint, let point): angle(joint, point)
      case .difference(let joint, let point): difference(joint, point)
      case .lean(let point): mean(at: point) { meter.lean(at: $0) }
      case .swing: Self.reading(swing)
      case .largestLean:
        Self.reading(frames.compactMap { meter.lean(at: $0) }.max { $0.value < $1.value })
      case .hipsAboveLine(let point): mean(at: point, hipsAboveLine)
      case .feetApart(let point): mean(at: point, feetApart)
      case .kneesApart(let point): seen(from: .front) { mean(at: point, kneesApart) }
      case .kneeAhead(let point): seen(from: .side) { mean(at: point, kneeAhead) }
      case .forearmTilt(let point): seen(from: .front) { mean(at: point, forearmTilt) }
      case .seconds(let part): Self.reading(seconds(part))
      case .travel(let lead): range(of: lead) { $0.y }
      case .drift(let lead): range(of: lead) { $0.x }
      case .path(let lead): path(of: lead)
      case .likeness: likeness
      }
    if let estimate = reading.estimate, let largest = Self.largestErrors[measure.unit],
      estimate.error > largest
    {
      return .unseen(.view)
    }
    return reading
  }

  private static func reading(_ estimate: Estimate?) -> Reading {
    estimate.map { .value($0) } ?? .unseen(.hidden)
  }

  /// What is in a plane that only one view shows.
  private func seen(from view: CameraView, _ reading: () -> Reading) -> Reading {
    meter.lengths == nil || self.view == view ? reading() : .unseen(.view)
  }

  // MARK: - Right executions

  private var extents: RepetitionExtents? { RepetitionExtents(meter.track, frames) }

  private var likeness: Reading {
    guard let quality else { return .unseen(.notLearned) }
    return Self.reading(extents.flatMap(quality.likeness))
  }

  /// How the repetition differs most from right executions, in words; `nil` where that has not been learned.
  var deviation: String? { extents.flatMap { quality?.deviation(of: $0) } }

  // MARK: - Turning points

  /// The frames about a turning point.
  private func indices(at point: Measure.Point) -> ClosedRange<Int> {
    if point == .throughout {
      return frames.lowerBound...max(frames.lowerBound, frames.upperBound - 1)
    }
    let centre = point == .bottom ? phases.bottom : phases.top
    let all = meter.track.frames
    let time = all[centre].time
    let reach = phases.duration * Self.pointShare
    var (low, high) = (centre, centre)
    while low > 0, time - all[low - 1].time <= reach { low -= 1 }
    while high + 1 < all.count, all[high + 1].time - time <= reach { high += 1 }
    return low...high
  }

  private func mean(
    at point: Measure.Point, _ value: (Int) -> Estimate?
  ) -> Reading { Self.reading(Self.mean(indices(at: point).compactMap(value))) }

  private static func mean(_ estimates: [Estimate]) -> Estimate? {
    guard !estimates.isEmpty else { return nil }
    let count = Double(estimates.count)
    return Estimate(
      value: estimates.reduce(0) { $0 + $1.value } / count,
      error: estimates.reduce(0) { $0 + $1.error } / count)
  }

  // MARK: - Angles

  /// - Parameter isInPicture: Whether the angle is that in the picture, where sides are compared: in space
  ///   what is hidden of one is guessed from the other.
  func side(
    _ joint: JointAngle, _ side: Side, _ point: Measure.Point, isInPicture: Bool = false
  ) -> Estimate? {
    let indices = indices(at: point)
    let angles = indices.compactMap { index in
      isInPicture
        ? meter.angleInPicture(joint, side, at: index) : meter.angle(joint, side, at: index)
    }
    guard var estimate = Self.mean(angles) else { return nil }
    if !meter.track.isExact {
      estimate.error = hypot(estimate.error, Self.blurShare * bend(joint, side, about: indices))
    }
    return estimate
  }

  /// By how much an angle is less at the turning point than just before and after, in degrees, or more:
  /// places are averaged over that time (``BodyTrack/smoothing``).
  private func bend(_ joint: JointAngle, _ side: Side, about indices: ClosedRange<Int>) -> Double {
    let all = meter.track.frames
    let middle = (indices.lowerBound + indices.upperBound) / 2
    let time = all[middle].time
    let ends = [
      all[...middle].lastIndex { $0.time <= time - BodyTrack.smoothing },
      all[middle...].firstIndex { $0.time >= time + BodyTrack.smoothing },
    ].compactMap { $0.flatMap { meter.angle(joint, side, at: $0)?.value } }
    guard let centre = meter.angle(joint, side, at: middle)?.value, ends.count == 2
    else { return 0 }
    return abs((ends[0] + ends[1]) / 2 - centre)
  }

  /// The sides that work: both, or the one that moves much more than the other.
  func workingSides(_ joint: JointAngle) -> [Side] {
    let changes = Side.allCases.map { change(joint, $0) }
    guard let right = changes[0], let left = changes[1] else {
      // One that can't be seen may be the one that works.
      return zip(Side.allCases, changes).compactMap { side, change in
        guard let change else { return nil }
        let least = max(Self.leastChange, Self.oneSidedShare * range(of: joint, side))
        return change > least ? side : nil
      }
    }
    let (least, most) = (min(left, right), max(left, right))
    guard most > Self.leastChange, least < Self.oneSidedShare * most else { return Side.allCases }
    return [right > left ? .right : .left]
  }

  /// Whether it is uncertain that only one of two sides works.
  private func mayBeOneSided(_ joint: JointAngle) -> Bool {
    let changes = Side.allCases.compactMap { change(joint, $0) }
    guard changes.count == 2, let most = changes.max(), let least = changes.min(),
      most > Self.leastChange
    else { return false }
    return abs(least / most - Self.oneSidedShare) < Self.oneSidedDoubt
  }

  /// By how many degrees an angle differs between the turning points.
  private func change(_ joint: JointAngle, _ side: Side) -> Double? {
    guard let low = self.side(joint, side, .bottom, isInPicture: true),
      let high = self.side(joint, side, .top, isInPicture: true)
    else { return nil }
    return abs(high.value - low.value)
  }

  /// By how many degrees an angle changes in all, in the repetitions around.
  private func range(of joint: JointAngle, _ side: Side) -> Double {
    let values = surroundings.compactMap { meter.angleInPicture(joint, side, at: $0)?.value }
      .sorted()
    guard let last = values.indices.last else { return 0 }
    let margin = Int(Double(last) * Self.rangeMargin)
    return values[last - margin] - values[margin]
  }

  private func angle(_ joint: JointAngle, _ point: Measure.Point) -> Reading {
    let values = workingSides(joint).compactMap { side(joint, $0, point) }
    let isDoubtful = mayBeOneSided(joint)
    guard values.count == 2 else {
      guard isDoubtful, var value = values.first,
        let both = Self.mean(Side.allCases.compactMap { side(joint, $0, point) })
      else { return Self.reading(values.first) }
      value.error = hypot(value.error, value.value - both.value)
      return .value(value)
    }
    // Sides that differ by more than their errors count alike.
    guard abs(values[0].value - values[1].value) < hypot(values[0].error, values[1].error) else {
      return .value(
        Estimate(
          value: (values[0].value + values[1].value) / 2,
          error: hypot(
            (values[0].error + values[1].error) / 2,
            isDoubtful ? (values[0].value - values[1].value) / 2 : 0)))
    }
    // Of a far side that is half occluded, little is known.
    let weights = values.map { 1 / ($0.error * $0.error + 1) }
    let total = weights[0] + weights[1]
    return .value(
      Estimate(
        value: (values[0].value * weights[0] + values[1].value * weights[1]) / total,
        error: (values[0].error * weights[0] + values[1].error * weights[1]) / total))
  }

  /// The angles of the sides that work, and the lean, phase by phase from start to end; where they
  /// can't be seen there is none.
  func curves(from start: Double, to end: Double) -> FormCurves {
    let all = meter.track.frames
    let turn = all[phases.turn].time
    let half = FormCurves.count / 2
    let indices = (0..<FormCurves.count).compactMap { phase -> Int? in
      let share = Double(phase % half) / Double(half)
      let time =
        phase < half
        ? start + (turn - start) * share
        : phase < 2 * half ? turn + (end - turn) * share : end
      return frames.min { abs(all[$0].time - time) < abs(all[$1].time - time) }
    }
    func curve(_ value: (Int) -> Estimate?) -> [Estimate?] {
      indices.map { index in
        value(index).flatMap { $0.error <= Self.largestErrors[.degrees] ?? 0 ? $0 : nil }
      }
    }
    var curves: [String: [Estimate?]] = [FormCurves.lean: curve { meter.lean(at: $0) }]
    for joint in JointAngle.allCases {
      let sides = workingSides(joint)
      curves["\(joint.rawValue) angle"] = curve { index in
        Self.mean(sides.compactMap { meter.angle(joint, $0, at: index) })
      }
    }
    return FormCurves(curves)
  }

  private func difference(_ joint: JointAngle, _ point: Measure.Point) -> Reading {
    let sides = Side.allCases.compactMap { side(joint, $0, point, isInPicture: true) }
    guard sides.count == 2 else { return .unseen(.hidden) }
    guard workingSides(joint).count == 2 else { return .unseen(.oneSided) }
    // Half of the errors is common to both sides.
    return .value(
      Estimate(
        value: abs(sides[0].value - sides[1].value), error: (sides[0].error + sides[1].error) / 2))
  }

  // MARK: - Places

  /// The length of the trunk in the unit of places.
  func trunk(at index: Int) -> Float? {
    if let lengths = meter.lengths { return lengths[.trunk].length }
    let frame = meter.track.frames[index]
    guard let hips = frame.place(.hips), let shoulders = frame.place(.shoulders) else { return nil }
    return (shoulders - hips).length
  }

  private func hipsAboveLine(at index: Int) -> Estimate? {
    let frame = meter.track.frames[index]
    guard let shoulders = frame.place(.shoulders), let ankles = frame.place(.ankles),
      let hips = frame.place(.hips)
    else { return nil }
    let line = ankles - shoulders
    let length = line.length
    guard length > 0 else { return nil }
    let along = ((hips - shoulders) * line).sum() / (length * length)
    let off = hips - (shoulders + line * along)
    let value = Double((off.y < 0 ? -off.length : off.length) / length) * 100
    guard let lengths = meter.lengths else { return Estimate(value: value, error: 0) }
    let full = lengths[.trunk].length + lengths[.thigh].length + lengths[.shank].length
    // Trunk and legs look shorter where they point at the camera, and the hips farther from the line.
    let seen = (hips - shoulders).length + (ankles - hips).length
    let hidden = Double(max(0, 1 - seen / full))
    return Estimate(value: value, error: Self.placeError + Self.hiddenLineError * hidden)
  }

  private func feetApart(at index: Int) -> Estimate? {
    let frame = meter.track.frames[index]
    guard let right = frame.place(.ankle(.right)), let left = frame.place(.ankle(.left)),
      let trunk = trunk(at: index), trunk > 0
    else { return nil }
    let value = Double((right - left).length / trunk) * 100
    guard let lengths = meter.lengths else { return Estimate(value: value, error: 0) }
    return Estimate(
      value: value,
      error: Self.placeError + value * Double(lengths[.trunk].error)
        + (view == .front ? 0 : Self.obliqueError * value))
  }

  /// How far a lead goes up and down, in per cent of the trunk's length, however uncertain; `nil` where
  /// it is hidden.
  func travel(of lead: Lead) -> Double? { range(of: lead) { $0.y }.estimate?.value }

  private func range(
    of lead: Lead, _ coordinate: (SIMD3<Float>) -> Float
  ) -> Reading {
    let places = frames.compactMap { index in
      lead.place(in: meter.track.frames[index]).map(coordinate)
    }
    guard let low = places.min(), let high = places.max(), let trunk = trunk(at: frames.lowerBound),
      trunk > 0
    else { return .unseen(.hidden) }
    let value = Double((high - low) / trunk) * 100
    let error =
      meter.lengths.map { Self.extentError + value * Double($0[.trunk].error) } ?? 0
    return .value(Estimate(value: value, error: error))
  }

  /// How far a lead leaves the straight line between its turning points; of the hands the one that goes
  /// farther.
  private func path(of lead: Lead) -> Reading {
    // What leaves the line towards the camera is seen from the side only.
    guard meter.lengths == nil || view == .side else { return .unseen(.view) }
    guard let trunk = trunk(at: frames.lowerBound), trunk > 0 else { return .unseen(.hidden) }
    let paths = lead.joints.map { joint in
      frames.compactMap { meter.track.frames[$0].place(joint) }
    }
    let lines = paths.compactMap { places -> (length: Float, distance: Float)? in
      guard places.count >= RepetitionPhases.leastFrames,
        let low = places.min(by: { $0.y < $1.y }), let high = places.max(by: { $0.y < $1.y })
      else { return nil }
      let line = high - low
      let length = line.length
      guard length > 0 else { return (0, 0) }
      let distances = places.map { place in
        let off = place - low
        return (off - line * ((off * line).sum() / (length * length))).length
      }
      return (length, distances.max() ?? 0)
    }
    guard let farthest = lines.max(by: { $0.length < $1.length }) else { return .unseen(.hidden) }
    guard Double(farthest.length / trunk) * 100 >= Self.leastLine else { return .unseen(.still) }
    let value = Double(farthest.distance / trunk) * 100
    let error = meter.lengths.map { Self.extentError + value * Double($0[.trunk].error) } ?? 0
    return .value(Estimate(value: value, error: error))
  }

  // MARK: - Tempo

  private func seconds(_ part: RepetitionPhases.Part) -> Estimate? {
    guard let value = phases.seconds[part], frames.count > 1 else { return nil }
    let all = meter.track.frames
    let interval =
      (all[frames.upperBound - 1].time - all[frames.lowerBound].time)
      / Double(frames.count - 1)
    return Estimate(value: value, error: meter.track.isExact ? 0 : interval)
  }
}
