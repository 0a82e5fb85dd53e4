/// Activates short rests within a movement.
///
/// Of a gap in which the person was occluded for a while, only the visible part is a rest.
package struct HoleFilter: StepFilter {
  /// The share of a period under which a hole between two active runs is closed.
  static let longestHole = 0.6
  /// The longest hole, in seconds, of which the occluded part does not count.
  static let longestOcclusion = 1.0
  /// The largest ratio of the periods before and after such a hole.
  static let steadyTempo = 1.5

  package init() {}

  package func apply(to steps: inout [CountingStep], in window: MovementWindow) {
    var last: Int?
    for index in steps.indices where steps[index].isActive {
      defer { last = index }
      guard let last, index > last + 1 else { continue }
      let (before, after) = (steps[last].period, steps[index].period)
      let hole = (last + 1)..<index
      let (short, long) = (min(before, after), max(before, after))
      let skipsOcclusion =
        Double(hole.count) * CountingStep.duration < Self.longestOcclusion
        && long < Self.steadyTempo * short
      let count = skipsOcclusion ? hole.count(where: { window.isVisible[$0] }) : hole.count
      guard Double(count) * CountingStep.duration < Self.longestHole * short else { continue }
      for step in hole {
        steps[step].isActive = true
        steps[step].period = (before * after).squareRoot()
      }
    }
  }
}
