import KinemaAction
import KinemaPose
package import KinemaVideo
package import KinemaVision
package import KinemaWatch

/// Plays pictures to a ``KinemaVision/CostLadder`` as a watched source does, by their own time: nothing
/// depends on the speed of the machine.
package struct LadderPlayback {
  private let stream: PoseStream
  private let ladder: SourceLadder
  private var scene: SceneAnalysis
  private var events: SceneEvents
  /// The frames that were processed.
  package private(set) var processedCount = 0

  /// - Parameters:
  ///   - isFull: Whether every frame is processed.
  ///   - isFall: Recognises falls; without it, none is reported.
  package init(
    isFull: Bool, pool: PosePool, subject: PoseSubject = .bodies(.init()),
    isFall: @escaping SceneEvents.FallClassifier = { _ in false }
  ) {
    stream = pool.makeStream(subject)
    ladder = SourceLadder(.init(isFull: isFull))
    scene = SceneAnalysis(PersonAnalysis.Plan(classifier: nil), scope: .live)
    events = SceneEvents(isFall: isFall)
  }

  /// What a picture shows that has happened; nothing where it is not processed.
  ///
  /// - Parameters:
  ///   - time: Of the picture, in seconds; not before that of the last one.
  ///   - picture: Makes the picture, where it is needed.
  package mutating func add(
    at time: Double, _ picture: () throws -> Frame
  ) async throws -> [WatchEvent] {
    var known: Frame?
    // Where every frame is processed, brightness decides nothing.
    let isFull = ladder.limits.isFull
    if !isFull, ladder.mayWant(at: time) { known = try picture() }
    guard ladder.wants(at: time, grid: { known.map { LumaGrid(of: $0) } }) else { return [] }
    let frame = try known ?? picture()
    let poses: [Pose]
    if let unchanged = ladder.unchangedPoses {
      poses = unchanged
    } else {
      poses = try await stream.poses(in: frame, at: time, otherMotion: ladder.otherMotion)
      ladder.note(poses, seconds: 0)
      processedCount += 1
    }
    let shape = Float(frame.width) / Float(frame.height)
    let step = try scene.add(poses, at: time, aspectRatio: shape)
    return events.add(SceneMoment(step, of: scene, at: time, aspectRatio: shape))
  }
}
