/// A few people in one room, all in the picture, who walk past each other and past those who
/// exercise; nobody is hidden for longer than a second.
///
/// Everybody keeps to a lane at a distance of their own from the camera, so that nobody walks through
/// somebody else.
public struct SyntheticCrossing: Sendable {
  /// For how long somebody is hidden at most, in seconds.
  public static let longestOcclusion = 1.0
  /// The share of the outline below which somebody counts as hidden.
  public static let hiddenShare: Float = 0.5

  /// The people and the camera.
  public let scene: SyntheticScene
  /// How long it lasts, in seconds.
  public let duration: Double

  /// Lays out a scene; the same numbers give the same one.
  ///
  /// - Parameters:
  ///   - personCount: How many people there are, from 2 to 4.
  ///   - seed: Decides who they are and what they do.
  ///   - duration: How long it lasts, in seconds.
  ///   - aspectRatio: The picture's width divided by its height.
  public init(personCount: Int, seed: UInt64, duration: Double = 10, aspectRatio: Float = 16 / 9) {
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

  /// Whether people do hide each other, and nobody for too long.
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
        // Those who are hidden from the start were never seen.
        if index == 0 { return false }
        if hiddenTimes[figure] == 0 { occlusions += 1 }
        hiddenTimes[figure] += step
        if hiddenTimes[figure] > longestOcclusion - step { return false }
      }
    }
    return occlusions >= scene.figures.count
  }
}
