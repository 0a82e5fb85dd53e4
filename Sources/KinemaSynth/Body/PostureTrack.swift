import KinemaStreams

/// Postures at given times, with everything between them.
///
/// Each number runs through the given ones on a monotone cubic (Fritsch and Butland, *A Method for
/// Constructing Local Monotone Piecewise Cubic Interpolants*, 1984): it eases in and out of turning
/// points, does not overshoot, and stays put between equal postures, so that planted hands and feet
/// do not slide.
package struct PostureTrack: Sendable {
  private var times: [Double] = []
  private var values: [SIMD32<Float>] = []
  private var slopes: [SIMD32<Float>] = []

  package init(_ keys: [(time: Double, posture: Posture)]) {
    precondition(!keys.isEmpty, "A PostureTrack needs a posture.")
    times = keys.map(\.time)
    values = keys.map(\.posture.lanes)
    slopes = keys.indices.map(slope)
  }

  /// The posture at a time; before the first and after the last it is theirs.
  package func posture(at time: Double) -> Posture {
    let next = times.partitioningIndex { $0 > time }
    guard next > 0 else { return Posture(lanes: values[0]) }
    guard next < times.count else { return Posture(lanes: values[times.count - 1]) }
    let span = times[next] - times[next - 1]
    let share = Float((time - times[next - 1]) / span)
    let rest = 1 - share
    let from = values[next - 1]
    let change = (values[next] - from) * (share * share * (3 - 2 * share))
    let leaving = slopes[next - 1] * (share * rest * rest * Float(span))
    let arriving = slopes[next] * (share * share * rest * Float(span))
    return Posture(lanes: from + change + leaving - arriving)
  }

  private func slope(at index: Int) -> SIMD32<Float> {
    guard index > 0, index + 1 < times.count else { return .zero }
    let before = Float(times[index] - times[index - 1])
    let after = Float(times[index + 1] - times[index])
    let incoming = (values[index] - values[index - 1]) / before
    let outgoing = (values[index + 1] - values[index]) / after
    let turning = incoming * outgoing .<= 0
    let total = 3 * (before + after)
    let mean =
      total / ((2 * after + before) / incoming + (after + 2 * before) / outgoing)
    return mean.replacing(with: 0, where: turning)
  }
}
