import KinemaPose
import KinemaTracking
import Testing

/// Two segments, the second one from frame 20 on with a warm-up of four frames.
@Suite("The order of a video's segments") struct SegmentOrderTests {
  private static let seam = 20
  private static let starts = [0, seam]

  private static func order() -> SegmentOrder<Void> {
    SegmentOrder(
      starts: starts, warmUpFrameCount: 4,
      lookAhead: LookAhead(rules: .bodies, maximumPersonCount: 4))
  }

  /// What is reported, and which frames the first segment tracked on.
  private struct Run {
    var frames: [WaitingFrame<Void>] = []
    var continued: [Int] = []
    var firstCount = 0
    /// Whether the second segment was still tracked by the first one when it ended.
    var isContinued = false
  }

  /// Both segments with two people, the second of whom the second segment finds from a frame on.
  private static func run(
    secondFrom arrival: Int, continued: (Int) -> [Pose]? = { _ in both }
  ) -> Run {
    var (run, order) = (Run(), order())
    var numbers = [Array(0..<seam)[...], Array(seam - 4..<40)[...]]
    while true {
      switch order.next() {
      case .report(let frame): run.frames.append(frame)
      case .read(let segment):
        guard let number = numbers[segment].popFirst() else {
          run.isContinued = order.isContinued
          order.take(nil)
          continue
        }
        let own = segment == 0 || number >= arrival ? both : [both[0]]
        order.take(WaitingFrame(number, own))
      case .track(let frame, let isFirst):
        run.firstCount += isFirst ? 1 : 0
        let poses = continued(frame.number)
        if poses != nil { run.continued.append(frame.number) }
        order.takeContinued(poses.map { WaitingFrame(frame.number, $0) })
      case .end: return run
      }
    }
  }

  private static let both: [Pose] = [.standing(1, x: 0.2), .standing(2, x: 0.8)]

  @Test("frames are reported once and in order, without the warm-up")
  func reportsInOrder() {
    for arrival in [0, 25, 100] {
      #expect(Self.run(secondFrom: arrival).frames.map(\.number) == Array(0..<40))
    }
  }

  @Test("a segment that has found everybody goes on by itself")
  func agrees() {
    let run = Self.run(secondFrom: 0)
    #expect(run.continued.isEmpty && !run.isContinued)
    #expect(run.frames.allSatisfy { $0.id(at: 0.2) == 1 && $0.id(at: 0.8) == 2 })
  }

  @Test("until a segment has found everybody, the one before tracks its frames")
  func continues() {
    let run = Self.run(secondFrom: 25)
    // Frame 25 is the first that agrees, and known when the next one comes.
    #expect(run.continued == Array(20...25))
    #expect(run.firstCount == 1 && !run.isContinued)
    #expect(run.frames.allSatisfy { $0.poses.map(\.personID) == [1, 2] })
  }

  @Test("a segment that never finds everybody is tracked to its end by the one before")
  func continuesToEnd() {
    let run = Self.run(secondFrom: 100)
    #expect(run.continued == Array(20..<40) && run.isContinued)
    #expect(run.frames.allSatisfy { $0.poses.map(\.personID) == [1, 2] })
  }

  @Test("where the segment before cannot track on, the segment begins")
  func beginsWithoutHandOver() {
    let run = Self.run(secondFrom: 100) { $0 < 30 ? Self.both : nil }
    #expect(run.continued == Array(20..<30) && !run.isContinued)
    #expect(run.frames.map(\.poses.count) == (0..<40).map { $0 < 30 ? 2 : 1 })
  }

  @Test("a video without frames ends")
  func empty() {
    var order = Self.order()
    for segment in 0..<2 {
      guard case .read(segment) = order.next() else {
        Issue.record("Segment \(segment) is not read.")
        return
      }
      order.take(nil)
    }
    guard case .end = order.next() else {
      Issue.record("The video does not end.")
      return
    }
  }
}
