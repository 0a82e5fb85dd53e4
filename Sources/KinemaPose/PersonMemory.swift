import Foundation

/// A filter's state for each person.
struct PersonMemory<State: Sendable>: Sendable {
  private var states: [Int: (state: State, time: TimeInterval)] = [:]
  private let longestAbsence: TimeInterval

  /// - Parameter longestAbsence: After this time in seconds a person's state is dropped.
  init(longestAbsence: TimeInterval) { self.longestAbsence = longestAbsence }

  mutating func removeAll() { states = [:] }

  /// Changes each pose using its person's state; poses without an id count as one person.
  mutating func changing(
    _ poses: [Pose], at time: TimeInterval, first: () -> State,
    _ change: (inout State, Pose) -> Pose
  ) -> [Pose] {
    states = states.filter { (0...longestAbsence).contains(time - $0.value.time) }
    return poses.map { pose in
      let id = pose.personID ?? 0
      var state = states[id]?.state ?? first()
      defer { states[id] = (state, time) }
      return change(&state, pose)
    }
  }
}
