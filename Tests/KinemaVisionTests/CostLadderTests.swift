import KinemaPose
import KinemaVideo
import KinemaVision
import Testing

final class CostLadderTests {
  private static let frameRate = 25.0
  private var ladder = CostLadder()
  private var step = 0

  private var time: Double { Double(step) / Self.frameRate }

  private static func pose(at x: Float = 0.5, id: Int = 1) -> Pose {
    let joints: [(JointKey, Float)] = [
      (.nose, 0.9), (.leftShoulder, 0.8), (.rightShoulder, 0.8), (.leftHip, 0.5), (.rightHip, 0.5),
      (.leftAnkle, 0.1), (.rightAnkle, 0.1),
    ]
    let points = joints.map { JointPoint($0, position: SIMD2(x, $1), confidence: 0.9) }
    return Pose(from: Dictionary(uniqueKeysWithValues: points.map { ($0.key, $0) }), personID: id)
  }

  /// Lets frames pass, and says how many are processed.
  ///
  /// - Parameters:
  ///   - isMoving: Whether the gate finds motion five times a second, and where.
  ///   - repeats: Whether frames whose people are taken for unchanged are left out, as sources do.
  ///   - poses: What is found in a frame that is processed.
  @discardableResult
  private func run(
    seconds: Double, isMoving: Bool = false, in motion: [MotionArea] = [.everywhere],
    repeats: Bool = false, _ poses: (_ time: Double) -> [Pose] = { _ in [] }
  ) -> Int {
    (0..<Int(seconds * Self.frameRate)).count { _ in
      defer { step += 1 }
      if step.isMultiple(of: 5) { ladder.note(isMoving ? motion : [], at: time) }
      guard ladder.takes(time), !repeats || ladder.unchangedPoses == nil else { return false }
      ladder.note(poses(time), at: time)
      return true
    }
  }

  @Test("an empty room is searched at once, and sleeps after some seconds")
  func empty() {
    #expect(run(seconds: 3) == 75)
    #expect(ladder.state == .looking)
    run(seconds: 3)
    #expect(ladder.state == .asleep)
    #expect((19...21).contains(run(seconds: 40)))
  }

  @Test("a sleeping source is searched in the next frame, and in all once the motion goes on")
  func waking() {
    run(seconds: 10.2)
    #expect(ladder.state == .asleep)
    ladder.note([.everywhere], at: time)
    #expect(ladder.state == .asleep && ladder.isDue(at: time))
    #expect(run(seconds: 0.2) == 1)
    ladder.note([.everywhere], at: time)
    #expect(ladder.state == .looking && ladder.isDue(at: time))
    #expect(run(seconds: 2, isMoving: true) == 50)
  }

  @Test("what changes once in a while, as by keyframes, costs one frame and wakes nobody")
  func pulses() {
    run(seconds: 10.2)
    // Once in two seconds, twenty times, beside the look that is due in as much time anyway.
    let count = (0..<20).reduce(0) { count, _ in
      ladder.note([.everywhere], at: time)
      return count + run(seconds: 2)
    }
    #expect(ladder.state == .asleep && (20...41).contains(count))
  }

  @Test("a source that rough pictures wake for nothing is decoded with care for ten minutes")
  func care() {
    #expect(!ladder.mayBeRough)
    run(seconds: 10)
    #expect(ladder.mayBeRough)
    run(seconds: 1, isMoving: true)
    #expect(ladder.state == .looking && !ladder.mayBeRough)
    run(seconds: 10)
    #expect(ladder.state == .asleep && !ladder.mayBeRough)
    // What wakes it now is no fault of how it is decoded.
    run(seconds: 580)
    run(seconds: 1, isMoving: true)
    run(seconds: 30)
    #expect(ladder.state == .asleep && ladder.mayBeRough)
    // Neither is a person.
    run(seconds: 1, isMoving: true) { _ in [Self.pose()] }
    run(seconds: 4) { _ in [Self.pose()] }
    #expect(ladder.state == .still && ladder.mayBeRough)
    run(seconds: 10)
    #expect(ladder.state == .asleep && ladder.mayBeRough)
  }

  @Test("a person who is found at the first sign of a motion is processed at once")
  func found() {
    run(seconds: 10.2)
    ladder.note([.everywhere], at: time)
    #expect(run(seconds: 1) { _ in [Self.pose()] } == 25)
    #expect(ladder.state == .moving)
  }

