import Foundation
import KinemaPose
import KinemaSynth
import Testing

@Suite("Calming joints")
struct PoseSmootherTests {
  /// A body whose joints are all at places that a function gives, with a trunk of a quarter of the
  /// picture's height.
  private func pose(offset: SIMD2<Float>, id: Int? = 1) -> Pose {
    let places: [JointKey: SIMD2<Float>] = [
      .leftShoulder: SIMD2(0.5, 0.6), .leftHip: SIMD2(0.5, 0.35), .leftWrist: SIMD2(0.6, 0.5),
    ]
    return Pose(
      from: places.reduce(into: [:]) { joints, place in
        joints[place.key] = JointPoint(
          place.key, position: place.value + offset, confidence: 0.7)
      }, confidence: 0.9, personID: id)
  }

  private func wrists(_ offsets: [SIMD2<Float>]) -> [SIMD2<Float>] {
    var smoother = PoseSmoother()
    return offsets.enumerated().map {
      smoother.filtered([pose(offset: $1)], at: Double($0) / 30)[0]
        .keypoints[.leftWrist]?.position ?? .zero
    }
  }

  private func deviation(_ values: [Float]) -> Float {
    let mean = values.reduce(0, +) / Float(values.count)
    return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(values.count)).squareRoot()
  }

  @Test("joints at rest tremble less than half as much")
  func rest() {
    var generator = SeededGenerator(seed: 3)
    let offsets = (0..<300).map { _ in
      SIMD2(
        Float.random(in: -0.003...0.003, using: &generator),
        Float.random(in: -0.003...0.003, using: &generator))
    }
    let smooth = wrists(offsets).dropFirst(30)
    #expect(deviation(smooth.map(\.x)) < 0.5 * deviation(offsets.map(\.x)))
    #expect(deviation(smooth.map(\.y)) < 0.5 * deviation(offsets.map(\.y)))
  }

  @Test("a fast movement is followed within two frames")
  func speed() {
    // Two trunks a second.
    let offsets = (0..<60).map { SIMD2(Float($0) / 60, 0) }
    let found = wrists(offsets)
    for index in 15..<60 {
      let lag = (offsets[index].x + 0.6 - found[index].x) * 60
      #expect(lag > 0 && lag < 2, "frame \(index)")
    }
  }

  @Test("confidences, ids and the order of people stay; history is dropped after a pause")
  func people() {
    var smoother = PoseSmoother()
    let first = [pose(offset: .zero, id: 7), pose(offset: SIMD2(0.2, 0), id: 3)]
    #expect(smoother.filtered(first, at: 0) == first)
    let second = [pose(offset: SIMD2(0.2, 0.01), id: 3), pose(offset: SIMD2(0.01, 0), id: 7)]
    let found = smoother.filtered(second, at: 1.0 / 30)
    #expect(found.map(\.personID) == [3, 7])
    #expect(found.allSatisfy { $0.confidence == 0.9 })
    #expect(found.flatMap(\.keypoints.values).allSatisfy { $0.confidence == 0.7 })
    #expect(found != second)
    let later = [pose(offset: SIMD2(-0.2, 0), id: 7)]
    #expect(smoother.filtered(later, at: 2) == later)
  }
}
