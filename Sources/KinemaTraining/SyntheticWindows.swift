import Foundation
import KinemaPose
import KinemaSynth

/// Labelled windows of poses of synthetic people, each seen from somewhere else.
struct SyntheticWindows {
  /// One window: `[frames, 3, 18]` values, row by row.
  struct Window {
    let values: [Float]
    /// The index of the exercise in ``Exercise/allCases``.
    let label: Int
    /// Which person it is of; the windows of one person never stand on both sides of a split.
    let person: Int
  }

  /// How many windows one person gives at most.
  private static let windowsPerPerson = 8

  let windows: [Window]

  /// Watches people do each exercise.
  ///
  /// - Parameters:
  ///   - peoplePerExercise: How many people do each exercise.
  ///   - windowSize: The frames of a window.
  ///   - frameRate: Frames per second.
  init(
    peoplePerExercise: Int, windowSize: Int, frameRate: Double,
    using generator: inout SeededGenerator
  ) {
    var windows: [Window] = []
    for index in 0..<(peoplePerExercise * Exercise.allCases.count) {
      let label = index % Exercise.allCases.count
      let poses = Self.poses(
        of: Exercise.allCases[label], frameRate: frameRate, using: &generator)
      guard poses.count >= windowSize else { continue }
      for _ in 0..<Self.windowsPerPerson {
        let start = Int.random(in: 0...(poses.count - windowSize), using: &generator)
        let values = poses[start..<(start + windowSize)].flatMap { $0.multiArray() }
        windows.append(
          Window(
            values: Self.observed(values, using: &generator), label: label, person: index))
      }
    }
    self.windows = windows
  }

  /// A random person doing one exercise, seen from a random place.
  private static func poses(
    of exercise: Exercise, frameRate: Double, using generator: inout SeededGenerator
  ) -> [Pose] {
    let part: SyntheticSession.Part =
      exercise == .standing
      ? .standing(seconds: 10)
      : .exercise(
        exercise, repetitions: 6,
        repetitionDuration: .random(in: exercise.repetitionDurations, using: &generator))
    let session = SyntheticSession(
      [part], person: .random(using: &generator), seed: generator.next())
    let aspectRatio = Float.random(in: 0.56...1.78, using: &generator)
    let viewpoint = Viewpoint.framing(
      session, yawDegrees: .random(in: -180...180, using: &generator),
      pitchDegrees: .random(in: -5...20, using: &generator), aspectRatio: aspectRatio,
      margin: .random(in: 0.02...0.2, using: &generator))
    return session.poses(frameRate: frameRate, from: viewpoint, aspectRatio: aspectRatio).map(
      \.pose)
  }

  /// The window as a network would see it: joints tremble, and some are lost for the whole window.
  private static func observed(
    _ values: [Float], using generator: inout SeededGenerator
  ) -> [Float] {
    var values = values
    let tremble = Float.random(in: 0.001...0.006, using: &generator)
    let jointCount = JointKey.body.count
    let isLost = (0..<jointCount).map { _ in Float.random(in: 0...1, using: &generator) < 0.02 }
    for index in values.indices {
      let row = index / jointCount % 3
      if isLost[index % jointCount] {
        values[index] = row == 1 ? 1 : 0
      } else if row < 2 {
        values[index] += tremble * Float.random(in: -1.7...1.7, using: &generator)
      }
    }
    return values
  }
}