  @Test("motion that goes on without anybody is searched at a low rate")
  func leaves() {
    run(seconds: 10)
    run(seconds: 4, isMoving: true)
    #expect((45...55).contains(run(seconds: 10, isMoving: true)))
    #expect(ladder.state == .looking)
    run(seconds: 6)
    #expect(ladder.state == .asleep)
  }

  @Test("a person who moves is processed in every frame, one who keeps still twice a second")
  func still() {
    run(seconds: 10)
    run(seconds: 1, isMoving: true)
    #expect(
      run(seconds: 4) { [Self.pose(at: 0.2 + Float($0.truncatingRemainder(dividingBy: 4)) * 0.1)] }
        == 100)
    #expect(ladder.state == .moving)
    run(seconds: 4) { _ in [Self.pose()] }
    #expect(ladder.state == .still)
    #expect((40...46).contains(run(seconds: 20) { _ in [Self.pose()] }))
    // Landmarks tremble.
    #expect(
      (40...46).contains(
        run(seconds: 20) { [Self.pose(at: 0.5 + ($0 < 45 ? 0.01 : -0.01))] }))
  }

  @Test("where nothing moves, the people of a frame stand for those of two seconds")
  func unchanged() {
    #expect(ladder.unchangedPoses == nil)
    run(seconds: 1, repeats: true) { _ in [Self.pose()] }
    // Who comes may be one of several.
    #expect(ladder.state == .moving && ladder.unchangedPoses == nil)
    run(seconds: 4, repeats: true) { _ in [Self.pose()] }
    #expect(ladder.state == .still)
    #expect((8...10).contains(run(seconds: 20, repeats: true) { _ in [Self.pose()] }))
    #expect(ladder.unchangedPoses == [Self.pose()])
    // Whatever moves, their own sways as well.
    ladder.note([Self.body], at: time)
    #expect(ladder.unchangedPoses == nil)
    run(seconds: 3, repeats: true) { _ in [Self.pose()] }
    #expect(ladder.unchangedPoses != nil)
    // While somebody else is searched, every frame is processed, also when the motion has ended.
    run(seconds: 0.4, isMoving: true, in: [Self.beside], repeats: true) { _ in [Self.pose()] }
    #expect(run(seconds: 2, repeats: true) { _ in [Self.pose()] } == 50)
    run(seconds: 2, repeats: true) { _ in [Self.pose()] }
    #expect(ladder.unchangedPoses != nil)
    // With a limit too: as many as it allows.
    ladder.limits.rate = 5
    run(seconds: 0.4, isMoving: true, in: [Self.beside], repeats: true) { _ in [Self.pose()] }
    #expect((9...11).contains(run(seconds: 2, repeats: true) { _ in [Self.pose()] }))
    ladder.limits.rate = nil
    run(seconds: 3, repeats: true)
    #expect(ladder.state == .looking && ladder.unchangedPoses == nil)
    var full = CostLadder(.init(isFull: true))
    for step in 0..<200 { full.note([Self.pose()], at: Double(step) / 25) }
    #expect(full.state == .still && full.unchangedPoses == nil)
  }

  @Test("where nothing moves, a search that found nobody stands for those of eight seconds")
  func unchangedEmptiness() {
    run(seconds: 4, repeats: true)
    #expect(ladder.state == .looking && ladder.unchangedPoses == nil)
    run(seconds: 6, repeats: true)
    #expect(ladder.state == .asleep && ladder.unchangedPoses == [])
    #expect((4...6).contains(run(seconds: 40, repeats: true)))
    // The first sign of a motion is searched at once.
    ladder.note([Self.beside], at: time)
    #expect(ladder.isDue(at: time) && ladder.unchangedPoses == nil)
    #expect(run(seconds: 0.2, repeats: true) == 1)
    // Somebody may be found who moved too little for the gate.
    run(seconds: 10, repeats: true)
    #expect(ladder.state == .asleep)
    run(seconds: 9, repeats: true) { _ in [Self.pose()] }
    #expect(ladder.state == .moving || ladder.state == .still)
    #expect(ladder.unchangedPoses != [])
    var full = CostLadder(.init(isFull: true))
    for step in 0..<200 { full.note([Pose](), at: Double(step) / 25) }
    #expect(full.state == .asleep && full.unchangedPoses == nil)
  }

  @Test("near a still person it is quiet three seconds after the last motion")
  func quiet() {
    run(seconds: 5) { _ in [Self.pose()] }
    #expect(ladder.state == .still && ladder.otherMotion == .none)
    run(seconds: 1, isMoving: true) { _ in [Self.pose()] }
    #expect(ladder.state == .still && ladder.otherMotion != .none)
    run(seconds: 2.5) { _ in [Self.pose()] }
    #expect(ladder.otherMotion != .none)
    run(seconds: 1) { _ in [Self.pose()] }
    #expect(ladder.otherMotion == .none)
    // Nobody, and somebody who moves, are another matter.
    run(seconds: 1) { [Self.pose(at: 0.2 + Float($0.truncatingRemainder(dividingBy: 4)) * 0.1)] }
    #expect(ladder.state == .moving && ladder.otherMotion != .none)
    run(seconds: 10)
    #expect(ladder.state == .asleep && ladder.otherMotion != .none)
  }

  /// Where the person of ``pose(at:id:)`` sways, and a place beside them.
  private static let body = MotionArea(
    lowerLeft: SIMD2(0.48, 0.2), upperRight: SIMD2(0.52, 0.95))
  private static let beside = MotionArea(
    lowerLeft: SIMD2(0.7, 0.2), upperRight: SIMD2(0.75, 0.5))

  @Test("it is quiet where only still people sway")
  func swaying() {
    run(seconds: 5) { _ in [Self.pose()] }
    run(seconds: 5, isMoving: true, in: [Self.body]) { _ in [Self.pose()] }
    #expect(ladder.state == .still && ladder.otherMotion == .none)
    run(seconds: 0.2, isMoving: true, in: [Self.body, Self.beside]) { _ in [Self.pose()] }
    #expect(ladder.state == .still && ladder.otherMotion == .areas([Self.beside]))
    run(seconds: 5) { _ in [Self.pose()] }
    #expect(ladder.otherMotion == .none)
    // Somebody behind them, of whom more than the place of the still person changes.
    let behind = MotionArea(lowerLeft: SIMD2(0.4, 0.2), upperRight: SIMD2(0.52, 0.9))
    run(seconds: 0.2, isMoving: true, in: [behind]) { _ in [Self.pose()] }
    #expect(ladder.otherMotion != .none)
    run(seconds: 5) { _ in [Self.pose(), Self.pose(at: 0.2, id: 2)] }
    run(seconds: 0.2, isMoving: true, in: [Self.body]) { _ in
      [Self.pose(), Self.pose(at: 0.2, id: 2)]
    }
    #expect(ladder.otherMotion == .none)
  }

  @Test("a still person who stirs has single frames processed, and a movement of theirs wakes")
  func stirring() {
    run(seconds: 5) { _ in [Self.pose()] }
    #expect(ladder.state == .still)
    ladder.note([Self.body], at: time)
    #expect(ladder.state == .still && ladder.isDue(at: time))
    #expect(
      (4...6).contains(run(seconds: 1, isMoving: true, in: [Self.body]) { _ in [Self.pose()] }))
    #expect(ladder.state == .still)
    // Slowly, as the gate does not notice.
    run(seconds: 1) { _ in [Self.pose(at: 0.56)] }
    #expect(ladder.state == .moving)
  }

  @Test("beside a still person others are searched in every frame for a while after a motion")
  func company() {
    run(seconds: 8) { _ in [Self.pose()] }
    ladder.note([Self.beside], at: time)
    #expect(ladder.isDue(at: time))
    #expect(run(seconds: 0.2) { _ in [Self.pose()] } <= 2)
    #expect(run(seconds: 3, isMoving: true, in: [Self.beside]) { _ in [Self.pose()] } == 75)
    #expect(ladder.state == .still)
    // Motion that goes on without anybody.
    #expect(
      (20...24).contains(
        run(seconds: 10, isMoving: true, in: [Self.beside]) { _ in [Self.pose()] }))
  }

  @Test("what rough pictures show beside a still person for nothing is decoded with care, too")
  func careInCompany() {
    run(seconds: 8) { _ in [Self.pose()] }
    #expect(ladder.state == .still && ladder.mayBeRough)
    run(seconds: 1, isMoving: true, in: [Self.beside]) { _ in [Self.pose()] }
    run(seconds: 4) { _ in [Self.pose()] }
    #expect(ladder.state == .still && !ladder.mayBeRough)
    run(seconds: 600) { _ in [Self.pose()] }
    #expect(ladder.mayBeRough)
    // Somebody who comes in is no fault of how pictures are decoded.
    run(seconds: 1, isMoving: true, in: [Self.beside]) { _ in
      [Self.pose(), Self.pose(at: 0.72, id: 2)]
    }
    run(seconds: 6) { _ in [Self.pose(), Self.pose(at: 0.72, id: 2)] }
    #expect(ladder.state == .still && ladder.mayBeRough)
  }

  @Test("a screen that flickers beside a still person keeps nobody awake")
  func screen() {
    run(seconds: 5, isMoving: true) { _ in [Self.pose()] }
    #expect((20...25).contains(run(seconds: 10, isMoving: true) { _ in [Self.pose()] }))
    // Somebody who stirs now and then, without going anywhere.
    let count = (0..<10).reduce(0) { count, _ in
      count + run(seconds: 0.4, isMoving: true, in: [Self.body]) { _ in [Self.pose()] }
        + run(seconds: 1.6) { _ in [Self.pose()] }
    }
    #expect(ladder.state == .still && (45...70).contains(count))
  }

  @Test("a person who is lost is searched in every frame for a while")
  func lost() {
    run(seconds: 5) { _ in [Self.pose()] }
    run(seconds: 0.6)
    #expect(ladder.state == .looking)
    #expect(run(seconds: 2) == 50)
    run(seconds: 6)
    #expect(ladder.state == .asleep)
  }

  @Test("a second person who comes in while another keeps still is movement")
  func second() {
    run(seconds: 5) { _ in [Self.pose()] }
    run(seconds: 1) { _ in [Self.pose(), Self.pose(at: 0.1, id: 2)] }
    #expect(ladder.state == .moving)
  }

  @Test(
    "a source stays below its rate, and one that is only asked who is there below five a second")
  func limits() {
    func moving(_ time: Double) -> [Pose] {
      [Self.pose(at: Float(time.truncatingRemainder(dividingBy: 1)))]
    }
    ladder.limits.rate = 10
    run(seconds: 1, moving)
    #expect((98...101).contains(run(seconds: 10, moving)))
    ladder.limits = .init(needsPoses: false)
    run(seconds: 1, moving)
    #expect((48...51).contains(run(seconds: 10, moving)))
    ladder.limits = .init(isFull: true)
    run(seconds: 1)
    #expect(run(seconds: 20) == 500)
  }

  @Test("a step back in time begins again")
  func restart() {
    run(seconds: 10)
    #expect(ladder.state == .asleep)
    step = 0
    run(seconds: 1)
    #expect(ladder.state == .looking)
  }

  @Test("a source measures brightness five times a second, and wakes in the same picture")
  func source() {
    let source = SourceLadder()
    var grids = 0
    func wants(_ step: Int, _ value: Float) -> Bool {
      source.wants(at: Double(step) / Self.frameRate) {
        grids += 1
        var values = [Float](repeating: 100, count: 64 * 36)
        for y in 10..<20 { values[y * 64 + 30] = value }
        return LumaGrid(width: 64, height: 36, values: values)
      }
    }
    let taken = (0..<500).count { step in
      guard wants(step, 100) else { return false }
      source.note([], seconds: 0.01)
      return true
    }
    #expect(grids == 100)
    // Every frame for 3 s, five a second until 5 s, and then one every two seconds.
    #expect((88...95).contains(taken) && source.status.processedCount == taken)
    #expect(source.status.state == .asleep && source.wantsFewPictures)
    #expect(source.status.rate < 1 && source.status.poseSeconds > 0.7)
    #expect(!source.mayWant(at: 499.5 / Self.frameRate))
    // Nothing is wanted until brightness is measured again.
    #expect((500...505).contains(Int((source.nextTime * Self.frameRate).rounded())))
    let woken = (500..<506).first { wants($0, 130) }
    #expect(woken != nil && source.status.state == .asleep && source.wantsFewPictures)
    let confirmed = (506..<512).first { wants($0, 160) && source.status.state == .looking }
    #expect(confirmed != nil && !source.wantsFewPictures)
    #expect(source.nextTime <= 511 / Self.frameRate && wants(512, 160))
    // While somebody keeps still, few pictures are wanted as well, and all while they move.
    for step in 513..<700 where wants(step, 100) { source.note([Self.pose()], seconds: 0) }
    #expect(source.status.state == .still && source.wantsFewPictures)
    for step in 700..<725 where wants(step, 100) {
      source.note([Self.pose(at: Float(step % 5) / 5)], seconds: 0)
    }
    #expect(source.status.state == .moving && !source.wantsFewPictures)
    // A format without brightness of its own wakes, too.
    source.limits.isFull = true
    #expect(!source.wantsFewPictures && wants(725, 100) && wants(726, 100))
  }
}
