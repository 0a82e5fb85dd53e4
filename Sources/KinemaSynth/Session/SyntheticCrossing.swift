/// A few people in one room who walk past each other and past those who exercise; each has a lane
/// at their own distance from the camera, and is occluded for at most a second.
package struct SyntheticCrossing: Sendable {
  /// The longest occlusion, in seconds.
  package static let longestOcclusion = 1.0
  /// The visible share of the outline below which a person is occluded.
  package static let hiddenShare: Float = 0.5

  /// The people and the camera.
  package let scene: SyntheticScene
  /// How long it lasts, in seconds.
  package let duration: Double

  /// Creates a scene.
  ///
  /// - Parameters:
  ///   - personCount: From 2 to 4.
  ///   - seed: Determines people and motions.
  ///   - duration: In seconds.
  ///   - aspectRatio: Width of the frame divided by its height.
  package init(personCount: Int, seed: UInt64, duration: Double = 10, aspectRatio: Float = 16 / 9) {
    precondition((2...4).contains(personCount), "Two to four people cross each other.")
    self.duration = duration
    var generator = SeededGenerator(seed: seed)
    var candidate = Self.candidate(personCount, duration, aspectRatio, seed: generator.next())
    while !Self.isSuitable(candidate, duration: duration) {
      candidate = Self.candidate(personCount, duration, aspectRatio, seed: generator.next())
    }
    scene = candidate
  }

  private static func candidate(
    _ personCount: Int, _ duration: Double, _ aspectRatio: Float, seed: UInt64
  ) -> SyntheticScene {
    CrossingScript(personCount: personCount, duration: duration, seed: seed)
      .scene(aspectRatio: aspectRatio)
  }

  /// Whether people occlude each other, none of them for too long.
  private static func isSuitable(_ scene: SyntheticScene, duration: Double) -> Bool {
    let step = 0.1
    var hiddenTimes = [Double](repeating: 0, count: scene.figures.count)
    var occlusions = 0
    for index in 0..<Int(duration / step) {
      let shares = scene.visibleShares(at: Double(index) * step, width: 96, height: 54)
      for (figure, share) in shares.enumerated() {
        guard share < hiddenShare else {
          hiddenTimes[figure] = 0
          continue
        }
        // People occluded from the start would never have been visible.
        if index == 0 { return false }
        if hiddenTimes[figure] == 0 { occlusions += 1 }
        hiddenTimes[figure] += step
        if hiddenTimes[figure] > longestOcclusion - step { return false }
      }
    }
    return occlusions >= scene.figures.count
  }
}
