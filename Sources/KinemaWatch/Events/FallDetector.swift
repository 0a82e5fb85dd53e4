import Foundation
import KinemaPose

/// Recognises that a person goes down fast and stays down, and for how long they have been lying, from
/// their poses over time.
struct FallDetector: Sendable {
  /// The thresholds; lengths are shares of the person's stature, times are in seconds.
  ///
  /// Found with `kinema bench falls`, which reports on seeds other than those they were chosen on.
  struct Rules: Hashable, Sendable {
    /// The least downward speed of the trunk, in statures a second, of what may be a fall, and that of
    /// the mean over a gap in which the person was not found.
    var leastSpeed: Float = 0.45
    var leastGapSpeed: Float = 0.33
    /// The time over which a speed is measured, and from which it counts as a gap.
    var speedTime = 0.2
    var longGap = 0.3
    /// The least share of ``speedTime`` between the frames of a speed: frames do not come at exact
    /// intervals.
    var speedTimeShare = 0.9
    /// The longest way down; the critical phase of a fall takes 0.3 to 0.5 s after the loss of balance
    /// (Noury et al., *A proposal for the classification and evaluation of fall detectors*, IRBM 29,
    /// 2008).
    var longestWay = 1.2
    /// How far shoulders and hips go down at least: the shoulders farther than onto a chair, where both
    /// go down by the length of a thigh, 0.25; a camera above shows less of the way than there is.
    var leastShoulderDrop: Float = 0.28
    var leastHipDrop: Float = 0.13
    /// What separates a fall from getting down on purpose.
    ///
    /// A fall is fast (1.3 m/s separates falls from daily activities: Bourke, O'Donovan and ÓLaighin,
    /// *The identification of vertical velocity profiles using an inertial sensor to investigate
    /// pre-impact detection of falls*, Medical Engineering & Physics 30, 2008), takes a short time for all
    /// of its way, and ends low. The weights are those of a logistic regression over the candidates in the
    /// synthetic sequences of 13 seeds.
    var weights = Weights()
    /// How far the shoulders may come up again.
    var longestRise: Float = 0.2
    /// How long the person stays down.
    var stay = 1.5
    /// When a person who stays down but does not keep still has not fallen after all.
    var longestWait = 5.0
    /// The time over which stillness is measured, and the longest way of the trunk in it.
    var stillTime = 1.0
    var longestDrift: Float = 0.12
    /// The least tilt of the trunk of a person on the floor, in degrees, or the largest height of all of
    /// the body.
    var leastTilt = 45.0
    var largestExtent: Float = 0.85
    /// A person lies whose trunk is this level, in degrees, and whose body is no higher than this.
    var lyingTilt = 55.0
    var lyingExtent: Float = 0.5
    /// How long a person may be out of view, or up, before they are no longer lying.
    var lyingGap = 1.0
    /// The share of readings that are shorter than the person; perspective makes some too long.
    var statureShare = 0.8
    /// How long readings are kept.
    var memory = 4.0
  }

  /// The weights of a way down and of the place where it ends.
  struct Weights: Hashable, Sendable {
    /// Of the highest downward speed of trunk and hips, in statures a second.
    var speed: Float = 7.1
    var hipSpeed: Float = 3.5
    /// Of the longest time for which the person was not found, and of all the way down, from a tenth of it
    /// to nine tenths, in seconds.
    var gap: Float = 9.5
    var duration: Float = -3.9
    /// Of the height of the body at the end, in statures.
    var extent: Float = -14.7
    /// What is added; a fall has a positive sum.
    var bias: Float = -1.25
  }

  private struct Sample {
    let time: TimeInterval
    let body: BodyReading
  }

  private struct Descent {
    /// When the person was down.
    let time: TimeInterval
    /// How high the shoulders were before.
    let shoulders: Float
    let stature: Float
  }

  let rules: Rules
  private var samples: [Sample] = []
  private var descent: Descent?
  /// Since when the person is lying, and when they were last.
  private var lying: (since: TimeInterval, until: TimeInterval)?

  init(rules: Rules = Rules()) { self.rules = rules }

  /// How long the person has been lying, in seconds; `nil` while they are not.
  func lyingTime(at time: TimeInterval) -> TimeInterval? { lying.map { time - $0.since } }

  /// Processes the next frame in which the person is visible.
  ///
  /// - Returns: When the person fell, in seconds, once it is certain.
  mutating func add(
    _ pose: Pose, at time: TimeInterval, aspectRatio: Float
  ) -> TimeInterval? {
    samples.removeAll { $0.time < time - rules.memory }
    guard let body = BodyReading(pose, aspectRatio: aspectRatio) else {
      updateLying(nil, at: time)
      return nil
    }
    samples.append(Sample(time: time, body: body))
    updateLying(body, at: time)
    if let descent {
      return settle(descent, body, at: time)
    }
    descent = descent(at: time, body)
    return nil
  }

  /// Processes a frame in which the person is not visible.
  mutating func skip(at time: TimeInterval) { updateLying(nil, at: time) }

  // MARK: - Going down

