import Foundation
import KinemaPose
import KinemaStreams
import Testing

/// A person whose joints span a rectangle.
private func person(
  _ id: Int, from lowerLeft: SIMD2<Float>, to upperRight: SIMD2<Float>, confidence: Float = 0.9
) -> Pose {
  Pose(
    from: [
      .leftAnkle: JointPoint(.leftAnkle, position: lowerLeft, confidence: confidence),
      .nose: JointPoint(.nose, position: upperRight, confidence: confidence),
    ], personID: id)
}

@Suite("Choosing people and joints")
struct PoseSelectorTests {
  static let people = [
    person(1, from: [0.1, 0.2], to: [0.3, 0.6]),
    person(2, from: [0.4, 0.1], to: [0.8, 0.7]),
    person(3, from: [0.85, 0.5], to: [0.95, 0.9]),
    // A false positive: large, with low confidence.
    person(4, from: [0, 0], to: [1, 1], confidence: 0.1),
  ]

  @Test(
    "each strategy chooses its person",
    arguments: zip(PoseSelectionStrategy.allCases, [2, 3, 2, 1, 3]))
  func strategies(strategy: PoseSelectionStrategy, id: Int) {
    #expect(PoseSelector(strategy: strategy).applied(to: Self.people).personID == id)
  }

  @Test("joints below the threshold do not count")
  func threshold() {
    #expect(
      PoseSelector(strategy: .maximumBoundingBoxArea, confidenceThreshold: 0.05)
        .applied(to: Self.people).personID == 4)
    #expect(PoseSelector().strategy == .maximumBoundingBoxArea)
    #expect(PoseSelector().confidenceThreshold == 0.2)
  }

  @Test("no people give a pose without joints")
  func noPeople() {
    #expect(PoseSelector().applied(to: []).keypoints.isEmpty)
  }

  @Test("joints that are not wanted become zero and stay in place")
  func joints() {
    let pose = Self.people[0]
    let ignoring = JointsSelector(ignoredJoints: [.nose]).applied(to: pose)
    let selecting = JointsSelector(selectedJoints: [.leftAnkle]).applied(to: pose)
    #expect(ignoring == selecting)
    #expect(ignoring.keypoints[.nose] == JointPoint(.nose, position: .zero, confidence: 0))
    #expect(ignoring.keypoints[.leftAnkle] == pose.keypoints[.leftAnkle])
  }

  @Test("the prominent person stays while another is not clearly larger")
  func hysteresis() {
    var selector = ProminentPersonSelector()
    func select(_ first: Float, _ second: Float?) -> Int? {
      var poses = [person(1, from: [0, 0], to: [first, 0.5])]
      if let second { poses.append(person(2, from: [0.5, 0], to: [0.5 + second, 0.5])) }
      return selector.select(from: poses)?.personID
    }
    #expect(select(0.3, 0.2) == 1)
    #expect(select(0.3, 0.35) == 1)
    #expect(select(0.3, 0.45) == 2)
    #expect(select(0.4, 0.35) == 2)
    #expect(select(0.4, nil) == 1)
    #expect(selector.select(from: []) == nil)
  }

  @Test("a pinned person is chosen while visible, and no other for a second after")
  func pinned() {
    let small = person(1, from: [0, 0], to: [0.1, 0.3])
    let large = person(2, from: [0.5, 0], to: [0.9, 0.9])
    var selector = ProminentPersonSelector(pinnedPersonID: 1)
    #expect(selector.select(from: [small, large], at: 0)?.personID == 1)
    #expect(selector.select(from: [large], at: 0.5) == nil)
    #expect(selector.select(from: [small, large], at: 0.9)?.personID == 1)
    #expect(selector.select(from: [large], at: 1.9) == nil)
    #expect(selector.select(from: [large], at: 2)?.personID == 2)
    // A person who returns is chosen again.
    #expect(selector.select(from: [small, large], at: 9)?.personID == 1)
    selector.pinnedPersonID = nil
    #expect(selector.select(from: [small, large], at: 9.1)?.personID == 2)
    // A person pinned before being visible is awaited, too.
    selector.pinnedPersonID = 3
    #expect(selector.select(from: [small, large], at: 9.2) == nil)
    #expect(selector.select(from: [small, large], at: 10.3)?.personID == 2)
  }

  @Test("frames without a time are a thirtieth of a second apart")
  func pinnedWithoutTimes() {
    let large = person(2, from: [0.5, 0], to: [0.9, 0.9])
    var selector = ProminentPersonSelector(pinnedPersonID: 1)
    let chosen = (0..<40).map { _ in selector.select(from: [large])?.personID }
    #expect(chosen[..<30].allSatisfy { $0 == nil })
    #expect(chosen[32...].allSatisfy { $0 == 2 })
  }

  @Test("the chain of the counting sample compiles and gives windows of 90 poses")
  func sampleChain() async throws {
    let pipeline = Downsampler(factor: 1)
      .appending(PoseSelector(strategy: .maximumBoundingBoxArea))
      .appending(JointsSelector(ignoredJoints: [.nose, .leftEye, .leftEar, .rightEye, .rightEar]))
      .appending(SlidingWindowTransformer<Pose>(stride: 5, length: 90))
    let channel = AsyncStream { continuation in
      for index in 0..<100 {
        let id = TemporalSegmentIdentifier(
          source: "camera", range: index..<(index + 1), timescale: 30)
        continuation.yield(TemporalFeature(id: id, feature: index == 50 ? [] : Self.people))
      }
      continuation.finish()
    }
    let stream = AnyTemporalSequence<[Pose]>(channel, count: nil)
    var ranges: [Range<Int>] = []
    for try await window in try await pipeline(stream) {
      #expect(window.feature.count == 90)
      #expect(window.feature[0].keypoints[.nose]?.confidence == 0)
      #expect(window.feature[50 - window.id.range.lowerBound].keypoints.isEmpty)
      ranges.append(window.id.range)
    }
    #expect(ranges == [0..<90, 5..<95, 10..<100])
  }
}
