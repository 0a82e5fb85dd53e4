import KinemaSynth

/// A few people in one room whose ways cross.
package struct SyntheticCrossing: Sendable {
  /// What makes it hard to keep people apart.
  package enum Kind: String, Codable, Sendable, CaseIterable {
    /// They walk past each other and past people who exercise, each in a lane of their own.
    case crossings
    /// The same, and all wear the same clothes.
    case sameClothes = "same-clothes"
    /// They meet in groups, part and meet others.
    case groups
    /// They walk past each other behind pillars and furniture.
    case occluders
    /// They walk past each other before a camera that swings and shakes.
    case movingCamera = "moving-camera"
    /// They leave the frame for 5 to 60 seconds and return, and the last one comes for the first
    /// time after that.
    case returns

    /// The longest occlusion, in seconds.
    package var longestOcclusion: Double {
      switch self {
      case .crossings, .sameClothes, .movingCamera: 1
      case .groups, .occluders, .returns: 2
      }
    }
  }

  /// The visible share of the outline below which a person is occluded.
  package static let hiddenShare: Float = 0.5

  /// What makes it hard.
  package let kind: Kind
  /// The people and the camera.
  package private(set) var scene: SyntheticScene
  /// How long it lasts, in seconds.
  package private(set) var duration: Double
  /// When the room is empty, in seconds, but for a second at either end.
  package private(set) var emptyTime: ClosedRange<Double>?

  /// Creates a scene.
  ///
  /// - Parameters:
  ///   - kind: What makes it hard.
  ///   - personCount: From 2 to 4.
  ///   - seed: Determines people and motions.
  ///   - duration: In seconds; returns take as long as they take.
  ///   - aspectRatio: Width of the frame divided by its height.
  package init(
    _ kind: Kind = .crossings, personCount: Int, seed: UInt64, duration: Double = 10,
    aspectRatio: Float = 16 / 9
  ) {
    precondition((2...4).contains(personCount), "Two to four people cross each other.")
    self.kind = kind
    var generator = SeededGenerator(seed: seed)
    (scene, self.duration, emptyTime) = (
      SyntheticScene([], viewpoint: Viewpoint(yawDegrees: 0)), duration, nil
    )
    repeat {
      let seed = generator.next()
      switch kind {
      case .returns:
        let script = ReturnScript(personCount: personCount, seed: seed)
        scene = script.scene(aspectRatio: aspectRatio)
        (self.duration, emptyTime) = (script.duration, script.emptyTime)
      case .groups:
        scene = GroupScript(personCount: personCount, duration: duration, seed: seed)
          .scene(aspectRatio: aspectRatio)
      case .crossings, .sameClothes, .occluders, .movingCamera:
        scene = CrossingScript(personCount: personCount, duration: duration, seed: seed)
          .scene(kind, aspectRatio: aspectRatio)
      }
    } while !isSuitable
  }

  /// Whether people occlude each other or are occluded, none of them for too long.
  private var isSuitable: Bool {
    let step = 0.1
    var hiddenTimes = [Double](repeating: 0, count: scene.figures.count)
    var occlusions = 0
    for index in 0..<Int(duration / step) {
      let time = Double(index) * step
      if emptyTime?.contains(time) ?? false { continue }
      let shares = scene.visibleShares(at: time, width: 96, height: 54)
      let poses = scene.poses(at: time, aspectRatio: 96 / 54)
      for (figure, share) in shares.enumerated() {
        guard share < Self.hiddenShare, poses[figure].shareInside > 0 else {
          hiddenTimes[figure] = 0
          continue
        }
        // People occluded from the start would never have been visible.
        if index == 0 { return false }
        if hiddenTimes[figure] == 0 { occlusions += 1 }
        hiddenTimes[figure] += step
        if hiddenTimes[figure] > kind.longestOcclusion - step { return false }
      }
    }
    return kind == .returns || occlusions >= scene.figures.count
  }
}