  private func descent(at time: TimeInterval, _ body: BodyReading) -> Descent? {
    let way = samples.drop { $0.time < time - rules.longestWay }
    guard let shoulders = way.map(\.body.shoulders.y).max(),
      let hips = way.map(\.body.hips.y).max(), let stature = stature()
    else { return nil }
    guard shoulders - body.shoulders.y >= rules.leastShoulderDrop * stature,
      hips - body.hips.y >= rules.leastHipDrop * stature,
      isFast(way, stature: stature)
    else { return nil }
    return Descent(time: time, shoulders: shoulders, stature: stature)
  }

  private func stature() -> Float? {
    let sorted = samples.map(\.body.stature).sorted()
    guard !sorted.isEmpty else { return nil }
    return sorted[Int(Double(sorted.count - 1) * rules.statureShare)]
  }

  /// Whether the trunk goes down nearly as fast as in a fall, anywhere on its way.
  private func isFast(_ way: ArraySlice<Sample>, stature: Float) -> Bool {
    speeds(of: \.trunk.y, on: way).contains { seconds, speed in
      speed >= (seconds >= rules.longGap ? rules.leastGapSpeed : rules.leastSpeed) * stature
    }
  }

  /// The downward speeds of a height between frames that are ``Rules/speedTime`` apart, each with that
  /// time.
  private func speeds(
    of height: any KeyPath<BodyReading, Float> & Sendable, on way: ArraySlice<Sample>
  ) -> [(seconds: TimeInterval, speed: Float)] {
    var start = way.startIndex
    return way.indices.compactMap { index in
      while start + 1 < index, way[index].time - way[start + 1].time >= rules.speedTime {
        start += 1
      }
      let seconds = way[index].time - way[start].time
      guard seconds >= rules.speedTimeShare * rules.speedTime else { return nil }
      let drop = way[start].body[keyPath: height] - way[index].body[keyPath: height]
      return (seconds, drop / Float(seconds))
    }
  }

  // MARK: - Staying down

  private mutating func settle(
    _ descent: Descent, _ body: BodyReading, at time: TimeInterval
  ) -> TimeInterval? {
    let floor = samples.filter { $0.time >= descent.time }.map(\.body.shoulders.y).min()
    let top = descent.shoulders - rules.leastShoulderDrop * descent.stature
    let limit = min(
      top, floor.map { $0 + rules.longestRise * descent.stature } ?? top)
    guard body.shoulders.y <= max(limit, top - rules.longestRise * descent.stature),
      time - descent.time <= rules.longestWait
    else {
      self.descent = nil
      return nil
    }
    guard time - descent.time >= rules.stay,
      body.tiltDegrees >= rules.leastTilt || body.extent <= rules.largestExtent * descent.stature,
      isStill(at: time, stature: descent.stature)
    else { return nil }
    self.descent = nil
    return (score(of: descent, body, at: time) ?? -1) > 0 ? descent.time : nil
  }

  /// How much a way down is like a fall; `nil` where it has no beginning or end.
  private func score(of descent: Descent, _ body: BodyReading, at time: TimeInterval) -> Float? {
    let last = samples.drop { $0.time < time - rules.stillTime }.map(\.body.shoulders.y).sorted()
    guard let end = last.isEmpty ? nil : last[last.count / 2] else { return nil }
    let edge = (descent.shoulders - end) / 10
    guard
      let start = samples.lastIndex(where: {
        $0.time <= descent.time && $0.body.shoulders.y >= descent.shoulders - edge
      }),
      let bottom = samples[start...].firstIndex(where: { $0.body.shoulders.y <= end + edge })
    else { return nil }
    let way = samples[start...bottom]
    let gap = zip(way, way.dropFirst()).map { $1.time - $0.time }.max() ?? 0
    let around = samples.filter {
      $0.time >= descent.time - rules.longestWay && $0.time <= samples[bottom].time
    }[...]
    func highest(_ height: any KeyPath<BodyReading, Float> & Sendable) -> Float {
      (speeds(of: height, on: around).map(\.speed).max() ?? 0) / descent.stature
    }
    let weights = rules.weights
    let duration = samples[bottom].time - samples[start].time
    return weights.speed * highest(\.trunk.y) + weights.hipSpeed * highest(\.hips.y)
      + weights.gap * Float(gap) + weights.duration * Float(duration)
      + weights.extent * body.extent / descent.stature + weights.bias
  }

  private func isStill(at time: TimeInterval, stature: Float) -> Bool {
    let last = samples.drop { $0.time < time - rules.stillTime }.map(\.body.trunk)
    guard last.count > 2 else { return false }
    let low = last.reduce(SIMD2(repeating: .infinity), pointwiseMin)
    let high = last.reduce(SIMD2(repeating: -.infinity), pointwiseMax)
    return BodyReading.length(high - low) <= rules.longestDrift * stature
  }

  // MARK: - Lying

  private mutating func updateLying(_ body: BodyReading?, at time: TimeInterval) {
    if let body, let stature = stature(), body.tiltDegrees >= rules.lyingTilt,
      body.extent <= rules.lyingExtent * stature
    {
      lying = (lying?.since ?? time, time)
    } else if let until = lying?.until, time - until > rules.lyingGap {
      lying = nil
    }
  }
}
