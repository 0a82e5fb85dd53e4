import KinemaVision
import Testing

/// Numbers of MediaPipe 0.10.21's rules for hands, worked out by hand from its graphs.
@Suite("Regions of hands")
struct HandGeometryTests {
  /// 21 points in five rows.
  static let points: [SIMD2<Float>] = [
    SIMD2(100, 220), SIMD2(113, 215.5), SIMD2(126, 211), SIMD2(139, 206.5), SIMD2(157, 184),
    SIMD2(170, 220), SIMD2(183, 211), SIMD2(196, 202), SIMD2(117, 179.5), SIMD2(130, 166),
    SIMD2(143, 220), SIMD2(156, 206.5), SIMD2(174, 184), SIMD2(187, 166), SIMD2(200, 148),
    SIMD2(116, 220), SIMD2(134, 197.5), SIMD2(147, 175), SIMD2(160, 152.5), SIMD2(173, 130),
    SIMD2(191, 220),
  ]

  private func hand(_ points: [SIMD2<Float>], rightness: Float = 0.9) -> HandLandmarks {
    HandLandmarks(points: points, presence: 1, rightness: rightness)
  }

  private func expect(
    _ region: Region, _ x: Float, _ y: Float, _ size: Float, _ angle: Float,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let deviations = [
      region.center.x - x, region.center.y - y, region.size - size, (region.angle - angle) * 100,
    ]
    #expect(deviations.allSatisfy { abs($0) < 0.01 }, "\(region)", sourceLocation: sourceLocation)
  }

  @Test("a palm's box, moved towards the fingers and turned upright, is the first region")
  func palm() {
    var points = [SIMD2<Float>](repeating: .zero, count: 9)
    (points[0], points[1]) = (SIMD2(220, 280), SIMD2(350, 420))
    (points[2], points[4]) = (SIMD2(300, 400), SIMD2(280, 290))
    expect(AnchorDetector.Design.palms.region(points), 272.478, 281.129, 364, -0.179853)
  }

  @Test("the steady landmarks make the next region, which turns with the hand")
  func landmarks() {
    expect(hand(Self.points).region, 164.356, 182.635, 246.410, 0.929511)
    // A quarter turn: (x, y) becomes (600 − y, 50 + x).
    let turned = Self.points.map { SIMD2(600 - $0.y, 50 + $0.x) }
    expect(hand(turned).region, 417.365, 214.356, 246.410, 2.500307)
  }

  @Test("regions overlap as if they were upright")
  func overlap() {
    let first = Region(center: SIMD2(100, 100), size: 80, angle: 0.3)
    let second = Region(center: SIMD2(120, 110), size: 90, angle: -1)
    #expect(abs(first.overlap(second) - 0.506494) < 1e-5)
    #expect(first.overlap(Region(center: SIMD2(300, 100), size: 80)) == 0)
  }

  @Test(
    "two hands are one where their points lie close, closer if they are a left and a right one",
    arguments: [(0.2, true, true), (0.3, true, false), (0.4, false, false)])
  func sameness(distance: Float, isOneOfOneSide: Bool, isOneOfTwoSides: Bool) {
    let first = hand(Self.points)
    let moved = Self.points.map { $0 + SIMD2(distance * first.size, 0) }
    #expect(first.size == 100)
    #expect(first.isSameHand(as: hand(moved)) == isOneOfOneSide)
    #expect(first.isSameHand(as: hand(moved, rightness: 0.1)) == isOneOfTwoSides)
  }
}
