import KinemaTestSupport

/// A blob whose elements are reached by their index along each axis: slow, and easy to see through.
struct ReferenceBlob {
  let shape: [Int]
  var values: [Float]

  init(_ shape: [Int], _ values: [Float]) {
    (self.shape, self.values) = (shape, values)
  }

  init(_ shape: [Int], seed: UInt64) {
    var source = Values(seed: seed)
    self.init(shape, source.next(shape.reduce(1, *)))
  }

  /// A blob whose elements follow from their places.
  init(_ shape: [Int], _ element: ([Int]) -> Float) {
    self.init(shape, Self.places(shape).map(element))
  }

  subscript(place: [Int]) -> Float {
    values[zip(place, shape).reduce(0) { $0 * $1.1 + $1.0 }]
  }

  var places: [[Int]] { Self.places(shape) }

  /// The mean over those elements whose places satisfy a condition.
  func mean(where condition: ([Int]) -> Bool) -> Double {
    let chosen = places.filter(condition).map { Double(self[$0]) }
    return chosen.reduce(0, +) / Double(chosen.count)
  }

  private static func places(_ shape: [Int]) -> [[Int]] {
    shape.reduce([[]]) { places, size in places.flatMap { place in (0..<size).map { place + [$0] } }
    }
  }
}
